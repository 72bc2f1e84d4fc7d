import { access, open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import type { Connection } from '../../ground/db/connect.ts';
import type { Database } from '../../ground/db/database.ts';
import { isCompatible } from '../../ground/db/engine.ts';
import { runInLane } from '../../ground/db/lane.ts';
import { listAppliedMigrations } from '../../ground/db/migrate.ts';
import { StartError } from '../../ground/start-error.ts';
import {
  closeCursor,
  declareCursor,
  fetchLines,
  fixTextForms,
  listBackupTables,
  listForeignParts,
  readDatabaseTime,
} from './backup.repository.ts';
import { type BackupHeader, createDigest, FORMAT } from './backup-file.ts';
import { findOwnTables, isOwnIn } from './own-tables.ts';

export interface WriteBackupOptions {
  connection: Pick<Connection, 'db' | 'kind'>;
  path: string;
  release: string;
  /** Is called after each batch. */
  onProgress?: (progress: { table: string; rows: number }) => void;
  signal?: AbortSignal;
}

export interface WrittenBackup {
  path: string;
  at: string;
  /** The number of rows of each table. */
  rows: Record<string, number>;
  /** What others made in the schema: it is not in the file. */
  leftOut: string[];
  seconds: number;
  /** For how long requests waited at most, at the one connection of the embedded database. */
  longestPauseMs?: number;
}

/** Notes how long each step of the work took. */
const createStopwatch = () => {
  const began = performance.now();
  let longest = 0;
  return {
    time: async <T>(step: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await step();
      longest = Math.max(longest, performance.now() - start);
      return result;
    },
    longestMs: () => Math.round(longest),
    seconds: () => Math.round(performance.now() - began) / 1000,
  };
};

type Stopwatch = ReturnType<typeof createStopwatch>;

/** Rows of one fetch: the first is small, and the next has about so many bytes, whatever a row has. */
const FIRST_ROWS = 20;
const MOST_ROWS = 5_000;
const BATCH_BYTES = 1 << 18;

/** A row of a table whose pictures are large is the measure, not the mean. */
const nextCount = (lines: readonly string[]): number => {
  const longest = Math.max(1, ...lines.map(({ length }) => length));
  return Math.min(MOST_ROWS, Math.max(1, Math.floor(BATCH_BYTES / longest)));
};

async function* fetchAll(db: Kysely<Database>, cursor: string, watch: Stopwatch): AsyncGenerator<string[]> {
  for (let count = FIRST_ROWS; ; ) {
    const fetched = count;
    const rows = await watch.time(() => fetchLines(db, cursor, fetched));
    const lines = rows.map((row) => JSON.stringify(row));
    if (lines.length > 0) yield lines;
    if (lines.length < count) return;
    count = nextCount(lines);
  }
}

const cursorOf = (index: number) => `candela_backup_${index}`;

interface Snapshot {
  header: BackupHeader;
  leftOut: string[];
}

const declareAll = async (trx: Kysely<Database>, release: string, hold: boolean): Promise<Snapshot> => {
  await fixTextForms(trx);
  const migrations = await listAppliedMigrations(trx);
  const isOwn = isOwnIn(await findOwnTables(migrations));
  const tables = await listBackupTables(trx, isOwn);
  const header = {
    candela: 'backup',
    format: FORMAT,
    release,
    at: await readDatabaseTime(trx),
    migrations,
    tables,
  } as const;
  for (const [index, table] of tables.entries())
    await declareCursor(trx, table, { cursor: cursorOf(index), hold });
  return { header, leftOut: await listForeignParts(trx, isOwn) };
};

/** Lends the cursors of one snapshot to `work`. */
const withSnapshot = async <T>(
  { connection: { db, kind }, release }: WriteBackupOptions,
  watch: Stopwatch,
  work: (db: Kysely<Database>, snapshot: Snapshot) => Promise<T>,
): Promise<T> => {
  const begin = () => db.transaction().setIsolationLevel('repeatable read');
  if (kind === 'postgres')
    return begin()
      .setAccessMode('read only')
      .execute(async (trx) => work(trx, await declareAll(trx, release, false)));
  // The embedded database has one connection, which requests need: its cursors outlive the transaction.
  const snapshot = await watch.time(() => begin().execute((trx) => declareAll(trx, release, true)));
  try {
    return await work(db, snapshot);
  } finally {
    for (const index of snapshot.header.tables.keys()) await closeCursor(db, cursorOf(index));
  }
};

interface Writing {
  rows: Record<string, number>;
  watch: Stopwatch;
  onProgress: WriteBackupOptions['onProgress'];
}

/** The text of the file, a batch at a time. */
async function* linesOf(
  db: Kysely<Database>,
  header: BackupHeader,
  { rows, watch, onProgress }: Writing,
): AsyncGenerator<string> {
  const digest = createDigest();
  const put = (lines: readonly string[]): string => {
    digest.add(lines);
    return `${lines.join('\n')}\n`;
  };
  yield put([JSON.stringify(header)]);
  for (const [index, { name }] of header.tables.entries()) {
    let count = 0;
    yield put([JSON.stringify({ table: name })]);
    for await (const lines of fetchAll(db, cursorOf(index), watch)) {
      count += lines.length;
      onProgress?.({ table: name, rows: count });
      yield put(lines);
    }
    rows[name] = count;
  }
  yield `${JSON.stringify({ rows, sha256: digest.end() })}\n`;
}

/** Fast: the rows hold random ids and digests, which no level makes much smaller. */
const GZIP_LEVEL = 1;

/** @throws StartError for a distributed engine, which has neither such cursors nor such triggers. */
export const requirePostgres = (db: Kysely<Database>): void => {
  if (isCompatible(db))
    throw new StartError('DATABASE_ENGINE=compatible: back up and restore with the tools of that engine');
};

const requireFree = async (path: string): Promise<void> => {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new StartError(`${path} exists already: a backup overwrites nothing`);
};

/** Says whose the unfinished file is; throws any other error as it is. */
const refuse =
  (part: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code !== 'EEXIST') throw error;
    throw new StartError(
      `${part} exists: another backup is writing it, or was killed. Delete it if no backup is running`,
      { cause: error },
    );
  };

/**
 * Writes a backup of one moment, in constant memory, to a file that only its owner reads. The file appears when it is
 * whole: until then it is `path`.part.
 * @throws StartError where the file exists; the fault of the file system; the reason of the signal.
 */
export const writeBackup = async (options: WriteBackupOptions): Promise<WrittenBackup> => {
  const { connection, path, onProgress, signal } = options;
  requirePostgres(connection.db);
  const watch = createStopwatch();
  const part = `${path}.part`;
  await requireFree(path);
  const handle = await open(part, 'wx', 0o600).catch(refuse(part));
  const file = handle.createWriteStream({ flush: true });
  try {
    return await runInLane('patient', () =>
      withSnapshot(options, watch, async (db, { header, leftOut }) => {
        const rows: Record<string, number> = {};
        const lines = Readable.from(linesOf(db, header, { rows, watch, onProgress }), {
          objectMode: true,
          highWaterMark: 1,
        });
        await pipeline(lines, createGzip({ level: GZIP_LEVEL }), file, { ...(signal && { signal }) });
        await requireFree(path);
        await rename(part, path);
        return {
          path,
          at: header.at,
          rows,
          leftOut,
          seconds: watch.seconds(),
          ...(connection.kind === 'pglite' && { longestPauseMs: watch.longestMs() }),
        };
      }),
    );
  } catch (error) {
    file.destroy();
    await rm(part, { force: true });
    if (signal?.aborted) throw signal.reason;
    throw error;
  }
};
