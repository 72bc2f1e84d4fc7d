import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { StartError } from '../start-error.ts';
import type { Connection } from './connect.ts';
import { isOutage } from './outage.ts';

export interface ReachOptions {
  /** The setting that leads to the database. */
  setting: string;
  /** For how long it is tried: a database may start together with its server. */
  patienceSeconds: number;
  /** Told once, when it is not reached at first. */
  onWait?: (line: string) => void;
}

const PAUSE_MS = 500;

/** In a few words; a name with several addresses fails for each of them. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
};

/**
 * Waits until the database answers.
 * @throws StartError in one line that names the setting, when it does not in time or refuses the name, the
 *   database or the password
 */
export const reachDatabase = async (
  { db, kind }: Pick<Connection, 'db' | 'kind'>,
  { setting, patienceSeconds, onWait }: ReachOptions,
): Promise<void> => {
  if (kind === 'pglite') return;
  const end = performance.now() + patienceSeconds * 1000;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await sql`select 1`.execute(db);
      return;
    } catch (error) {
      const told = `${setting}: the database cannot be reached: ${reasonOf(error)}`;
      if (!isOutage(error) || performance.now() >= end) throw new StartError(told, { cause: error });
      if (isFirst) onWait?.(`${told}; trying again for ${patienceSeconds} s`);
      await wait(PAUSE_MS);
    }
  }
};
