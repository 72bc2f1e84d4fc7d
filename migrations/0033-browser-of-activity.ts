import { type Kysely, sql } from 'kysely';

/** In which browser something happened, so that a person who says that it was somebody else ends its trust. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table activity add column device_hash text`.execute(db);
};
