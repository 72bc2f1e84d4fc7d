import type { Bench } from './bench.ts';
import { readServerCore } from './cores.ts';
import type { Send } from './http-connection.ts';
import { type Measured, runClosedLoop, type Work } from './load.ts';
import { scaled } from './options.ts';
import type { Counts, Figures, Ratios } from './result.ts';
import { mean, median, percentile } from './statistics.ts';
import type { CandelaSubject, Subject } from './subject.ts';

/** Prepares `count` tasks for a server, untimed. */
export type Prepare<S extends Subject = Subject> = (subject: S, count: number) => Promise<Work>;

interface Round extends Measured {
  cpuMilliseconds: number;
  loopDelayMilliseconds: number;
  takenByOthers: number | undefined;
}

/** Enough for the code to be compiled; sign-ins, which are slow by design, warm up with fewer tasks. */
const WARM_UP_COUNT = 400;

const shareOfOthers = (
  before: ReturnType<typeof readServerCore>,
  after: ReturnType<typeof readServerCore>,
  { seconds, cpuMilliseconds }: { seconds: number; cpuMilliseconds: number },
): number | undefined => {
  if (!before || !after) return undefined;
  const busy = 1 - (after.idle - before.idle) / Math.max(1, after.total - before.total);
  return Math.max(0, busy - cpuMilliseconds / 1000 / seconds);
};

/** One round of one server; processor time is for each task. */
export const runRound = async <S extends Subject>(
  { cores }: Bench,
  subject: S,
  prepare: Prepare<S>,
  { count, concurrency }: { count: number; concurrency: number },
): Promise<Round> => {
  const work = await prepare(subject, count);
  const [before, coreBefore] = [await subject.process.usage(), readServerCore(cores)];
  const measured = await runClosedLoop(subject, { count, concurrency }, work);
  const [after, coreAfter] = [await subject.process.usage(), readServerCore(cores)];
  const cpuMilliseconds = after.cpuMilliseconds - before.cpuMilliseconds;
  return {
    ...measured,
    cpuMilliseconds: cpuMilliseconds / count,
    loopDelayMilliseconds: after.loopDelayMilliseconds,
    takenByOthers: shareOfOthers(coreBefore, coreAfter, { seconds: measured.seconds, cpuMilliseconds }),
  };
};

/** Runs until the code is compiled and the caches are full; returns how many tasks fit into a round. */
export const warmUp = async <S extends Subject>(
  bench: Bench,
  subject: S,
  prepare: Prepare<S>,
  usual = WARM_UP_COUNT,
): Promise<number> => {
  const { seconds, concurrency } = bench.options;
  const warmUpCount = scaled(bench.options, usual);
  await runRound(bench, subject, prepare, { count: warmUpCount, concurrency });
  const { perSecond } = await runRound(bench, subject, prepare, { count: warmUpCount, concurrency });
  const count = Math.max(concurrency, Math.ceil(perSecond * seconds));
  await runRound(bench, subject, prepare, { count, concurrency });
  return count;
};

export const toFigures = (rounds: readonly Round[]): Figures => {
  const shares = rounds.flatMap(({ takenByOthers }) => takenByOthers ?? []);
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50Milliseconds: median(rounds.map(({ latencies }) => percentile(latencies, 0.5))),
    p99Milliseconds: median(rounds.map(({ latencies }) => percentile(latencies, 0.99))),
    cpuMilliseconds: median(rounds.map(({ cpuMilliseconds }) => cpuMilliseconds)),
    ...(shares.length > 0 && { takenByOthers: median(shares) }),
  };
};

/** The rounds of two servers in turn, and the median of the ratios of each pair of rounds. */
export interface Comparison {
  first: Figures;
  second: Figures;
  /** The ratio of the first to the second. */
  ratios: Ratios;
}

/** Runs two servers in alternating rounds, so that other load of the machine affects both. */
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
    const runFirst = () => runRound(bench, first, prepareFirst, { count: firstCount, concurrency });
    const runSecond = () => runRound(bench, second, prepareSecond, { count: secondCount, concurrency });
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
  while (rounds.length < wanted) rounds.push(await runRound(bench, subject, prepare, { count, concurrency }));
  return toFigures(rounds);
};

const COUNTED = 200;
const UNCOUNTED = 20;

interface Taken {
  statements: number;
  roundTrips: number;
}

/** The least, for each request of a task: whatever a request has more is of background work and of caches that ran out. */
const leastOf = (tasks: readonly Taken[][], figure: keyof Taken): number[] =>
  (tasks[0] ?? []).map((_, place) => Math.min(...tasks.map((requests) => requests[place]?.[figure] ?? 0)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Counts the statements of each task, one task at a time; returns the usual count and the mean. */
export const countStatements = async (bench: Bench, prepare: Prepare<CandelaSubject>): Promise<Counts> => {
  const { subject, counter } = await bench.counted();
  const uncounted = scaled(bench.options, UNCOUNTED);
  const count = scaled(bench.options, COUNTED) + uncounted;
  const work = await prepare(subject, count);
  const tasks: Taken[][] = [];
  await runClosedLoop(subject, { count, concurrency: 1 }, async (send, index) => {
    const requests: Taken[] = [];
    const counting: Send = async (request) => {
      const answer = await send(request);
      requests.push(counter.take());
      return answer;
    };
    counter.take();
    await work(counting, index);
    if (index >= uncounted) tasks.push(requests);
  });
  const requests = leastOf(tasks, 'statements');
  return {
    statements: sum(requests),
    roundTrips: sum(leastOf(tasks, 'roundTrips')),
    requests,
    meanStatements: mean(tasks.map((taken) => sum(taken.map(({ statements }) => statements)))),
  };
};
