import { sql } from 'kysely';
import type { Connection } from '../src/ground/db/connect.ts';

/** What stays the same while tests only read and write: the schema, and the rows that migrations wrote. */
const readForm = async ({ db }: Connection, seeded: readonly string[]): Promise<string> => {
  const { rows: schema } = await sql<{ form: string }>`
    select md5(string_agg(part, ',' order by part)) as form from (
      select concat_ws(' ', oid, relname) as part from pg_class where relnamespace = 'public'::regnamespace
      union all select concat_ws(' ', attrelid, attname, atttypid, attnotnull, atthasdef)
        from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace
      union all select concat_ws(' ', oid, conname) from pg_constraint
      union all select concat_ws(' ', oid, tgname, tgenabled) from pg_trigger
      union all select concat_ws(' ', oid, proname) from pg_proc where pronamespace = 'public'::regnamespace
      union all select concat_ws(' ', oid, nspname) from pg_namespace
      union all select concat_ws(' ', setdatabase, setrole, setconfig)
        from pg_db_role_setting join pg_database on pg_database.oid = setdatabase where datname = current_database()
    ) as parts`.execute(db);
  const seeds = seeded.map(
    (table) => sql`select ${table} || cast(${sql.table(table)} as text) as row from ${sql.table(table)}`,
  );
  const { rows } = await sql<{ row: string }>`${sql.join(seeds, sql` union all `)}`.execute(db);
  return [schema[0]?.form, ...rows.map(({ row }) => row).toSorted()].join('\n');
};

const listFilled = async ({ db }: Connection): Promise<string[]> => {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  const filled = tables.map(
    ({ name }) => sql`select ${name} as name where exists (select from ${sql.table(name)})`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(filled, sql` union all `)}`.execute(db);
  return rows.map(({ name }) => name);
};

const clear = async (connection: Connection, seeded: readonly string[]) => {
  const { db } = connection;
  // The connections of a pool keep what they prepared.
  if (connection.kind === 'pglite') await sql`discard all`.execute(db);
  const written = (await listFilled(connection)).filter((table) => !seeded.includes(table));
  if (written.length > 0) {
    // One statement, at whose end the foreign keys are checked. TRUNCATE makes new files of each table and index.
    const deleted = written.map(
      (table, at) => sql`${sql.ref(`gone_${at}`)} as (delete from ${sql.table(table)})`,
    );
    await sql`with ${sql.join(deleted)} select 1`.execute(db);
  }
  const { rows: used } = await sql<{ name: string }>`
    select sequencename as name from pg_sequences where last_value is not null`.execute(db);
  for (const { name } of used) await sql`alter sequence ${sql.table(name)} restart`.execute(db);
};

/**
 * Opens migrated databases and keeps those that are closed, empty again, for who opens next: to load one takes longer
 * than many a test. One whose schema has changed, whose first rows have, or that answers no more ends.
 * @param load makes a database of its own
 * @param most how many are kept
 */
export const keepDatabases = (
  load: () => Promise<Connection>,
  most = Number.POSITIVE_INFINITY,
): (() => Promise<Connection>) => {
  const idle: Connection[] = [];
  const lend = (connection: Connection, seeded: readonly string[], form: string): Connection => {
    const giveBack = async () => {
      const isAsBefore =
        idle.length < most &&
        (await clear(connection, seeded).then(
          async () => (await readForm(connection, seeded)) === form,
          () => false,
        ));
      if (isAsBefore) idle.push(lend(connection, seeded, form));
      else await connection.close();
    };
    let given: Promise<void> | undefined;
    return {
      ...connection,
      close: () => {
        given ??= giveBack();
        return given;
      },
    };
  };
  return async () => {
    const kept = idle.pop();
    if (kept) return kept;
    const connection = await load();
    const seeded = await listFilled(connection);
    return lend(connection, seeded, await readForm(connection, seeded));
  };
};
