import { type Kysely, sql } from 'kysely';

/**
 * Rows that each use of a link updates find room for their next version on their page, so that no index is written.
 * Pages of before are left as they are: they get room as versions on them go.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const table of ['authorization_grant', 'refresh_token'])
    await sql`alter table ${sql.table(table)} set (fillfactor = 90)`.execute(db);
};
