import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Cluster } from '../support/cluster.ts';
import type { Drill } from './drill.ts';
import { startFlows } from './flows.ts';
import { startPlace } from './journeys.ts';
import { littleRoom, residentMib } from './memory.ts';

const PEOPLE = 3;
/** How often the older half of all rows is made to have ended days ago. */
const AGEING_MS = 15_000;
/** A sweep begins every minute. */
const SWEPT_SECONDS = 90;
const MOST_MIB_A_MINUTE = { short: 8, full: 0.5 };

/** Tables of which the sweep deletes what ended days ago. */
const TABLES = [
  'interaction',
  'authorization_code',
  'access_token',
  'refresh_token',
  'authorization_grant',
  'session',
  'verification_code',
  'ticket',
  'spent_ticket',
] as const;

/** Makes the older half of the rows as old as if days had passed; whoever is under way has the newer ones. */
const age = async ({ db }: Cluster): Promise<number> => {
  let aged = 0;
  for (const table of TABLES) {
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set expires_at = now() - interval '3 days' where ctid = any(array(
        select ctid from ${sql.table(table)} where expires_at > now() order by expires_at
        limit (select count(*) / 2 from ${sql.table(table)} where expires_at > now())))`.execute(db);
    aged += Number(numAffectedRows ?? 0);
  }
  return aged;
};

const countOverdue = async ({ db }: Cluster): Promise<number> => {
  let overdue = 0;
  for (const table of TABLES) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.table(table)} where expires_at < now() - interval '2 days'`.execute(
      db,
    );
    overdue += rows[0]?.count ?? 0;
  }
  return overdue;
};

/** Mebibytes a minute, by least squares. */
const slopeOf = (samples: readonly { minute: number; mib: number }[]): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minute = mean(samples.map((sample) => sample.minute));
  const mib = mean(samples.map((sample) => sample.mib));
  const above = samples.reduce((sum, one) => sum + (one.minute - minute) * (one.mib - mib), 0);
  return above / samples.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0);
};

export const drill: Drill = {
  name: 'soak',
  row: 'DR14',
  breaks: 'people register, sign in, link and refresh without pause, and what they leave ends early',
  passes: 'memory does not grow, what has ended is deleted, tables stay small, nothing is logged as an error',
  limitSeconds: 300,
  fullLimitSeconds: 8_000,
  run: async (place) => {
    const seconds = place.isFull ? 7_200 : 120;
    const cluster = await startPlace(place, { processes: 1, env: littleRoom });
    const [server] = cluster.processes;
    const flows = await startFlows(cluster, { atOnce: PEOPLE });
    const samples: { minute: number; mib: number }[] = [];
    const start = performance.now();
    let aged = 0;
    let nextAgeing = AGEING_MS;
    for (;;) {
      const passed = performance.now() - start;
      if (passed > seconds * 1000) break;
      // The first half warms up: compiled code and caches grow once.
      if (passed > seconds * 500)
        samples.push({ minute: passed / 60_000, mib: residentMib(server?.pid ?? 0) });
      if (passed > nextAgeing) {
        aged += await age(cluster);
        nextAgeing += AGEING_MS;
      }
      await wait(500);
    }
    await flows.stop();
    aged += await age(cluster);
    place.say(`${aged} rows aged`);
    const ended = performance.now();
    while ((await countOverdue(cluster)) > 0 && performance.now() - ended < 2 * SWEPT_SECONDS * 1000)
      await wait(500);
    const swept = (performance.now() - ended) / 1000;
    const { rows } = await sql<{ bytes: number }>`
      select sum(pg_total_relation_size(oid))::integer as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
      cluster.db,
    );
    const faults = cluster.faults();
    const slope = slopeOf(samples);
    return {
      passed:
        slope < MOST_MIB_A_MINUTE[place.isFull ? 'full' : 'short'] &&
        swept < SWEPT_SECONDS &&
        faults.length === 0,
      figures:
        `${seconds} s, ${flows.tally}; memory ${samples.at(-1)?.mib.toFixed(0)} MiB, ${slope.toFixed(1)} MiB a minute; ${aged} rows ended and were deleted, ` +
        `the last ones ${swept.toFixed(0)} s later; tables take ${((rows[0]?.bytes ?? 0) / 1_048_576).toFixed(0)} MiB; ${faults.length} errors logged${faults[0] ? `: ${faults[0].slice(0, 200)}` : ''}`,
    };
  },
};
