import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { runClosedLoop } from '../load.ts';
import { scaled } from '../options.ts';
import type { Row } from '../result.ts';
import { readStartScript } from '../start-script.ts';
import type { CandelaSubject } from '../subject.ts';
import { prepareSilentFlow } from './flow.ts';

const WARM_UP_COUNT = 200;
const MIB = 2 ** 20;
const PARTS = 4;

const inMiB = (bytes: number) => (bytes / MIB).toFixed(bytes < 100 * MIB ? 1 : 0);

/** The server on a database of its own, as `pnpm start` starts it for the second time: its modules are compiled. */
const startAgain = async (bench: Bench): Promise<CandelaSubject> => {
  const { flags, env } = readStartScript();
  const compiled = await mkdtemp(join(tmpdir(), 'candela-bench-'));
  const started = { flags, env: { ...env, NODE_COMPILE_CACHE: compiled } };
  // Its end writes the cache.
  await (await bench.another('compiling', started)).close();
  const subject = await bench.another('memory', started);
  return {
    ...subject,
    close: () => subject.close().finally(() => rm(compiled, { recursive: true, force: true })),
  };
};

interface ResidentParts {
  files: number;
  heap: number;
  rest: number;
}

/**
 * The memory of a fresh server with the options of `pnpm start`, and its memory after many flows. The live heap is measured after a collection: a leak
 * grows with the flows, and uncollected garbage does not count.
 */
export const runMemory = async (bench: Bench): Promise<Row> => {
  const { flows, concurrency } = bench.options;
  const count = Math.ceil(flows / PARTS);
  const subject = await startAgain(bench);
  const resident = async () => `${inMiB((await subject.process.usage()).residentBytes)} MiB`;
  const live = () => subject.process.ask<number>('liveHeapBytes');
  const parts = async () => {
    const { files, heap, rest } = await subject.process.ask<ResidentParts>('residentParts');
    return `files ${inMiB(files)} MiB, heap ${inMiB(heap)} MiB, rest ${inMiB(rest)} MiB`;
  };
  const notes: Record<string, string> = {
    'resident when ready': await resident(),
    'of that': await parts(),
  };
  const work = await prepareSilentFlow(concurrency)(subject, count);
  await runClosedLoop(
    subject,
    { count: Math.min(count, scaled(bench.options, WARM_UP_COUNT)), concurrency },
    work,
  );
  notes['resident when warm'] = await resident();
  const liveWhenWarm = await live();
  for (let part = 1; part <= PARTS; part += 1) {
    await runClosedLoop(subject, { count, concurrency }, work);
    notes[`resident after ${part * count} flows`] = await resident();
  }
  notes['live in the heap, when warm and at the end'] =
    `${inMiB(liveWhenWarm)} MiB, ${inMiB(await live())} MiB`;
  notes['resident at the end'] = await parts();
  await subject.close();
  return { name: 'memory', notes };
};
