import { access, constants, rm, stat } from 'node:fs/promises';
import { StartError } from '../../ground/start-error.ts';
import { type Line, readLines } from './read-lines.ts';
import { createRefusalReport, type RefusedEntry } from './refusal-report.ts';

export interface LineImportOptions {
  /** Path of a file with a JSON object on each line. */
  path: string;
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

/** What became of a line. `unchanged`: what it tells of is there already, or was imported before. */
export type LineOutcome<Refusal extends string> = 'imported' | 'unchanged' | Refusal;

export interface ImportSummary<Refusal extends string> {
  imported: number;
  unchanged: number;
  /** How many lines were refused for each reason. */
  refused: Partial<Record<Refusal, number>>;
  refusedTotal: number;
  /** Path of the file that lists the refused lines, a JSON object each; undefined where no line was refused. */
  reportPath: string | undefined;
}

/** What the lines of a file stand for. */
export interface LineKind<Row extends object, Refusal extends string> {
  /** Reads a line; undefined stands for one that is too long or not UTF-8. */
  parse(text: string | undefined): Row | Refusal;
  /** Stores a batch, whole or not at all, and answers what became of each row. */
  store(rows: readonly Row[]): Promise<readonly LineOutcome<Refusal>[]>;
}

interface Entry<Row, Refusal> {
  line: number;
  row: Row | Refusal;
}

const BATCH = 500;

/**
 * Requires a file that can be read, and opens nothing: for who begins something before the import that must not begin in vain.
 * @throws the fault of the file system; StartError for a directory
 */
export const requireLines = async (path: string): Promise<void> => {
  // A pipe can be opened once.
  if ((await stat(path)).isDirectory()) throw new StartError(`${path} is a directory: name a file`);
  await access(path, constants.R_OK);
};

/**
 * Imports the lines of a file, which is streamed. Each batch is stored whole or not at all. A run that was cut short is
 * resumed by a second run: what is there already stays unchanged.
 * @throws Error when the file cannot be read or the database is away; batches that were stored stay.
 */
export const importLines = async <Row extends object, Refusal extends string>(
  { path, onProgress, batchSize = BATCH, signal }: LineImportOptions,
  { parse, store }: LineKind<Row, Refusal>,
): Promise<ImportSummary<Refusal>> => {
  const { size: totalBytes } = await stat(path);
  const reportPath = `${path}.refused.jsonl`;
  await rm(reportPath, { force: true });
  const report = createRefusalReport<Refusal>(reportPath);
  const counts = { imported: 0, unchanged: 0, refusedTotal: 0 };
  const refusedCounts: Partial<Record<Refusal, number>> = {};

  const isRow = (row: Row | Refusal): row is Row => typeof row !== 'string';

  const storeBatch = async (entries: readonly Entry<Row, Refusal>[]) => {
    const rows = entries.flatMap(({ row }) => (isRow(row) ? [row] : []));
    const outcomes = (rows.length > 0 ? await store(rows) : []).values();
    const refused: RefusedEntry<Refusal>[] = [];
    for (const { line, row } of entries) {
      const outcome = isRow(row) ? outcomes.next().value : row;
      if (outcome === 'imported') counts.imported += 1;
      else if (outcome === 'unchanged') counts.unchanged += 1;
      else if (outcome) refused.push({ line, reason: outcome as Refusal });
    }
    for (const { reason } of refused) refusedCounts[reason] = (refusedCounts[reason] ?? 0) + 1;
    counts.refusedTotal += refused.length;
    await report.add(refused);
  };

  let waiting: Entry<Row, Refusal>[] = [];
  const flush = async ({ number, endByte }: Pick<Line, 'number' | 'endByte'>) => {
    signal?.throwIfAborted();
    await storeBatch(waiting);
    waiting = [];
    onProgress?.({ bytes: endByte, totalBytes, lines: number });
  };
  let written: string | undefined;
  try {
    let last: Pick<Line, 'number' | 'endByte'> = { number: 0, endByte: 0 };
    for await (const line of readLines(path)) {
      last = line;
      const text = line.text?.trim();
      if (text === '') continue;
      waiting.push({ line: line.number, row: parse(text) });
      if (waiting.length === batchSize) await flush(line);
    }
    await flush(last);
  } finally {
    written = await report.close();
  }
  return { ...counts, refused: refusedCounts, reportPath: written };
};
