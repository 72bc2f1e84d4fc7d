import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { type Listen, listenOnPglite, listenOnPostgres } from './listen.ts';
import { acquirePgliteLock } from './pglite-lock.ts';

export interface ConnectOptions {
  /** postgres://...; without it the embedded database in `dataDir`/db. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** Past a pooler, for LISTEN; `databaseUrl` where it is left out. */
  directUrl?: string | undefined;
  poolSize?: number | undefined;
  /** False behind a pooler in transaction mode, where the next statement may reach another connection. */
  prepared?: boolean | undefined;
  /** Hears of connections lost while nothing ran on them; the pool replaces them by itself. */
  onConnectionError?: ((error: Error) => void) | undefined;
}

export interface Connection {
  db: Kysely<Database>;
  kind: 'postgres' | 'pglite';
  listen: Listen;
  close(): Promise<void>;
}

const INT8 = 20;

/** Shapes of statements that one connection keeps prepared; the server has far fewer. */
const PREPARED_LIMIT = 500;
const names = new Map<string, string>();

const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known || names.size >= PREPARED_LIMIT) return known;
  const name = `candela_${names.size}`;
  names.set(text, name);
  return name;
};

/** Sends statements with parameters as named ones, which PostgreSQL parses and plans once for each connection. */
class PreparedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query has a dozen overloads, and all but one pass through.
  override query(text: any, values?: any, callback?: any): any {
    const name = typeof text === 'string' && values?.length > 0 && !callback ? nameOf(text) : undefined;
    return name ? super.query({ name, text, values }) : super.query(text, values, callback);
  }
}

const connectPostgres = (databaseUrl: string, options: ConnectOptions): Connection => {
  const onConnectionError = options.onConnectionError ?? (() => undefined);
  const pool = new pg.Pool({
    Client: options.prepared === false ? pg.Client : PreparedClient,
    connectionString: databaseUrl,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    types: {
      getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  pool.on('error', onConnectionError);
  // The pool listens to idle clients only; one lost while it is checked out would end the process.
  pool.on('connect', (client) => client.on('error', onConnectionError));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    kind: 'postgres',
    listen: listenOnPostgres(options.directUrl ?? databaseUrl, (channel, payload) =>
      pool.query('select pg_notify($1, $2)', [channel, payload]),
    ),
    close: async () => {
      await db.destroy();
      if (!pool.ended) await pool.end();
    },
  };
};

const overPglite = (pglite: PGlite): Connection => {
  const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });
  return {
    db,
    kind: 'pglite',
    listen: listenOnPglite(pglite),
    close: async () => {
      await db.destroy();
      if (!pglite.closed) await pglite.close();
    },
  };
};

const lockDataDir = async (dataDir: string) => {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await acquirePgliteLock(dataDir);
  } catch (error) {
    throw new StartError(`DATA_DIR: ${(error as Error).message}`, { cause: error });
  }
};

const connectPglite = async (dataDir: string): Promise<Connection> => {
  const lock = await lockDataDir(dataDir);
  try {
    const connection = overPglite(await PGlite.create({ dataDir: join(dataDir, 'db') }));
    return {
      ...connection,
      close: async () => {
        await connection.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
};

/**
 * Opens PostgreSQL, or the embedded database under its lock.
 *
 * @throws StartError with one line naming the directory and the process when another one has the embedded database open.
 */
export const connect = async (options: ConnectOptions): Promise<Connection> =>
  options.databaseUrl ? connectPostgres(options.databaseUrl, options) : connectPglite(options.dataDir);

/** An embedded database that lives in memory, empty or loaded from what PGlite's `dumpDataDir` gave. */
export const connectInMemory = async (dump?: Blob): Promise<Connection & { dump(): Promise<Blob> }> => {
  const pglite = await PGlite.create(dump ? { loadDataDir: dump } : {});
  return { ...overPglite(pglite), dump: () => pglite.dumpDataDir('none') };
};
