import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from './db/database.ts';
import { databaseTime, deleteExpired, type ExpiredRows, type SqlTime } from './db/delete-expired.ts';
import { sweepDevices } from './device/sweep.ts';
import { deleteLease, upsertLease } from './lease/lease.repository.ts';
import type { Logger } from './logger.ts';
import { CODE_KEPT_SECONDS } from './oidc/token/code-reuse.repository.ts';
import { emptyInteractions } from './oidc-model/interaction.repository.ts';
import { sweepVerification } from './rate-limit/sweep.ts';

/** The engine knows an interaction for a little longer than it lasts, by clocks that differ. */
const INTERACTION_LATE_SECONDS = 120;
/** An interaction that is over still leads late visitors back to their app for a day. */
const INTERACTION_KEPT_SECONDS = 86_400;
/** So long that a request behind a batch hardly notices. */
const BATCH_MS = 10;
/** Rows of a batch: it begins with few, and doubles for as long as batches are full and quick. */
const FEWEST = 20;
const MOST = 2_560;
/** Of the time, what a sweep beside live requests may be busy. */
const SHARE = 0.1;
const LEASE_SECONDS = 60;

const protocolTables = [
  // What hangs on a grant or a session goes before it, so that it takes nothing along.
  'access_token',
  // A used predecessor is kept until its own end: it is how theft is told from "not found".
  'refresh_token',
  'oidc_model',
  'step_up',
  'authorization_grant',
  'session',
] as const satisfies readonly ExpiredRows['table'][];

type DeleteBatch = (limit: number) => Promise<number>;

const batchesOf = (db: Kysely<Database>, now: SqlTime): DeleteBatch[] => [
  (limit) => sweepVerification(db, now, limit),
  (limit) => deleteExpired(db, { table: 'spent_ticket', now, limit }),
  (limit) => sweepDevices(db, now, limit),
  (limit) => emptyInteractions(db, { now, keptSeconds: INTERACTION_LATE_SECONDS, limit }),
  (limit) => deleteExpired(db, { table: 'interaction', now, keptSeconds: INTERACTION_KEPT_SECONDS, limit }),
  // One presented again is known by its row.
  (limit) => deleteExpired(db, { table: 'authorization_code', now, keptSeconds: CODE_KEPT_SECONDS, limit }),
  ...protocolTables.map(
    (table): DeleteBatch =>
      (limit) =>
        deleteExpired(db, { table, now, limit }),
  ),
];

/** The rows of the next batch of a table: by what is left, and never so many that requests wait for them. */
const nextLimit = (limit: number, gone: number, milliseconds: number): number => {
  if (milliseconds > BATCH_MS) return Math.max(FEWEST, limit / 2);
  return gone === limit && milliseconds < BATCH_MS / 2 ? Math.min(MOST, limit * 2) : limit;
};

export interface SweepPace {
  /** Rests after each batch, so that it is busy for this share of the time; without rest unless told. */
  share?: number;
  /** Asked before each batch; the sweep ends when the answer is no. */
  mayGoOn?: () => Promise<boolean> | boolean;
  /** Ends a rest, and the sweep. */
  signal?: AbortSignal;
}

/** Deletes what has expired, batch after batch, until nothing is left or it is told to end; answers how many rows went. */
export const sweep = async (
  db: Kysely<Database>,
  now: SqlTime = databaseTime,
  { share = 1, mayGoOn = () => true, signal }: SweepPace = {},
): Promise<number> => {
  let total = 0;
  for (const deleteBatch of batchesOf(db, now)) {
    for (let limit = FEWEST; ; ) {
      if (signal?.aborted || !(await mayGoOn())) return total;
      const started = performance.now();
      const gone = await deleteBatch(limit);
      if (gone === 0) break;
      total += gone;
      // What else keeps the database or this process busy makes the rest longer, and the next batch smaller.
      const took = performance.now() - started;
      limit = nextLimit(limit, gone, took);
      const rest = took * (1 / share - 1);
      if (rest > 0) await setTimeout(rest, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
  return total;
};

/** Sweeps as the one process that holds the lease; answers undefined where another one has it. */
const sweepWithLease = async (
  db: Kysely<Database>,
  holder: string,
  pace: SweepPace,
): Promise<number | undefined> => {
  const lease = { name: 'sweep', holder, seconds: LEASE_SECONDS };
  if (!(await upsertLease(db, lease))) return undefined;
  let renewAt = performance.now() + (LEASE_SECONDS * 1000) / 3;
  const mayGoOn = async () => {
    if (performance.now() < renewAt) return true;
    renewAt = performance.now() + (LEASE_SECONDS * 1000) / 3;
    return upsertLease(db, lease);
  };
  try {
    return await sweep(db, databaseTime, { share: SHARE, ...pace, mayGoOn });
  } finally {
    await deleteLease(db, lease);
  }
};

/**
 * Sweeps, a little at a time, `everySeconds` after the last sweep ended, until stopped; of several processes
 * one at a time does.
 */
export const startSweeping = (
  db: Kysely<Database>,
  { everySeconds, logger }: { everySeconds: number; logger: Logger },
): { stop(): Promise<void> } => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const holder = randomUUID();
  const run = async () => {
    while (!signal.aborted) {
      await setTimeout(everySeconds * 1000, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const rows = await sweepWithLease(db, holder, { signal });
        if (rows) logger.debug({ rows }, 'expired rows deleted');
      } catch (err) {
        logger.warn({ err }, 'sweep failed');
      }
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
