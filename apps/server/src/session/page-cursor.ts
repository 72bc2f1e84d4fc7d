import { AppError } from '../errors.ts';

/** An opaque place in a list: the text of a timestamp and an id. */
export const writeCursor = (createdAt: string, id: string): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');

const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?$/;

/** @throws AppError invalid_request for anything that `writeCursor` did not write. */
export const readCursor = (cursor: string | undefined): { createdAt: string; id: string } | undefined => {
  if (cursor === undefined) return undefined;
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      typeof createdAt === 'string' &&
      TIMESTAMP.test(createdAt) &&
      typeof id === 'string' &&
      /^[\w-]{1,100}$/.test(id)
    )
      return { createdAt, id };
  } catch {}
  throw new AppError('invalid_request', { fields: { after: 'invalid_request' } });
};
