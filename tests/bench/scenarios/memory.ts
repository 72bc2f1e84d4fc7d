import type { Bench } from '../bench.ts';
import { runClosedLoop } from '../load.ts';
import type { Row } from '../result.ts';
import { prepareSilentFlow } from './flow.ts';

const WARM_UP_COUNT = 200;
const MIB = 2 ** 20;

/** What a fresh server keeps of memory, and what it keeps after many flows. */
export const runMemory = async (bench: Bench): Promise<Row> => {
  const { flows: count, concurrency } = bench.options;
  const subject = await bench.another('memory');
  const resident = async () => `${((await subject.process.usage()).residentBytes / MIB).toFixed(0)} MiB`;
  const atFirst = await resident();
  const work = await prepareSilentFlow(concurrency)(subject, count);
  await runClosedLoop(subject, { count: Math.min(count, WARM_UP_COUNT), concurrency }, work);
  const warm = await resident();
  await runClosedLoop(subject, { count, concurrency }, work);
  const after = await resident();
  await subject.close();
  return {
    name: 'memory',
    notes: {
      'resident when ready': atFirst,
      'resident when warm': warm,
      [`resident after ${count} flows`]: after,
    },
  };
};
