import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { createDatabaseHosts } from './database-hosts.ts';
import { CompatibleDialect, type DatabaseEngine } from './engine.ts';
import { runInLane } from './lane.ts';
import { hearNothing, type Listen, listenOnPglite, listenOnPostgres } from './listen.ts';
import { openPglite } from './open-pglite.ts';
import { acquirePgliteLock, LockHeldError, requirePgliteUnlocked } from './pglite-lock.ts';
import { createStatementNames, PostgresClient } from './postgres-client.ts';
import { createPostgresPool, type PoolCounts } from './postgres-pool.ts';

export interface ConnectOptions {
  /** postgres://..., with one host or several; without it the embedded database in `dataDir`/db. */
  databaseUrl?: string | undefined;
  dataDir: string;
  /** What answers at `databaseUrl`: `postgresql` by default. */
  engine?: DatabaseEngine | undefined;
  /** Past a pooler, for LISTEN; `databaseUrl` where it is left out. */
  directUrl?: string | undefined;
  /** The most connections that are open, without the one that listens; 10 by default. */
  poolSize?: number | undefined;
  /** For commands, whose statements may take a minute. */
  patient?: boolean | undefined;
  /** False behind a pooler in transaction mode, where the next statement may reach another connection. */
  prepared?: boolean | undefined;
  /** Hears of connections lost while nothing ran on them; the pool replaces them by itself. */
  onConnectionError?: ((error: Error) => void) | undefined;
}

export interface Connection {
  db: Kysely<Database>;
  kind: 'postgres' | 'pglite';
  listen: Listen;
  /** Of the pool of connections; undefined for the embedded database, which has none. */
  poolCounts?(): PoolCounts;
  close(): Promise<void>;
}

const INT8 = 20;
/** Less than the time after which routers forget a connection, and far less than the two hours of the system. */
const KEEP_ALIVE_MS = 10_000;
/** The share of all connections that only the lane `reserved` takes. */
const RESERVED_SHARE = 1 / 3;

/**
 * Timeouts in milliseconds, each longer than the one before. The server gives up first and says why; only a server
 * that is silent costs the connection. A transaction that waits for a lock outlasts the idle process that holds it.
 */
const BRISK = {
  idle_in_transaction_session_timeout: 3_000,
  lock_timeout: 4_000,
  statement_timeout: 5_000,
  answerMs: 6_000,
};
const PATIENT = {
  idle_in_transaction_session_timeout: 10_000,
  lock_timeout: 30_000,
  statement_timeout: 60_000,
  answerMs: 65_000,
};

const connectPostgres = (databaseUrl: string, options: ConnectOptions): Connection => {
  const max = options.poolSize ?? 10;
  const { answerMs, ...timeouts } = options.patient ? PATIENT : BRISK;
  const hosts = createDatabaseHosts(databaseUrl);
  const nameOf = options.prepared === false ? undefined : createStatementNames();
  const pool = createPostgresPool({
    hosts,
    max,
    reserved: Math.floor(max * RESERVED_SHARE),
    create: (onSilence, host) =>
      new PostgresClient({
        ...host,
        nameOf,
        mustWrite: hosts.mustWrite,
        ...timeouts,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
        types: {
          getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
        },
        answerMs,
        onSilence,
      }),
    onError: options.onConnectionError ?? (() => undefined),
  });
  const isCompatible = options.engine === 'compatible';
  const Dialect = isCompatible ? CompatibleDialect : PostgresDialect;
  const db = new Kysely<Database>({ dialect: new Dialect({ pool }) });
  return {
    db,
    kind: 'postgres',
    listen: isCompatible
      ? hearNothing
      : listenOnPostgres(options.directUrl ?? databaseUrl, (channel, payload) =>
          // In the lane that is always served: a process that does not hear of changes reads its caches anew.
          runInLane('reserved', () => sql`select pg_notify(${channel}, ${payload})`.execute(db)),
        ),
    poolCounts: pool.counts,
    close: async () => {
      await db.destroy();
      // Kysely ends a pool only where it has used it.
      await pool.end();
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

/** Another process has the embedded database open. */
export class DatabaseInUseError extends StartError {}

const tellOfLock = (error: Error): never => {
  const Told = error instanceof LockHeldError ? DatabaseInUseError : StartError;
  throw new Told(`DATA_DIR: ${error.message}`, { cause: error });
};

/**
 * Whether no other process has the embedded database in `dataDir` open; nothing is made.
 * @throws DatabaseInUseError as `connect` does
 */
export const requireFree = (dataDir: string): Promise<void> =>
  requirePgliteUnlocked(dataDir).catch(tellOfLock);

const lockDataDir = async (dataDir: string) => {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await acquirePgliteLock(dataDir);
  } catch (error) {
    return tellOfLock(error as Error);
  }
};

const connectPglite = async (dataDir: string): Promise<Connection> => {
  const lock = await lockDataDir(dataDir);
  try {
    const connection = overPglite(await openPglite(join(dataDir, 'db')));
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
 * @throws DatabaseInUseError with one line naming the directory and the process when another one has the embedded
 *   database open; StartError when the directory cannot be used.
 */
export const connect = async (options: ConnectOptions): Promise<Connection> =>
  options.databaseUrl ? connectPostgres(options.databaseUrl, options) : connectPglite(options.dataDir);

/** An embedded database in memory, empty or loaded from a dump that PGlite's `dumpDataDir` made. */
export const connectInMemory = async (dump?: Blob): Promise<Connection & { dump(): Promise<Blob> }> => {
  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = await PGlite.create(dump ? { loadDataDir: dump } : {});
  return { ...overPglite(pglite), dump: () => pglite.dumpDataDir('none') };
};
