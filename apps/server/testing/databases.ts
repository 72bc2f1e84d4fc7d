import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Connection, connect, connectInMemory } from '../src/ground/db/connect.ts';
import { migrate } from '../src/ground/db/migrate.ts';
import { keepDatabases } from './kept-database.ts';

export interface TestDatabase {
  name: 'pglite' | 'postgres';
  /** A migrated database of its own; `close` also drops it. */
  open(): Promise<Connection>;
}

/** The URL of the PostgreSQL server of the tests. Besides this file only `own-environment.ts` reads the environment. */
// biome-ignore lint/style/noProcessEnv: TEST_DATABASE_URL belongs to the tests, not to the configuration.
export const testDatabaseUrl: string | undefined = process.env.TEST_DATABASE_URL;

/** Whose databases are dropped when the run of the tests ends. */
// biome-ignore lint/style/noProcessEnv: set by the run of the tests.
const run: string = process.env.TEST_RUN ?? 'alone';

const migrationsDir = new URL('../../../migrations/', import.meta.url);

/** A key that changes with the migrations and with PGlite. */
const schemaVersion = async (): Promise<string> => {
  const pgliteManifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const hash = createHash('sha256').update(await readFile(pgliteManifest));
  const files = (await readdir(migrationsDir)).filter((name) => name.endsWith('.ts')).toSorted();
  for (const file of files) hash.update(await readFile(new URL(file, migrationsDir)));
  return hash.digest('hex').slice(0, 20);
};

/** Writes the dump to `path` and removes dumps of other versions, of 40 MB each. */
const makeDump = async (directory: string, name: string): Promise<void> => {
  const connection = await connectInMemory();
  await migrate(connection.db);
  const dump = await connection.dump();
  await connection.close();
  const draft = join(directory, `${randomBytes(6).toString('hex')}.draft`);
  await writeFile(draft, Buffer.from(await dump.arrayBuffer()), { mode: 0o600 });
  await rename(draft, join(directory, name));
  const others = (await readdir(directory)).filter((other) => other.endsWith('.tar') && other !== name);
  for (const other of others) await rm(join(directory, other), { force: true });
};

/** The file of the dump, which all test files share; the first caller makes it. */
const findDump = async (): Promise<string> => {
  const directory = join(tmpdir(), `candela-${process.getuid?.() ?? 'tests'}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const name = `candela-test-${await schemaVersion()}.tar`;
  await access(join(directory, name)).catch(() => makeDump(directory, name));
  return join(directory, name);
};

const loadDump = async (): Promise<Blob> => new Blob([await readFile(await findDump())]);

/** Puts a migrated embedded database into `dataDir`: a first start would take longer to make it than all else. */
export const placePglite = async (dataDir: string): Promise<void> => {
  await mkdir(join(dataDir, 'db'), { recursive: true, mode: 0o700 });
  await promisify(execFile)('tar', ['-xf', await findDump(), '-C', join(dataDir, 'db')]);
};

let dump: Promise<Blob> | undefined;

/** A migrated database in memory, loaded from a dump that all test files share, or empty again after its last user. */
export const openPglite: () => Promise<Connection> = keepDatabases(async () => {
  dump ??= loadDump();
  return connectInMemory(await dump);
});

const administer = async (url: string, work: (client: pg.Client) => Promise<unknown>) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

const databaseOf = (url: string, name: string): string => {
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
};

/** To copy the files of a template takes a third of the time of writing them to the log; PostgreSQL 15 has the choice. */
const copying = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query(`select current_setting('server_version_num')::int >= 150000 as can`);
  return rows[0].can ? ' strategy file_copy' : '';
};

/** An empty database on the server of `url`; `drop` removes it. */
export const createPostgresDatabase = async (
  url: string,
  template?: string,
): Promise<{ databaseUrl: string; drop(): Promise<void> }> => {
  const name = `candela_test_${run}_${randomBytes(8).toString('hex')}`;
  await administer(url, async (client) =>
    client.query(`create database ${name}${template ? ` template ${template}${await copying(client)}` : ''}`),
  );
  return {
    databaseUrl: databaseOf(url, name),
    drop: () => administer(url, (client) => client.query(`drop database if exists ${name} with (force)`)),
  };
};

/** Drops what processes of a run kept, once they have ended. */
export const dropDatabasesOf = async (ended: string): Promise<void> => {
  if (!testDatabaseUrl) return;
  await administer(testDatabaseUrl, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
      `candela_test_${ended}_`,
    ]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  });
};

/** The migrated template that other databases are copied from; the first caller makes it. */
const makeTemplate = async (url: string): Promise<string> => {
  const name = `candela_template_${await schemaVersion()}`;
  await administer(url, async (client) => {
    await client.query(`select pg_advisory_lock(hashtextextended('candela template', 0))`);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return;
    // One that a caller before left behind, who was stopped.
    await client.query(`drop database if exists ${name}_draft with (force)`);
    await client.query(`create database ${name}_draft`);
    const connection = await connect({
      databaseUrl: databaseOf(url, `${name}_draft`),
      dataDir: '',
      poolSize: 1,
    });
    await migrate(connection.db);
    await connection.close();
    await client.query(`alter database ${name}_draft rename to ${name}`);
  });
  return name;
};

/** By the URL of the server: one process may use several, one after the other. */
const templates = new Map<string, Promise<string>>();

/** A migrated database on the server of `url`; `drop` removes it. */
export const createMigratedDatabase = async (
  url: string,
): Promise<{ databaseUrl: string; drop(): Promise<void> }> => {
  const template = templates.get(url) ?? makeTemplate(url);
  templates.set(url, template);
  return createPostgresDatabase(url, await template);
};

/** Each has open connections. */
const MOST_KEPT = 2;

const openPostgres = keepDatabases(async () => {
  const { databaseUrl, drop } = await createMigratedDatabase(testDatabaseUrl ?? '');
  const connection = await connect({ databaseUrl, dataDir: '', poolSize: 10 });
  return {
    ...connection,
    close: async () => {
      await connection.close();
      await drop();
    },
  };
}, MOST_KEPT);

/** The engines to test on: always PGlite in memory, and PostgreSQL when TEST_DATABASE_URL is set. */
export const openTestDatabases = (): TestDatabase[] => [
  { name: 'pglite', open: openPglite },
  ...(testDatabaseUrl ? [{ name: 'postgres' as const, open: openPostgres }] : []),
];

/** A migrated database for a whole server: PostgreSQL when TEST_DATABASE_URL is set, else PGlite. */
export const openTestDatabase = (): Promise<Connection> => (testDatabaseUrl ? openPostgres() : openPglite());
