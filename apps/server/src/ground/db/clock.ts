import { type Kysely, sql } from 'kysely';
import type { Logger } from '../logger.ts';
import { every, type Loop } from '../loop/every.ts';
import type { Database } from './database.ts';

/** How often the database is asked for the time. */
const MEASURE_SECONDS = 1;
/** Differences up to this are ignored, so that the times of one process stay in order; most machines are far below. */
const TOLERATED_MS = 250;
/** A process whose clock is further off than this is not ready. */
const LIMIT_MS = 30_000;

/** A moment by two clocks: the database's, and the monotonic one of this process, which nobody sets. */
let anchor: { databaseMs: number; monotonicMs: number } | undefined;
/** Whole seconds, so that a time that is stored and read again is the same. */
let shownAheadSeconds = 0;

const databaseMs = (): number =>
  anchor ? anchor.databaseMs + performance.now() - anchor.monotonicMs : Date.now();

/**
 * The time of the database, which all processes share, for times that TypeScript computes and rows hold. It is the
 * process's own time where no database is measured: before `startClock`, and beside the embedded database.
 */
export const databaseNow = (): Date => new Date(databaseMs());

/**
 * By how many seconds `Date.now()`, which the engine reads, is ahead of the database. It changes only when
 * it is off by most of a second, and is 0 where clocks are kept.
 */
export const aheadSeconds = (): number => {
  const ahead = (Date.now() - databaseMs()) / 1000;
  if (Math.abs(ahead - shownAheadSeconds) > 0.75) shownAheadSeconds = Math.round(ahead);
  return shownAheadSeconds;
};

/** The seconds until a time that was computed by the clock of this process; 0 for a time that is over. */
export const secondsUntil = (ownMs: number): number => Math.max(0, Math.round((ownMs - Date.now()) / 1000));

/** Translates a time in seconds that the engine computed into the database's clock. */
export const toDatabaseSeconds = (engineSeconds: number): number => engineSeconds - aheadSeconds();

/** Whether this process's clock is near enough to the database's to serve. */
export const isClockRight = (): boolean => Math.abs(Date.now() - databaseMs()) <= LIMIT_MS;

/** Asks the database for its time. */
export const readDatabaseTime = async (db: Kysely<Database>): Promise<Date> => {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database told no time');
  return row.at;
};

/** Asks the database for the time once, and follows its clock from then on. */
export const measureClock = async (db: Kysely<Database>): Promise<void> => {
  const sentAt = performance.now();
  const at = await readDatabaseTime(db);
  const halfMs = (performance.now() - sentAt) / 2;
  anchor ??= { databaseMs: Date.now(), monotonicMs: performance.now() };
  const measuredMs = at.getTime() + halfMs;
  // The answer may be off by half of the time that it took.
  if (Math.abs(measuredMs - databaseMs()) <= TOLERATED_MS + halfMs) return;
  anchor = { databaseMs: measuredMs, monotonicMs: performance.now() };
};

/** Measures the clock now and every second until stopped. During an outage the last measure holds. */
export const startClock = async (
  db: Kysely<Database>,
  logger: Pick<Logger, 'error' | 'warn'>,
): Promise<Loop> => {
  let wasRight = true;
  const measure = async () => {
    await measureClock(db);
    const right = isClockRight();
    if (right === wasRight) return;
    wasRight = right;
    const seconds = aheadSeconds();
    if (right) logger.warn({ aheadSeconds: seconds }, 'the clock of this process is right again');
    else
      logger.error(
        { aheadSeconds: seconds },
        'not ready: the clock of this process and that of the database differ by more than 30 s',
      );
  };
  await measure();
  return every(MEASURE_SECONDS, measure, { onFailure: () => undefined });
};
