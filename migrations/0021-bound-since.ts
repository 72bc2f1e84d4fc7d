import type { Kysely } from 'kysely';

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Null where an identifier is as old as its proof, and where an earlier release wrote the row.
  await db.schema.alterTable('account_identifier').addColumn('bound_since', 'timestamptz').execute();
  await db.schema.alterTable('identifier_change').addColumn('given_up_in', 'text').execute();
};
