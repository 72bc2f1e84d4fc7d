import { setTimeout as wait } from 'node:timers/promises';
import { migrations } from '@candela/migrations';
import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration';
import { StartError } from '../start-error.ts';
import { isConflict } from './conflict.ts';
import type { Database } from './database.ts';
import { isCompatible, withoutTriggers } from './engine.ts';
import { runInLane } from './lane.ts';
import { createRows, lockRow } from './name-lock.ts';
import { inTransaction } from './transact.ts';

/** Whether the schema has a table yet. */
export const hasTable = async (
  db: Kysely<Database>,
  name: keyof Database | 'kysely_migration',
): Promise<boolean> => {
  const { rows } = await sql<{ present: boolean }>`
    select to_regclass(${name}) is not null as present`.execute(db);
  return rows[0]?.present === true;
};

/** Names of the migrations that the schema has, in their order. */
export const listAppliedMigrations = async (db: Kysely<Database>): Promise<string[]> => {
  if (!(await hasTable(db, 'kysely_migration'))) return [];
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return applied.rows.map((row) => row.name);
};

/** When each migration was applied, to the millisecond, by its name; empty where there is no schema. */
export const listMigrationTimes = async (db: Kysely<Database>): Promise<Record<string, string>> => {
  if (!(await hasTable(db, 'kysely_migration'))) return {};
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration order by name`.execute(db);
  return Object.fromEntries(rows.map(({ name, timestamp }) => [name, timestamp]));
};

/** Released migrations only add, so the schema of a newer release also serves this one (a rollback). */
const ofNewerReleases = (applied: string[]): Record<string, Migration> => {
  const last = Object.keys(migrations).toSorted().at(-1) ?? '';
  const newer = applied.filter((name) => name > last);
  return Object.fromEntries(newer.map((name) => [name, { up: async () => undefined }]));
};

/** Without its triggers no process would hear of changes, although each hears itself. */
const requireTriggers = async (db: Kysely<Database>): Promise<void> => {
  const { rows } = await sql<{ present: boolean }>`
    select to_regproc('tell_change') is not null as present`.execute(db);
  if (rows[0]?.present) return;
  throw new StartError(
    'DATABASE_ENGINE must be compatible: the schema was made so, and tells of no changes. Restore a copy of the data into a schema that was made with postgresql',
  );
};

/**
 * A lock of a row makes what is read after it current under `read committed`, and an old read fail under
 * `serializable`. Under `repeatable read` neither holds: a sign-in would miss a password that was changed beside it.
 */
const requireIsolation = async (db: Kysely<Database>): Promise<void> => {
  const { rows } = await sql<{ isolation: string }>`
    select current_setting('default_transaction_isolation') as isolation`.execute(db);
  if (rows[0]?.isolation !== 'repeatable read') return;
  throw new StartError(
    'DATABASE_URL: default_transaction_isolation must be read committed or serializable, not repeatable read',
  );
};

/**
 * Brings the schema up to date, under a lock: any number of processes may start at once. Processes of another release
 * may serve meanwhile: each migration is a transaction of its own, and gives up its locks where they keep others waiting.
 * An empty database, and one of a compatible engine, get all of them in one transaction.
 *
 * @throws StartError that names the migration which failed; those before it may be applied then. StartError too for a
 *   schema that was made for another engine, and for an isolation that does not do.
 */
export const migrate = (db: Kysely<Database>): Promise<{ applied: string[] }> =>
  runInLane('patient', () => db.connection().execute(migrateOn));

/** A migration is a transaction: where the database cuts it off, or refuses it, nothing of it remains. */
const failureOf = (cause: unknown, { results }: MigrationResultSet): StartError => {
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName;
  const what = failed ? `the migration ${failed} failed` : 'the migrations did not begin';
  return new StartError(
    `${what}: ${(cause as Error).message}. Nothing of it was written, and the release before can go on. Start again once the cause is mended`,
    { cause },
  );
};

const namesOf = (result: MigrationResultSet): string[] => {
  const { error, results } = result;
  // Tried again, by whoever asked for it.
  if (isConflict(error)) throw error;
  if (error) throw failureOf(error, result);
  return (results ?? []).map(({ migrationName }) => migrationName);
};

const createMigrator = (db: Kysely<Database>, applied: string[]): Migrator => {
  const known = { ...ofNewerReleases(applied), ...migrations };
  return new Migrator({ db, provider: { getMigrations: async () => known } });
};

const migrateToLatest = async (connection: Kysely<Database>): Promise<string[]> =>
  namesOf(await createMigrator(connection, await listAppliedMigrations(connection)).migrateToLatest());

/**
 * How long a migration waits for a table. Shorter than PostgreSQL's `deadlock_timeout` of a second, after which it would
 * refuse somebody's request.
 */
const TABLE_WAIT = '300ms';
const PAUSE_MS = 200;

const setTimeouts = (connection: Kysely<Database>, lock: string) =>
  // A busy machine may pause this process in the middle of a migration.
  sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', ${lock}, false),
    set_config('idle_in_transaction_session_timeout', '0', false)`.execute(connection);

/** Whether a migration found a table in use (SQLSTATE 55P03 and 40P01). Nothing of it is applied then. */
const isInTheWay = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(String((error as { code?: unknown } | undefined)?.code));

/** Applies one migration after the other, each as soon as its tables are free. */
const migrateInSteps = async (connection: Kysely<Database>, before: string[]): Promise<string[]> => {
  const migrator = createMigrator(connection, before);
  const applied: string[] = [];
  await setTimeouts(connection, TABLE_WAIT);
  for (;;) {
    const step = await migrator.migrateUp();
    if (isInTheWay(step.error)) {
      await wait(PAUSE_MS);
      continue;
    }
    const names = namesOf(step);
    if (names.length === 0) return applied;
    applied.push(...names);
  }
};

/** Makes the schema that the engine can have. */
const ofEngine = (trx: Kysely<Database>): Kysely<Database> =>
  isCompatible(trx) ? trx.withPlugin(withoutTriggers) : trx;

/** As `migrateToLatest`, under the lock of a row instead of an advisory one. */
const migrateByRow = async (connection: Kysely<Database>): Promise<string[]> => {
  // Two processes that make the table at once are in each other's way; the loser finds it made.
  await createRows(connection).catch(() => createRows(connection));
  return inTransaction(connection, async (trx) => {
    await lockRow(trx, 'migration');
    return migrateToLatest(ofEngine(trx));
  });
};

const migrateOn = async (connection: Kysely<Database>): Promise<{ applied: string[] }> => {
  // Waiting for another process's migration may take longer than any statement of a request.
  await setTimeouts(connection, '0');
  try {
    await requireIsolation(connection);
    if (isCompatible(connection)) return { applied: await migrateByRow(connection) };
    const before = await listAppliedMigrations(connection);
    const applied =
      before.length === 0 ? await migrateToLatest(connection) : await migrateInSteps(connection, before);
    await requireTriggers(connection);
    return { applied };
  } finally {
    await sql`reset statement_timeout`.execute(connection);
    await sql`reset lock_timeout`.execute(connection);
    await sql`reset idle_in_transaction_session_timeout`.execute(connection);
  }
};

/**
 * Migrates in the transaction of the caller, up to a migration or to the latest; answers the names of those applied.
 * @throws what the failing migration threw.
 */
export const migrateInside = async (trx: Kysely<Database>, last?: string): Promise<string[]> => {
  const migrator = new Migrator({ db: ofEngine(trx), provider: { getMigrations: async () => migrations } });
  return namesOf(await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last)));
};

/** Why the schema of these migrations cannot be made by this release; undefined where it can. */
export const findMigrationFault = (applied: readonly string[]): string | undefined => {
  const known = Object.keys(migrations).toSorted();
  const newer = applied.filter((name) => !known.includes(name));
  if (newer.length > 0)
    return `this release does not know its migrations ${newer.join(', ')}: take that release, or a newer one`;
  const isWhole = applied.length > 0 && applied.every((name, index) => name === known[index]);
  return isWhole ? undefined : 'its migrations are not those of any release';
};

/** Names of the migrations that this release has and the database lacks; empty when it is ready to serve. */
export const listPendingMigrations = async (db: Kysely<Database>): Promise<string[]> => {
  const applied = new Set(await listAppliedMigrations(db));
  return Object.keys(migrations).filter((name) => !applied.has(name));
};
