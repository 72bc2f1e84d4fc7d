import { query } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import { type Measured, runAtRate, type Work } from '../load.ts';
import { inBulk, insertCopies, mintSql } from '../mint.ts';
import type { Row } from '../result.ts';
import { median, percentile } from '../statistics.ts';
import type { CandelaSubject } from '../subject.ts';
import { chooseRate, prepareMix, WINDOW_SECONDS } from './live-requests.ts';

/** Enough pairs of windows for a result; with --full the scenario runs until no expired row is left. */
const PAIRS = 20;

/** The expired rows: a fifth each of grants, codes and interactions, and two fifths of access tokens. */
const expireRows = (total: number): string => {
  const fifth = Math.ceil(total / 5);
  const expiresAt = `now() - interval '3 days' + n * interval '10 ms'`;
  const id = `bench.base64url_hash('expired ' || n)`;
  return [
    mintSql({ name: 'expired', count: fifth * 2, models: ['AccessToken'] }, { perGrant: 2, expiresAt }),
    insertCopies('authorization_code', fifth, { id_hash: id, expires_at: expiresAt }),
    insertCopies('interaction', fifth, { id_hash: id, expires_at: expiresAt }),
  ].join(' ');
};

/** A deleted grant deletes its tokens by cascade, so the sweep reports fewer rows than are deleted. */
const countExpired = async ({ databaseUrl }: CandelaSubject): Promise<number> => {
  const tables = ['authorization_grant', 'access_token', 'authorization_code', 'interaction'];
  const counts = tables.map(
    (table) => `(select count(*) from ${table} where expires_at < now() - interval '1 day')`,
  );
  const [row] = await query<{ left: string }>(databaseUrl, `select ${counts.join(' + ')} as left`);
  return Number(row?.left);
};

interface Pair {
  calm: Measured;
  sweeping: Measured;
}

/** Lets the server sweep at its own pace, with pauses in turn, until no expired row is left. */
const runPairs = async (
  { options: { concurrency, full, seconds } }: Bench,
  subject: CandelaSubject,
  perSecond: number,
  work: Work,
): Promise<Pair[]> => {
  const paced = { perSecond, connections: concurrency * 2 };
  const runWindow = () => {
    const end = performance.now() + 1_000 * Math.max(1, WINDOW_SECONDS * Math.min(1, seconds));
    return runAtRate(subject, paced, work, () => performance.now() > end);
  };
  const runSweeping = async () => {
    await subject.process.ask('startSweeping');
    const sweeping = await runWindow();
    await subject.process.ask('stopSweeping');
    return sweeping;
  };
  const pairs: Pair[] = [];
  while ((full || pairs.length < PAIRS) && (await countExpired(subject)) > 0) {
    if (pairs.length % 2 === 0) {
      const calm = await runWindow();
      pairs.push({ calm, sweeping: await runSweeping() });
    } else {
      const sweeping = await runSweeping();
      pairs.push({ calm: await runWindow(), sweeping });
    }
  }
  return pairs;
};

const p99 = ({ latencies }: Measured) => percentile(latencies, 0.99);

/** The effect of a backlog of expired rows on live requests, while the same server sweeps it. */
export const runSweep = async (bench: Bench): Promise<Row> => {
  const { tokens: expired } = bench.options;
  const subject = await bench.another('sweep');
  await query(subject.databaseUrl, inBulk(expireRows(expired)));
  const work = await prepareMix(subject);
  const perSecond = await chooseRate(bench, subject, work);
  const before = await countExpired(subject);
  const pairs = await runPairs(bench, subject, perSecond, work);
  const gone = before - (await countExpired(subject));
  await subject.close();

  const seconds = pairs.reduce((sum, { sweeping }) => sum + sweeping.seconds, 0);
  const rise = median(pairs.map(({ calm, sweeping }) => p99(sweeping) / p99(calm))) - 1;
  const of = (choose: (pair: Pair) => Measured, figure: number) =>
    median(pairs.map((pair) => percentile(choose(pair).latencies, figure))).toFixed(2);
  return {
    name: 'sweep',
    notes: {
      'live requests per second': perSecond,
      'expired rows at the start': before,
      'rows gone': gone,
      'rows gone per second': Math.round(gone / seconds),
      'pairs of windows': pairs.length,
      'seconds of sweeping': Math.round(seconds),
      'p50 without, ms': of(({ calm }) => calm, 0.5),
      'p50 during, ms': of(({ sweeping }) => sweeping, 0.5),
      'p99 without, ms': of(({ calm }) => calm, 0.99),
      'p99 during, ms': of(({ sweeping }) => sweeping, 0.99),
      'p99 rises by': `${(rise * 100).toFixed(0)} % (wanted: less than 20 %)`,
    },
  };
};
