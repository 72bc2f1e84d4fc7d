import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * How many connections the server takes for this database and this role, those set apart for its administrators aside;
 * undefined where it does not say.
 */
export const readConnectionLimit = async (db: Kysely<Database>): Promise<number | undefined> => {
  const { rows } = await sql<{ most: number }>`
    select least(
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      nullif(rolconnlimit, -1),
      nullif(datconnlimit, -1)
    ) as most
    from pg_roles, pg_database
    where rolname = current_user and datname = current_database()`.execute(db);
  return rows[0]?.most;
};
