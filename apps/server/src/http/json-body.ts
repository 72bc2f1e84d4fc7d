import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { AppError } from '../errors.ts';

const LIMIT_BYTES = 64 * 1024;

const isTooLarge = (error: unknown) => (error as { type?: string }).type === 'entity.too.large';

/** Databases store neither NUL nor half a surrogate pair, and JSON can spell both. */
const storable = (_key: string, value: unknown): unknown => {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    throw new AppError('invalid_request');
  return value;
};

/**
 * Reads a JSON body of at most 64 KiB.
 * @throws AppError unsupported_media_type, too_large, invalid_request
 */
export const readJsonBody = async (ctx: Context): Promise<unknown> => {
  if (!ctx.request.is('application/json')) throw new AppError('unsupported_media_type');
  const bytes = await getRawBody(ctx.req, {
    limit: LIMIT_BYTES,
    ...(ctx.request.length !== undefined && { length: ctx.request.length }),
  }).catch((cause: unknown) => {
    throw new AppError(isTooLarge(cause) ? 'too_large' : 'invalid_request', { cause });
  });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), storable);
  } catch (cause) {
    throw new AppError('invalid_request', { cause });
  }
};
