import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { AppError } from '../errors.ts';

/** A place in a list that is ordered by creation, newest first, and then by id. */
export interface PageCursor {
  /** A timestamp as the database writes it: a Date would lose the microseconds. */
  createdAt: string;
  id: string;
}

/** A part of such a list: `limit` rows after the cursor. */
export interface PageChoice {
  limit: number;
  after?: PageCursor | undefined;
}

/** The columns that a query of such a list selects, and its order. */
export const cursorAt: RawBuilder<string> = sql<string>`cast(created_at as text)`;

/** The condition for rows after the cursor, in a form for which PostgreSQL uses an index on creation and id. */
export const isAfter = (idColumn: string, { createdAt, id }: PageCursor): RawBuilder<SqlBool> => {
  const at = sql`cast(${createdAt} as timestamptz)`;
  return sql<SqlBool>`created_at <= ${at} and (created_at < ${at} or ${sql.ref(idColumn)} > ${id})`;
};

/** Splits the rows of a query, which asked for one row more than fits, into a page and the cursor of the next one. */
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

/** Whether a timestamp exists: the database fails on the thirtieth of February. */
const isTimestamp = (text: string): boolean => {
  const [, day, time] = TIMESTAMP.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`);
};

/** @throws AppError invalid_request for a cursor that `toPage` did not write. */
export const readCursor = (cursor: string | undefined): PageCursor | undefined => {
  if (cursor === undefined) return undefined;
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      typeof createdAt === 'string' &&
      isTimestamp(createdAt) &&
      typeof id === 'string' &&
      /^[\x21-\x7e]{1,200}$/.test(id)
    )
      return { createdAt, id };
  } catch {}
  throw new AppError('invalid_request', { fields: { after: 'invalid_request' } });
};
