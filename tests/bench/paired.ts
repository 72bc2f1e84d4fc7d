import type { Bench } from './bench.ts';
import { type Measured, runClosedLoop, type Work } from './load.ts';
import type { Counts, Figures, Ratios } from './result.ts';
import { mean, median, percentile } from './statistics.ts';
import type { Subject } from './subject.ts';

/** Prepares `count` pieces of work for a server, untimed. */
export type Prepare<S extends Subject = Subject> = (subject: S, count: number) => Promise<Work>;

interface Round extends Measured {
  cpuMilliseconds: number;
}

const WARM_UP_COUNT = 400;

const runRound = async <S extends Subject>(
  subject: S,
  prepare: Prepare<S>,
  { count, concurrency }: { count: number; concurrency: number },
): Promise<Round> => {
  const work = await prepare(subject, count);
  const before = await subject.process.usage();
  const measured = await runClosedLoop(subject, { count, concurrency }, work);
  const after = await subject.process.usage();
  return { ...measured, cpuMilliseconds: (after.cpuMilliseconds - before.cpuMilliseconds) / count };
};

/** Runs until the code is compiled and the caches are full; answers how much fits into a round. */
const warmUp = async <S extends Subject>(bench: Bench, subject: S, prepare: Prepare<S>): Promise<number> => {
  const { seconds, concurrency } = bench.options;
  await runRound(subject, prepare, { count: WARM_UP_COUNT, concurrency });
  const { perSecond } = await runRound(subject, prepare, { count: WARM_UP_COUNT, concurrency });
  const count = Math.max(concurrency, Math.ceil(perSecond * seconds));
  await runRound(subject, prepare, { count, concurrency });
  return count;
};

export const toFigures = (rounds: readonly Round[]): Figures => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50Milliseconds: median(rounds.map(({ latencies }) => percentile(latencies, 0.5))),
  p99Milliseconds: median(rounds.map(({ latencies }) => percentile(latencies, 0.99))),
  cpuMilliseconds: median(rounds.map(({ cpuMilliseconds }) => cpuMilliseconds)),
});

/** What two servers did in turn, and the median of the ratios of each pair of rounds. */
export interface Comparison {
  first: Figures;
  second: Figures;
  /** Of the first over the second. */
  ratios: Ratios;
}

/** Runs two servers in alternating rounds, so that what disturbs the machine disturbs both. */
export const compare = async <A extends Subject, B extends Subject>(
  bench: Bench,
  [first, prepareFirst]: [A, Prepare<A>],
  [second, prepareSecond]: [B, Prepare<B>],
): Promise<Comparison> => {
  const { concurrency, rounds: wanted } = bench.options;
  const firstCount = await warmUp(bench, first, prepareFirst);
  const secondCount = await warmUp(bench, second, prepareSecond);
  const rounds: [Round, Round][] = [];
  for (let index = 0; index < wanted; index += 1) {
    const runFirst = () => runRound(first, prepareFirst, { count: firstCount, concurrency });
    const runSecond = () => runRound(second, prepareSecond, { count: secondCount, concurrency });
    if (index % 2 === 0) rounds.push([await runFirst(), await runSecond()]);
    else {
      const late = await runSecond();
      rounds.push([await runFirst(), late]);
    }
  }
  return {
    first: toFigures(rounds.map(([round]) => round)),
    second: toFigures(rounds.map(([, round]) => round)),
    ratios: {
      throughput: median(rounds.map(([a, b]) => a.perSecond / b.perSecond)),
      cpu: median(rounds.map(([a, b]) => b.cpuMilliseconds / a.cpuMilliseconds)),
    },
  };
};

/** Runs one server alone. */
export const measure = async <S extends Subject>(
  bench: Bench,
  subject: S,
  prepare: Prepare<S>,
): Promise<Figures> => {
  const { concurrency, rounds: wanted } = bench.options;
  const count = await warmUp(bench, subject, prepare);
  const rounds: Round[] = [];
  while (rounds.length < wanted) rounds.push(await runRound(subject, prepare, { count, concurrency }));
  return toFigures(rounds);
};

const COUNTED = 200;
const UNCOUNTED = 20;

/** Counts, one piece of work at a time, what each says to the database; the usual one, and the mean. */
export const countStatements = async (bench: Bench, prepare: Prepare): Promise<Counts> => {
  const { subject, counter } = await bench.counted();
  const count = COUNTED + UNCOUNTED;
  const work = await prepare(subject, count);
  const taken: { statements: number; roundTrips: number }[] = [];
  await runClosedLoop(subject, { count, concurrency: 1 }, async (send, index) => {
    await work(send, index);
    const counts = counter.take();
    if (index >= UNCOUNTED) taken.push(counts);
  });
  return {
    statements: median(taken.map(({ statements }) => statements)),
    roundTrips: median(taken.map(({ roundTrips }) => roundTrips)),
    meanStatements: mean(taken.map(({ statements }) => statements)),
  };
};
