import { AppError } from '../errors.ts';

/** An opaque place in a list: the text of a timestamp and an id. */
export const writeCursor = (createdAt: string, id: string): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');

const TIMESTAMP = /^([12]\d{3}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](0\d|1[0-5])(:[0-5]\d)?$/;

/** One that exists: the database fails on the thirtieth of February. */
const isTimestamp = (text: string): boolean => {
  const [, day, time] = TIMESTAMP.exec(text) ?? [];
  const date = new Date(`${day}T${time}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T${time}`);
};

/** @throws AppError invalid_request for anything that `writeCursor` did not write. */
export const readCursor = (cursor: string | undefined): { createdAt: string; id: string } | undefined => {
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
