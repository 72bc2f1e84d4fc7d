import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Connection, connect, connectInMemory } from './connect.ts';
import { migrate } from './migrate.ts';

export interface TestDatabase {
  name: 'pglite' | 'postgres';
  /** A migrated database of its own; `close` also removes it. */
  open(): Promise<Connection>;
}

const migrationsDir = new URL('../../../../migrations/', import.meta.url);
const pgliteManifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));

/** One dump for each version of the migrations and of PGlite. */
const dumpName = async (): Promise<string> => {
  const hash = createHash('sha256').update(await readFile(pgliteManifest));
  const files = (await readdir(migrationsDir)).filter((name) => name.endsWith('.ts')).toSorted();
  for (const file of files) hash.update(await readFile(new URL(file, migrationsDir)));
  return `candela-test-${hash.digest('hex').slice(0, 20)}.tar`;
};

/** Makes the dump at `path` and removes those of other versions: each is 40 MB. */
const makeDump = async (directory: string, name: string): Promise<Blob> => {
  const connection = await connectInMemory();
  await migrate(connection.db);
  const dump = await connection.dump();
  await connection.close();
  const draft = join(directory, `${randomBytes(6).toString('hex')}.draft`);
  await writeFile(draft, Buffer.from(await dump.arrayBuffer()), { mode: 0o600 });
  await rename(draft, join(directory, name));
  const others = (await readdir(directory)).filter((other) => other.endsWith('.tar') && other !== name);
  for (const other of others) await rm(join(directory, other), { force: true });
  return dump;
};

const loadDump = async (): Promise<Blob> => {
  const directory = join(tmpdir(), `candela-${process.getuid?.() ?? 'tests'}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const name = await dumpName();
  const cached = await readFile(join(directory, name)).catch(() => undefined);
  return cached ? new Blob([cached]) : makeDump(directory, name);
};

let dump: Promise<Blob> | undefined;

/** A migrated database in memory: loaded from a dump that is made once for all test files. */
export const openPglite = async (): Promise<Connection> => {
  dump ??= loadDump();
  return connectInMemory(await dump);
};

const administer = async (url: string, statement: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** An empty database of its own on the server of `url`; `drop` removes it. */
export const createPostgresDatabase = async (
  url: string,
): Promise<{ databaseUrl: string; drop(): Promise<void> }> => {
  const name = `candela_test_${randomBytes(8).toString('hex')}`;
  await administer(url, `create database ${name}`);
  const target = new URL(url);
  target.pathname = `/${name}`;
  return {
    databaseUrl: target.href,
    drop: () => administer(url, `drop database if exists ${name} with (force)`),
  };
};

const openPostgres = async (url: string): Promise<Connection> => {
  const { databaseUrl, drop } = await createPostgresDatabase(url);
  const connection = await connect({ databaseUrl, dataDir: '', poolSize: 10 });
  await migrate(connection.db);
  return {
    ...connection,
    close: async () => {
      await connection.close();
      await drop();
    },
  };
};

/** Where the server of the tests is; the one thing besides `config.ts` that asks the environment. */
// biome-ignore lint/style/noProcessEnv: TEST_DATABASE_URL belongs to the tests, not to the configuration.
export const testDatabaseUrl: string | undefined = process.env.TEST_DATABASE_URL;

/** The engines to test on: PGlite in memory always, PostgreSQL when TEST_DATABASE_URL is set. */
export const openTestDatabases = (): TestDatabase[] => [
  { name: 'pglite', open: openPglite },
  ...(testDatabaseUrl ? [{ name: 'postgres' as const, open: () => openPostgres(testDatabaseUrl) }] : []),
];
