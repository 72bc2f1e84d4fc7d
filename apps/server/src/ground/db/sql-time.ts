import { type RawBuilder, sql } from 'kysely';

/**
 * The database's time in a statement. What deletes goes by it and by no process's clock: a process whose clock is
 * ahead would delete rows that live.
 */
export const databaseTime: RawBuilder<Date> = sql<Date>`now()`;

/** The database's time, or a time that a test chooses. */
export type SqlTime = RawBuilder<Date> | Date;

/** The database's time in `seconds` from now; before now where they are negative. */
export const secondsFromNow = (seconds: number): RawBuilder<Date> =>
  sql<Date>`now() + make_interval(secs => ${seconds})`;
