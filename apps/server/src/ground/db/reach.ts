import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { StartError } from '../start-error.ts';
import type { Connection } from './connect.ts';
import { redactDatabaseUrl } from './database-url.ts';
import { isOutage } from './outage.ts';

export interface ReachOptions {
  /** The setting that leads to the database. */
  setting: string;
  /** The value of that setting; messages show no secret of it. */
  url: string | undefined;
  /** For how long to try: a database may start together with its server. */
  patienceSeconds: number;
  /** Is called once, when the first try fails. */
  onWait?: (line: string) => void;
}

const PAUSE_MS = 500;

/** Says in a few words why a try failed. A name with several addresses fails for each of them. */
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
  { setting, url, patienceSeconds, onWait }: ReachOptions,
): Promise<void> => {
  if (kind === 'pglite') return;
  const name = url === undefined ? setting : `${setting} ${redactDatabaseUrl(url)}`;
  const end = performance.now() + patienceSeconds * 1000;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await sql`select 1`.execute(db);
      return;
    } catch (error) {
      const told = `${name}: the database cannot be reached: ${reasonOf(error)}`;
      if (!isOutage(error) || performance.now() >= end) throw new StartError(told, { cause: error });
      if (isFirst) onWait?.(`${told}; trying again for ${patienceSeconds} s`);
      await wait(PAUSE_MS);
    }
  }
};
