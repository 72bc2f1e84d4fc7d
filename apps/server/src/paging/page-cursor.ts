import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { AppError } from '../errors.ts';

/** A place in a list that is ordered by creation, newest first, and by id where that is equal. */
export interface PageCursor {
  /** As the database writes a timestamp: a Date would lose its microseconds. */
  createdAt: string;
  id: string;
}

/** Which part of such a list: `limit` rows after the cursor. */
export interface PageChoice {
  limit: number;
  after?: PageCursor | undefined;
}

/** What a query of such a list selects, and how it is ordered. */
export const cursorAt: RawBuilder<string> = sql<string>`cast(created_at as text)`;

/** Rows after the cursor; said so that an index on creation and id leads straight to the first of them. */
export const isAfter = (idColumn: string, { createdAt, id }: PageCursor): RawBuilder<SqlBool> => {
  const at = sql`cast(${createdAt} as timestamptz)`;
  return sql<SqlBool>`created_at <= ${at} and (created_at < ${at} or ${sql.ref(idColumn)} > ${id})`;
};

/** The rows of a page and the cursor of the next, out of rows of which one more was asked for than fit. */
export const toPage = <Row extends { cursor_at: string }>(
  rows: readonly Row[],
  size: number,
  idOf: (row: Row) => string,
): { page: Row[]; next?: string } => {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { page, ...(rows.length > size && last && { next: writeCursor(last.cursor_at, idOf(last)) }) };
};

const writeCursor = (createdAt: string, id: string): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');

const TIMESTAMP = /^([12]\d{3}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](0\d|1[0-5])(:[0-5]\d)?$/;

/** One that exists: the database fails on the thirtieth of February. */
const isTimestamp = (text: string): boolean => {
  const [, day, time] = TIMESTAMP.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`);
};

/** @throws AppError invalid_request for anything that `toPage` did not write. */
export const readCursor = (cursor: string | undefined): PageCursor | undefined => {
  if (cursor === undefined) return undefined;
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      typeof createdAt === 'string' &&
      isTimestamp(createdAt) &&
      typeof id === 'string' &&
      /^[\w-]{1,100}$/.test(id)
    )
      return { createdAt, id };
  } catch {}
  throw new AppError('invalid_request', { fields: { after: 'invalid_request' } });
};
