import { createSecretKey } from 'node:crypto';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { deriveKey } from '../../ground/seal.ts';
import { loadKeptKeys } from '../secret-key/kept-key.service.ts';
import { importBatch } from './import-batch.ts';
import { type ImportRefusal, type ImportRow, parseImportLine } from './import-row.ts';
import { type Line, readLines } from './read-lines.ts';

export interface ImportOptions {
  db: Kysely<Database>;
  /** Path of a file with a JSON object on each line. */
  path: string;
  /** SECRET_KEYs, newest first: new ids are made under the newest, and ids under all of them are recognised. */
  secretKeys: readonly string[];
  now: () => Date;
  onProgress?: (progress: ImportProgress) => void;
  batchSize?: number;
  /** Ends the import between two batches. */
  signal?: AbortSignal;
}

export interface ImportProgress {
  bytes: number;
  totalBytes: number;
  lines: number;
}

export interface ImportSummary {
  imported: number;
  unchanged: number;
  refused: Partial<Record<ImportRefusal, number>>;
  refusedTotal: number;
  /** Path of the file that lists the refused lines, a JSON object each; undefined where no line was refused. */
  reportPath: string | undefined;
}

const BATCH = 500;

/** Writes `file.refused.jsonl`, made at the first refusal: line numbers and reasons, and no personal data. */
const createReport = (path: string) => {
  let file: FileHandle | undefined;
  return {
    add: async (refused: { line: number; reason: ImportRefusal }[]) => {
      if (refused.length === 0) return;
      file ??= await open(path, 'w', 0o600);
      await file.appendFile(refused.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
    close: async () => {
      await file?.close();
      return file && path;
    },
  };
};

interface Entry {
  line: number;
  row: ImportRow | ImportRefusal;
}

const isRow = (row: Entry['row']): row is ImportRow => typeof row !== 'string';

/**
 * Imports people from a file, which is streamed. Each batch is stored whole or not at all. A run that was cut short is
 * resumed by a second run: people who are there already stay unchanged.
 * @throws Error when the file cannot be read or the database is away; batches that were stored stay.
 */
export const importAccounts = async (options: ImportOptions): Promise<ImportSummary> => {
  const { db, path, secretKeys, now, onProgress, batchSize = BATCH, signal } = options;
  const idKeys = [
    ...secretKeys.map((secret) => deriveKey(secret, 'ids of imported accounts')),
    ...(await loadKeptKeys({ db, secretKeys }, 'ids of imported accounts')),
  ].map((key) => createSecretKey(key));
  const { size: totalBytes } = await stat(path);
  const reportPath = `${path}.refused.jsonl`;
  await rm(reportPath, { force: true });
  const report = createReport(reportPath);
  const summary: ImportSummary = {
    imported: 0,
    unchanged: 0,
    refused: {},
    refusedTotal: 0,
    reportPath: undefined,
  };

  const store = async (entries: readonly Entry[]) => {
    const rows = entries.flatMap(({ row }) => (isRow(row) ? [row] : []));
    const outcomes = (rows.length > 0 ? await importBatch(db, rows, now()) : []).values();
    const refused: { line: number; reason: ImportRefusal }[] = [];
    for (const { line, row } of entries) {
      const outcome = isRow(row) ? outcomes.next().value : row;
      if (outcome === 'imported' || outcome === 'unchanged') summary[outcome] += 1;
      else if (outcome) refused.push({ line, reason: outcome });
    }
    for (const { reason } of refused) summary.refused[reason] = (summary.refused[reason] ?? 0) + 1;
    summary.refusedTotal += refused.length;
    await report.add(refused);
  };

  let waiting: Entry[] = [];
  const flush = async ({ number, endByte }: Pick<Line, 'number' | 'endByte'>) => {
    signal?.throwIfAborted();
    await store(waiting);
    waiting = [];
    onProgress?.({ bytes: endByte, totalBytes, lines: number });
  };
  try {
    let last: Pick<Line, 'number' | 'endByte'> = { number: 0, endByte: 0 };
    for await (const line of readLines(path)) {
      last = line;
      const text = line.text?.trim();
      if (text === '') continue;
      waiting.push({ line: line.number, row: parseImportLine(text, idKeys) });
      if (waiting.length === batchSize) await flush(line);
    }
    await flush(last);
  } finally {
    summary.reportPath = await report.close();
  }
  return summary;
};
