import type { Migration } from 'kysely/migration';
import * as accounts from './0001-accounts.ts';
import * as protocol from './0002-protocol.ts';

/** Every migration by name, in the order of the names; a released one is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-protocol': protocol,
};
