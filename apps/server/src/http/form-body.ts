import type { Context } from 'koa';
import { AppError } from '../errors.ts';
import { readBody } from './json-body.ts';

/**
 * Reads a form as the query string that it is.
 * @throws AppError unsupported_media_type, too_large
 */
export const readFormAsQuery = async (ctx: Context, limitBytes: number): Promise<string> => {
  if (!ctx.request.is('application/x-www-form-urlencoded')) throw new AppError('unsupported_media_type');
  const bytes = await readBody(ctx, limitBytes);
  return new URLSearchParams(bytes.toString('utf8')).toString();
};
