import type { Bench } from '../bench.ts';
import { onServerCore } from '../cores.ts';
import { runClosedLoop } from '../load.ts';
import { scaled } from '../options.ts';
import type { Row } from '../result.ts';
import { readStartScript } from '../start-script.ts';
import { startProgram } from '../started-program.ts';
import type { CandelaSubject } from '../subject.ts';
import { prepareSilentFlow } from './flow.ts';

const WARM_UP_COUNT = 200;
const MIB = 2 ** 20;
const PARTS = 4;

const inMiB = (bytes: number) => `${(bytes / MIB).toFixed(0)} MiB`;

/**
 * The memory of a server that `pnpm start` starts, and its memory after many flows: a leak grows with each part of them.
 * Its modules are compiled: the start before it wrote the cache.
 */
export const runMemory = async ({ cores, options, postgres }: Bench): Promise<Row> => {
  const { flows, concurrency } = options;
  const count = Math.ceil(flows / PARTS);
  const notes: Record<string, string> = {};
  const note = async (when: string, { usage }: CandelaSubject['process']) => {
    notes[`resident ${when}`] = inMiB((await usage()).residentBytes);
  };
  const { flags, env } = readStartScript();
  const start = async (database: string, onReady?: (server: CandelaSubject['process']) => Promise<void>) =>
    startProgram(await postgres.createDatabase(database), {
      label: 'candela',
      command: ([node = '', ...program]) => onServerCore(cores, [node, ...flags, ...program]),
      env,
      ...(onReady && { onReady }),
    });
  await (await start('compiling')).close();
  const subject = await start('memory', (server) => note('when ready', server));
  try {
    const work = await prepareSilentFlow(concurrency)(subject, count);
    const warmUp = Math.min(count, scaled(options, WARM_UP_COUNT));
    await runClosedLoop(subject, { count: warmUp, concurrency }, work);
    await note('when warm', subject.process);
    for (let part = 1; part <= PARTS; part += 1) {
      await runClosedLoop(subject, { count, concurrency }, work);
      await note(`after ${part * count} flows`, subject.process);
    }
  } finally {
    await subject.close();
  }
  return { name: 'memory', notes };
};
