import type { Kysely } from 'kysely';

/** What a code proved no longer takes the place of what the provider told. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Null until a code proves an address that leads to an account.
  await db.schema.alterTable('provider_arrival').addColumn('email_by_code', 'text').execute();
};
