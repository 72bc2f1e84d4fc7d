import type { Bench } from '../bench.ts';
import { runClosedLoop } from '../load.ts';
import { scaled } from '../options.ts';
import type { Row } from '../result.ts';
import { prepareSilentFlow } from './flow.ts';

const WARM_UP_COUNT = 200;
const MIB = 2 ** 20;
const PARTS = 4;

const inMiB = (bytes: number) => (bytes / MIB).toFixed(bytes < 100 * MIB ? 1 : 0);

/**
 * The memory of a fresh server, and its memory after many flows. The live heap is measured after a collection: a leak
 * grows with the flows, and uncollected garbage does not count.
 */
export const runMemory = async (bench: Bench): Promise<Row> => {
  const { flows, concurrency } = bench.options;
  const count = Math.ceil(flows / PARTS);
  const subject = await bench.another('memory');
  const resident = async () => `${inMiB((await subject.process.usage()).residentBytes)} MiB`;
  const live = () => subject.process.ask<number>('liveHeapBytes');
  const notes: Record<string, string> = { 'resident when ready': await resident() };
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
  await subject.close();
  return { name: 'memory', notes };
};
