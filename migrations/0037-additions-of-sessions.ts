import { type Kysely, sql } from 'kysely';

/** In which session something was added, and who was told of a sign-in, so that “this wasn’t me” takes it back. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table addition add column session_uid text`.execute(db);
  await sql`alter table identifier_change add column session_uid text`.execute(db);
  await sql`alter table sign_in_notice add column sent_to text`.execute(db);
};
