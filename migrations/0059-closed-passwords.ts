import type { Kysely } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Null where no password of the account was ever closed.
  await db.schema.alterTable('account').addColumn('password_closed_at', 'timestamptz').execute();
};
