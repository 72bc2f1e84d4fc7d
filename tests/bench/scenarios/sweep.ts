import type { Bench } from '../bench.ts';
import { runAtRate, runClosedLoop, type Work } from '../load.ts';
import { inBulk, insertCopies, mintSql } from '../mint.ts';
import { query } from '../postgres.ts';
import type { Row } from '../result.ts';
import { median, percentile } from '../statistics.ts';
import type { CandelaSubject } from '../subject.ts';
import { createPools, mintValues, tokenRequests } from './protocol.ts';

const POOL = 2_000;
const WARM_UP_COUNT = 1_000;
/** Of what the server can do: under full load anything beside it would show. */
const SHARE_OF_CAPACITY = 0.4;
const CALM_MS = 10_000;

/** Of what is over: a fifth each of grants, codes and interactions, and two fifths of access tokens. */
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

/** A grant takes its tokens along, so what the sweep says it deleted is not all that went. */
const countExpired = async ({ databaseUrl }: CandelaSubject): Promise<number> => {
  const tables = ['authorization_grant', 'access_token', 'authorization_code', 'interaction'];
  const counts = tables.map(
    (table) => `(select count(*) from ${table} where expires_at < now() - interval '1 day')`,
  );
  const [row] = await query<{ left: string }>(databaseUrl, `select ${counts.join(' + ')} as left`);
  return Number(row?.left);
};

/** Half introspections, a quarter refreshes, a quarter userinfo. */
const prepareMix = async (subject: CandelaSubject): Promise<Work> => {
  const { introspection, refresh, userinfo } = tokenRequests(
    createPools((owner, model) => mintValues(owner, model, POOL)),
  );
  const mix = [
    await introspection(subject),
    await refresh(subject),
    await introspection(subject),
    await userinfo(subject),
  ];
  return (send, index) => mix[index % mix.length]?.(send, index) ?? Promise.resolve();
};

/** The median over seconds of their 99th percentiles: one bad moment of the machine does not decide. */
const typicalP99 = (latencies: readonly number[], perSecond: number): number => {
  const seconds = Math.max(1, Math.floor(latencies.length / perSecond));
  return median(
    Array.from({ length: seconds }, (_, second) =>
      percentile(latencies.slice(second * perSecond, (second + 1) * perSecond), 0.99),
    ),
  );
};

/** What live requests feel while a backlog of expired rows goes, by the sweep of the server that answers them. */
export const runSweep = async (bench: Bench): Promise<Row> => {
  const { concurrency, tokens: expired } = bench.options;
  const subject = await bench.another('sweep');
  await query(subject.databaseUrl, inBulk(expireRows(expired)));
  const work = await prepareMix(subject);
  await runClosedLoop(subject, { count: WARM_UP_COUNT, concurrency }, work);
  const capacity = await runClosedLoop(subject, { count: WARM_UP_COUNT * 2, concurrency }, work);
  const perSecond = Math.ceil(capacity.perSecond * SHARE_OF_CAPACITY);
  const paced = { perSecond, connections: concurrency * 2 };

  const calmEnd = performance.now() + CALM_MS;
  const before = await runAtRate(subject, paced, work, () => performance.now() > calmEnd);

  let sweeping = true;
  const sweepAll = async () => {
    try {
      while ((await subject.process.ask<number>('sweep')) > 0);
    } finally {
      sweeping = false;
    }
  };
  const swept = sweepAll();
  const during = await runAtRate(subject, paced, work, () => !sweeping);
  await swept;
  const left = await countExpired(subject);
  if (left > 0) throw new Error(`the sweep left ${left} expired rows`);
  await subject.close();

  const calm = typicalP99(before.latencies, perSecond);
  const busy = typicalP99(during.latencies, perSecond);
  return {
    name: 'sweep',
    notes: {
      'live requests per second': perSecond,
      'rows gone': expired,
      'rows gone per second': Math.round(expired / during.seconds),
      'p50 before, ms': percentile(before.latencies, 0.5).toFixed(2),
      'p50 during, ms': percentile(during.latencies, 0.5).toFixed(2),
      'p99 before, ms': calm.toFixed(2),
      'p99 during, ms': busy.toFixed(2),
      'p99 rises by': `${((busy / calm - 1) * 100).toFixed(0)} % (wanted: less than 20 %)`,
    },
  };
};
