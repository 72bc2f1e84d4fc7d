import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { BackupTable } from './backup-file.ts';
import type { IsOwn } from './own-tables.ts';

/** What a backup leaves out: the header names the migrations, and who serves is of no use elsewhere. */
const LEFT_OUT = ['kysely_migration', 'kysely_migration_lock', 'serving_process'];

/** All tables of the schema but partitions, which are reached by their table. */
export const listTableNames = async (db: Kysely<Database>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
};

/** The columns of each table, in their order. */
const listColumns = async (db: Kysely<Database>): Promise<Map<string, string[]>> => {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select relname::text as table, array_agg(attname::text order by attnum) as columns
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped
    group by relname`.execute(db);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
};

/** Each table with the other tables that it refers to. */
const listReferences = async (db: Kysely<Database>): Promise<{ table: string; refers: string }[]> => {
  const { rows } = await sql<{ table: string; refers: string }>`
    select conrelid::regclass::text as table, confrelid::regclass::text as refers from pg_constraint
    where contype = 'f' and conrelid <> confrelid
      and connamespace = current_schema()::regnamespace`.execute(db);
  return rows;
};

/** What others made in the schema, and a backup leaves out: in words, such as `table invoices`. */
export const listForeignParts = async (db: Kysely<Database>, isOwn: IsOwn): Promise<string[]> => {
  const present = [...(await listColumns(db))].filter(([table]) => !LEFT_OUT.includes(table));
  return present.flatMap(([table, columns]) =>
    isOwn(table)
      ? columns.filter((column) => !isOwn(table, column)).map((column) => `column ${column} of ${table}`)
      : [`table ${table}`],
  );
};

/** Those of the tables that `isOwn`, with their columns, each behind those that it refers to. */
export const listBackupTables = async (db: Kysely<Database>, isOwn: IsOwn): Promise<BackupTable[]> => {
  const columns = await listColumns(db);
  const references = await listReferences(db);
  let left = (await listTableNames(db)).filter((name) => !LEFT_OUT.includes(name) && isOwn(name));
  const ordered: string[] = [];
  while (left.length > 0) {
    const free = left.filter(
      (name) => !references.some(({ table, refers }) => table === name && left.includes(refers)),
    );
    if (free.length === 0) throw new Error(`tables refer to each other in a circle: ${left.join(', ')}`);
    ordered.push(...free);
    left = left.filter((name) => !free.includes(name));
  }
  return ordered.map((name) => ({
    name,
    columns: (columns.get(name) ?? []).filter((column) => isOwn(name, column)),
  }));
};

/** How texts of times and bytes are written, whatever the settings of the server. */
export const fixTextForms = async (trx: Kysely<Database>): Promise<void> => {
  await sql`select set_config(name, value, true) from (values
    ('timezone', 'UTC'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'iso_8601'), ('bytea_output', 'hex'),
    ('extra_float_digits', '1'), ('statement_timeout', '0'), ('lock_timeout', '30s'),
    ('idle_in_transaction_session_timeout', '0')) as wanted(name, value)`.execute(trx);
};

export const readDatabaseTime = async (db: Kysely<Database>): Promise<string> => {
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(db);
  return rows[0]?.at.toISOString() ?? '';
};

/**
 * Opens a cursor over the rows of a table. With `hold` it sees them as they are when the transaction commits. It keeps
 * rows, which become text when they are fetched: to write text takes the commit ten times as long.
 */
export const declareCursor = async (
  trx: Kysely<Database>,
  { name, columns }: BackupTable,
  { cursor, hold }: { cursor: string; hold: boolean },
): Promise<void> => {
  await sql`declare ${sql.id(cursor)} no scroll cursor ${hold ? sql`with hold` : sql``}
    for select row(${sql.join(columns.map((column) => sql.id(column)))}) as line from ${sql.table(name)}`.execute(
    trx,
  );
};

/** The next rows, each as PostgreSQL writes a row as a text. */
export const fetchLines = async (db: Kysely<Database>, cursor: string, count: number): Promise<string[]> => {
  const { rows } = await sql<{ line: string }>`
    fetch ${sql.lit(count)} from ${sql.id(cursor)}`.execute(db);
  return rows.map(({ line }) => line);
};

export const closeCursor = async (db: Kysely<Database>, cursor: string): Promise<void> => {
  await sql`close ${sql.id(cursor)}`.execute(db);
};

/** Inserts rows as `fetchLines` answers them, each as a string of JSON. The columns are those of the table, in their order. */
export const insertLines = async (
  trx: Kysely<Database>,
  table: string,
  lines: readonly string[],
): Promise<void> => {
  // Without the offset the planner would read each row once for each of its columns.
  await sql`insert into ${sql.table(table)} overriding system value
    select (each).* from (
      select line::${sql.table(table)} as each
      from json_array_elements_text(${`[${lines.join(',')}]`}::json) as line offset 0
    ) as rows`.execute(trx);
};

export const deleteRows = async (trx: Kysely<Database>, table: string): Promise<void> => {
  await sql`delete from ${sql.table(table)}`.execute(trx);
};

/** Switches the triggers that tell other processes of changes; foreign keys are checked all the same. */
export const switchTriggers = async (
  trx: Kysely<Database>,
  table: string,
  state: 'enable' | 'disable',
): Promise<void> => {
  await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(trx);
};

/** Lets the identity columns of these tables go on behind the greatest number that is there. */
export const continueIdentities = async (trx: Kysely<Database>, tables: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ table: string; column: string }>`
    select relname::text as table, attname::text as column
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and attidentity <> '' and not attisdropped
      and relname = any(${tables})`.execute(trx);
  for (const { table, column } of rows)
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      (select coalesce(max(${sql.ref(column)}), 0) + 1 from ${sql.table(table)}), false)`.execute(trx);
};

/**
 * Drops tables, and the functions of their triggers.
 * @throws what the database says where anything else hangs on them (SQLSTATE 2BP01): that is somebody's, and stays
 */
export const dropTables = async (
  trx: Kysely<Database>,
  tables: readonly string[],
  functions: readonly string[],
): Promise<void> => {
  await sql`drop table ${sql.join(tables.map((name) => sql.table(name)))}`.execute(trx);
  for (const name of functions) await sql`drop function if exists ${sql.id(name)}`.execute(trx);
};

export const analyze = async (db: Kysely<Database>): Promise<void> => {
  await sql`analyze`.execute(db);
};
