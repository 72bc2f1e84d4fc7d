import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import * as z from 'zod/mini';
import { StartError } from '../../ground/start-error.ts';

/**
 * A backup is gzip of lines of JSON. The first is the header. For each table follow an object that names it and its
 * rows, each as PostgreSQL writes a row as a text, in a string. The last line is the footer: a file without it is cut off.
 */
export const FORMAT = 1;

const Table = z.object({ name: z.string(), columns: z.array(z.string()) });
export type BackupTable = z.infer<typeof Table>;

const Header = z.object({
  candela: z.literal('backup'),
  format: z.int(),
  /** The release that made the backup. */
  release: z.string(),
  /** When the snapshot was taken, by the clock of the database. */
  at: z.string(),
  /** Names of the migrations that were applied. */
  migrations: z.array(z.string()),
  /** A table stands behind those that it refers to. */
  tables: z.array(Table),
});
export type BackupHeader = z.infer<typeof Header>;

const Footer = z.object({
  /** The number of rows of each table. */
  rows: z.record(z.string(), z.int()),
  /** SHA-256 of all lines before this one. */
  sha256: z.string(),
});

const TableLine = z.object({ table: z.string() });

/** A field of a row: quoted, with quotes and backslashes doubled, or bare. Nothing at all is NULL. */
const FIELD = /"((?:[^"\\]|""|\\.)*)"|([^,"()\\]*)/gy;

/** The texts of a row's columns, in the order of the header; null for NULL (PostgreSQL section 8.16.6). */
export const parseRow = (line: string): (string | null)[] => {
  const text: string = z.parse(z.string(), JSON.parse(line));
  const fields: (string | null)[] = [];
  for (let at = 1; at < text.length; ) {
    FIELD.lastIndex = at;
    const [whole = '', quoted, bare = ''] = FIELD.exec(text) ?? [];
    fields.push(quoted === undefined ? bare || null : quoted.replaceAll(/(["\\])(.)/gs, '$2'));
    at += whole.length + 1;
  }
  return fields;
};

/** Why a file cannot be restored. */
export const unusable = (path: string, why: string, cause?: unknown): StartError =>
  new StartError(`${path} cannot be restored: ${why}`, { cause });

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

const requireGzip = async (path: string): Promise<void> => {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2);
    if (!buffer.equals(GZIP_MAGIC)) throw unusable(path, 'it is no backup of Candela');
  } finally {
    await file.close();
  }
};

const CHUNK = 1 << 18;
/** More than any row has: gzip makes a thousand times as much of a small hostile file. */
const MAX_LINE = 1 << 24;

/** The lines of a file, in batches; the footer is the last line of all. */
async function* readBatches(path: string): AsyncGenerator<{ lines: string[]; last?: string }> {
  await requireGzip(path);
  const source = createReadStream(path, { highWaterMark: CHUNK });
  const text = source.pipe(createGunzip({ chunkSize: CHUNK }));
  source.once('error', (error) => text.destroy(error));
  text.setEncoding('utf8');
  let rest: string | undefined;
  try {
    for await (const chunk of text) {
      const lines = `${rest ?? ''}${chunk}`.split('\n');
      // The last whole line may be the footer, so it waits for the next one.
      rest = lines.splice(-2).join('\n');
      if (rest.length > MAX_LINE) throw unusable(path, 'one of its lines is too long');
      if (lines.length > 0) yield { lines };
    }
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    throw unusable(
      path,
      code === 'Z_BUF_ERROR' ? 'its end is missing' : `it is damaged (${(cause as Error).message})`,
      cause,
    );
  } finally {
    source.destroy();
    text.destroy();
  }
  const [last = '', ...others] = (rest ?? '').split('\n');
  if (others.length !== 1 || others[0] !== '') throw unusable(path, 'its end is missing');
  yield { lines: [], last };
}

/** A part of a backup, in the order of the file. */
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'rows'; table: BackupTable; lines: string[] };

const parseJson = <T>(path: string, schema: z.ZodMiniType<T>, line: string, what: string): T => {
  try {
    return z.parse(schema, JSON.parse(line));
  } catch (cause) {
    throw unusable(path, `${what} is damaged`, cause);
  }
};

/** Splits lines where a table begins: rows are strings, and nothing else is. */
const splitByTable = (lines: readonly string[]): { begin?: string; rows: string[] }[] => {
  const parts: { begin?: string; rows: string[] }[] = [{ rows: [] }];
  for (const line of lines) {
    if (line.startsWith('"')) parts.at(-1)?.rows.push(line);
    else parts.push({ begin: line, rows: [] });
  }
  return parts;
};

/**
 * Reads a backup in constant memory. The last part comes before the footer was seen: only when the iteration ends
 * without an error is the file whole.
 * @throws StartError where the file is no backup, damaged or cut off; the fault of the file system.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupPart> {
  const digest = createDigest();
  const counts: Record<string, number> = {};
  let header: BackupHeader | undefined;
  let table: BackupTable | undefined;
  for await (const { lines, last } of readBatches(path)) {
    if (last !== undefined) {
      const footer = parseJson(path, Footer, last, 'its end');
      const isSame = Object.entries({ ...counts, ...footer.rows }).every(
        ([name]) => (counts[name] ?? 0) === (footer.rows[name] ?? 0),
      );
      if (!header || !isSame || digest.end() !== footer.sha256)
        throw unusable(path, 'what it holds is not what its end says');
      return;
    }
    digest.add(lines);
    if (!header) {
      header = parseJson(path, Header, lines.shift() ?? '', 'its beginning');
      if (header.format !== FORMAT)
        throw unusable(path, `its format is ${header.format}, and this release reads format ${FORMAT}`);
      yield { kind: 'header', header };
    }
    for (const { begin, rows } of splitByTable(lines)) {
      if (begin !== undefined) {
        const { table: name } = parseJson(path, TableLine, begin, 'a line');
        table = header.tables.find((each) => each.name === name);
      }
      if (rows.length === 0) continue;
      if (!table) throw unusable(path, 'it has rows of an unknown table');
      counts[table.name] = (counts[table.name] ?? 0) + rows.length;
      yield { kind: 'rows', table, lines: rows };
    }
  }
}

/** SHA-256 of lines, however they come in batches. */
export const createDigest = () => {
  const sum = createHash('sha256');
  return {
    add: (lines: readonly string[]): void => {
      if (lines.length > 0) sum.update(`${lines.join('\n')}\n`);
    },
    end: (): string => sum.digest('hex'),
  };
};
