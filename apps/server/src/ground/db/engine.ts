import { type Kysely, type KyselyPlugin, PostgresAdapter, PostgresDialect, RawNode } from 'kysely';
import type { Database } from './database.ts';

/**
 * What the database is:
 * - `postgresql`: PostgreSQL itself, or the embedded database;
 * - `compatible`: an engine that speaks its protocol and SQL, and has neither LISTEN, advisory locks, triggers, `ctid`
 *   nor `pg_xact_status`. docs/operating/database.md says what is used instead.
 */
export const databaseEngines = ['postgresql', 'compatible'] as const;

export type DatabaseEngine = (typeof databaseEngines)[number];

class CompatibleAdapter extends PostgresAdapter {
  /** `migrate` holds a row instead of the advisory lock. */
  override acquireMigrationLock = async (): Promise<void> => undefined;
  override releaseMigrationLock = async (): Promise<void> => undefined;
}

export class CompatibleDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new CompatibleAdapter();
  }
}

export const isCompatible = (db: Kysely<Database>): boolean =>
  db.getExecutor().adapter instanceof CompatibleAdapter;

const OF_TRIGGERS = /^\s*(create|drop) (function|trigger) /;

/** Leaves the triggers out of the migrations: they only tell of changes. */
export const withoutTriggers: KyselyPlugin = {
  transformQuery: ({ node }) =>
    RawNode.is(node) && OF_TRIGGERS.test(node.sqlFragments[0] ?? '')
      ? RawNode.createWithSql('select 1')
      : node,
  transformResult: async ({ result }) => result,
};
