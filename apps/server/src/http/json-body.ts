import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { isStorable } from '../ground/db/storable-text.ts';
import { AppError } from '../ground/errors.ts';

const LIMIT_BYTES = 64 * 1024;

const isTooLarge = (error: unknown) => (error as { type?: string }).type === 'entity.too.large';

/**
 * Parses the JSON that the API takes: without NUL and lone surrogates, which databases cannot store, and without a name
 * twice in an object, since readers disagree on which of the two counts (RFC 8259 section 4).
 */
const parse = (text: string): unknown => {
  let members = -1;
  const value: unknown = JSON.parse(text, function (this: unknown, key, inner: unknown) {
    if (!Array.isArray(this)) members += 1;
    for (const part of [key, inner]) {
      if (typeof part === 'string' && !isStorable(part)) throw new SyntaxError('text');
    }
    return inner;
  });
  const written = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
  if (written !== members) throw new SyntaxError('a name stands twice');
  return value;
};

/** @throws AppError too_large, invalid_request */
export const readBody = (ctx: Context, limitBytes: number): Promise<Buffer> =>
  getRawBody(ctx.req, {
    limit: limitBytes,
    ...(ctx.request.length !== undefined && { length: ctx.request.length }),
  }).catch((cause: unknown) => {
    throw new AppError(isTooLarge(cause) ? 'too_large' : 'invalid_request', { cause });
  });

/**
 * Reads a JSON body of at most 64 KiB.
 * @throws AppError unsupported_media_type, too_large, invalid_request
 */
export const readJsonBody = async (ctx: Context): Promise<unknown> => {
  if (!ctx.request.is('application/json')) throw new AppError('unsupported_media_type');
  const bytes = await readBody(ctx, LIMIT_BYTES);
  try {
    return parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw new AppError('invalid_request', { cause });
  }
};
