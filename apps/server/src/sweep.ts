import type { Kysely } from 'kysely';
import type { Database } from './db/database.ts';
import { deleteExpired, type ExpiredRows } from './db/delete-expired.ts';
import { sweepDevices } from './device/sweep.ts';
import type { Logger } from './logger.ts';
import { sweepVerification } from './verification/sweep.ts';

/** An interaction that is over still leads late visitors back to their app for a day. */
const INTERACTION_KEPT_MS = 86_400_000;
const BATCH = 500;
const ROUNDS = 200;

const protocolTables = [
  'authorization_code',
  'access_token',
  // A used predecessor is kept until its own end: it is how theft is told from "not found".
  'refresh_token',
  'oidc_model',
  'authorization_grant',
  'session',
] as const satisfies readonly ExpiredRows['table'][];

/** One round of small batches over every table whose rows expire; answers how many rows went. */
const sweepOnce = async (db: Kysely<Database>, now: Date): Promise<number> => {
  let gone = await sweepVerification(db, now, BATCH);
  gone += await sweepDevices(db, now, BATCH);
  const late = new Date(now.getTime() - INTERACTION_KEPT_MS);
  gone += await deleteExpired(db, { table: 'interaction', before: late, limit: BATCH });
  for (const table of protocolTables) gone += await deleteExpired(db, { table, before: now, limit: BATCH });
  return gone;
};

/** Deletes what has expired, in batches, until nothing is left or enough was done for one run. */
export const sweep = async (db: Kysely<Database>, now: Date): Promise<number> => {
  let total = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const gone = await sweepOnce(db, now);
    total += gone;
    if (gone === 0) break;
  }
  return total;
};

/** Sweeps every `everySeconds` until stopped; several processes share the work. */
export const startSweeping = (
  db: Kysely<Database>,
  { everySeconds, logger }: { everySeconds: number; logger: Logger },
): { stop(): Promise<void> } => {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => sweep(db, new Date()))
      .then(
        (rows) => rows > 0 && logger.debug({ rows }, 'expired rows deleted'),
        (err: unknown) => logger.warn({ err }, 'sweep failed'),
      );
  }, everySeconds * 1000);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
