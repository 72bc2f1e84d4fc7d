import { migrations } from '@candela/migrations';
import type { Kysely } from 'kysely';
import type { Connection } from '../../ground/db/connect.ts';
import type { Database } from '../../ground/db/database.ts';
import { runInLane } from '../../ground/db/lane.ts';
import { findMigrationFault, listAppliedMigrations, migrateInside } from '../../ground/db/migrate.ts';
import { StartError } from '../../ground/start-error.ts';
import { requireOpened, type SealedText, sealedColumns, sealedTextOf } from '../secret-key/sealed-columns.ts';
import { countServing } from '../secret-key/serving-process.service.ts';
import {
  analyze,
  continueIdentities,
  deleteRows,
  dropTables,
  fixTextForms,
  insertLines,
  listBackupTables,
  listTableNames,
  switchTriggers,
} from './backup.repository.ts';
import { type BackupHeader, type BackupTable, parseRow, readBackup, unusable } from './backup-file.ts';
import { findOwnTables, isOwnIn } from './own-tables.ts';
import { requirePostgres } from './write-backup.ts';

export interface RestoreBackupOptions {
  connection: Pick<Connection, 'db'>;
  path: string;
  /** SECRET_KEY, newest first: it has to open what is sealed in the backup. */
  secretKeys: readonly string[];
  /** Whether a database of Candela that is there may be dropped. */
  replace: boolean;
  /** Is called after each batch; `of` is the number of rows in the file. */
  onProgress?: (progress: { done: 'checked' | 'restored'; rows: number; of?: number }) => void;
  signal?: AbortSignal;
}

export interface RestoredBackup {
  release: string;
  at: string;
  rows: number;
  /** Names of the migrations that were applied after the rows were there. */
  migrated: string[];
  seconds: number;
}

const recordOf = ({ columns }: BackupTable, line: string) => {
  const row = parseRow(line);
  return Object.fromEntries(columns.map((column, index) => [column, row[index]]));
};

/** Reads the file to its end: nothing is written for one that is damaged, foreign, or of a newer release. */
const check = async ({ path, secretKeys, onProgress, signal }: RestoreBackupOptions) => {
  const texts: SealedText[] = [];
  let header: BackupHeader | undefined;
  let rows = 0;
  for await (const part of readBackup(path)) {
    signal?.throwIfAborted();
    if (part.kind === 'header') {
      header = part.header;
      const fault = findMigrationFault(header.migrations);
      if (fault) throw unusable(path, `release ${header.release} made it, and ${fault}`);
      continue;
    }
    for (const line of part.table.name in sealedColumns ? part.lines : [])
      texts.push(...[sealedTextOf(part.table.name, recordOf(part.table, line))].filter((text) => !!text));
    rows += part.lines.length;
    onProgress?.({ done: 'checked', rows });
  }
  if (!header) throw unusable(path, 'it is empty');
  requireOpened(texts, { secretKeys, where: path });
  return { header, rows };
};

const first = (names: readonly string[]) =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');

/** Something that no migration makes hangs on a table of ours: a view, or a foreign key. */
const refuseDependents = (error: unknown): never => {
  const { code, detail } = error as { code?: unknown; detail?: unknown };
  if (code !== '2BP01') throw error;
  throw new StartError(
    `what is not Candela's depends on its tables, and would be dropped with them. Drop it yourself, or restore into an empty database:\n${detail}`,
    { cause: error },
  );
};

/** Drops what Candela made in the schema. What else is there stays. */
const dropOwn = async (trx: Kysely<Database>, names: readonly string[], applied: readonly string[]) => {
  const { tables, functions, isWhole } = await findOwnTables(applied);
  const foreign = names.filter((name) => !tables.has(name));
  // The tables of a newer release look like those of somebody else.
  if (foreign.length > 0 && !isWhole)
    throw new StartError(
      `a newer release made this database, and this one cannot tell whether the tables ${first(foreign)} are Candela's: restore with the newer release, or into an empty database, or drop those of them that are Candela's first`,
    );
  const own = names.filter((name) => tables.has(name));
  await dropTables(trx, own, [...functions]).catch(refuseDependents);
};

/** Makes room: the database has to be empty, or one of Candela that may be dropped and that nobody serves. */
const makeRoom = async (trx: Kysely<Database>, replace: boolean): Promise<void> => {
  const names = await listTableNames(trx);
  if (names.length === 0) return;
  const applied = await listAppliedMigrations(trx);
  if (!applied.some((name) => name in migrations))
    throw new StartError('the database is not empty, and is none of Candela: restore into an empty one');
  if (!replace)
    throw new StartError(
      'the database is not empty: restore into an empty one, or drop what is there with --replace --yes',
    );
  const serving = names.includes('serving_process') ? await countServing(trx) : 0;
  if (serving > 0)
    throw new StartError(
      `${serving} processes serve this database, or were killed in the last five minutes: stop them first`,
    );
  await dropOwn(trx, names, applied);
};

const nameOf = ({ name, columns }: BackupTable) => `${name} (${columns.join(', ')})`;

/** Rows have no names of columns: the tables must be made as those of the backup were. */
const requireSameTables = (path: string, wanted: readonly BackupTable[], made: readonly BackupTable[]) => {
  const known = made.map(nameOf);
  const [foreign] = wanted.map(nameOf).filter((table) => !known.includes(table));
  if (foreign) throw unusable(path, `the migrations make no table ${foreign}`);
};

/** Rows of one insert, so that its parameter stays small. */
const BATCH_BYTES = 1 << 19;

/** Groups the lines of a table into batches of bounded size. */
async function* batchesOf(path: string): AsyncGenerator<{ table: BackupTable; lines: string[] }> {
  let batch: { table: BackupTable; lines: string[] } | undefined;
  let bytes = 0;
  for await (const part of readBackup(path)) {
    if (part.kind === 'header') continue;
    for (const line of part.lines) {
      if (batch && (batch.table !== part.table || bytes + line.length > BATCH_BYTES)) {
        yield batch;
        batch = undefined;
      }
      if (!batch) {
        batch = { table: part.table, lines: [] };
        bytes = 0;
      }
      batch.lines.push(line);
      bytes += line.length;
    }
  }
  if (batch) yield batch;
}

const load = async (
  trx: Kysely<Database>,
  { path, onProgress, signal }: RestoreBackupOptions,
  of: number,
): Promise<void> => {
  let rows = 0;
  for await (const { table, lines } of batchesOf(path)) {
    signal?.throwIfAborted();
    await insertLines(trx, table.name, lines);
    rows += lines.length;
    onProgress?.({ done: 'restored', rows, of });
  }
};

/**
 * Restores a backup in one transaction: all of it or nothing. The file is read twice. The first reading writes nothing
 * and finds whatever is wrong with it; the second loads it into the schema of its release, which is then migrated on.
 * @throws StartError that says why nothing was restored; the reason of the signal.
 */
export const restoreBackup = async (options: RestoreBackupOptions): Promise<RestoredBackup> => {
  const { connection, replace } = options;
  requirePostgres(connection.db);
  const began = performance.now();
  const { header, rows } = await check(options);
  const { db } = connection;
  return runInLane('patient', async () => {
    const migrated = await db.transaction().execute(async (trx) => {
      await fixTextForms(trx);
      await makeRoom(trx, replace);
      await migrateInside(trx, header.migrations.at(-1));
      const isOwn = isOwnIn(await findOwnTables(header.migrations));
      requireSameTables(options.path, header.tables, await listBackupTables(trx, isOwn));
      const tables = header.tables.map(({ name }) => name);
      for (const table of tables) await switchTriggers(trx, table, 'disable');
      for (const table of tables.toReversed()) await deleteRows(trx, table);
      await load(trx, options, rows);
      for (const table of tables) await switchTriggers(trx, table, 'enable');
      await continueIdentities(trx, tables);
      return migrateInside(trx);
    });
    await analyze(db);
    const seconds = Math.round(performance.now() - began) / 1000;
    return { release: header.release, at: header.at, rows, migrated, seconds };
  });
};
