import type { Context } from 'koa';
import { AppError } from '../ground/errors.ts';
import { readBody } from './json-body.ts';

/**
 * Reads the body of a form, which has the syntax of a query string.
 * @throws AppError unsupported_media_type, too_large
 */
export const readFormAsQuery = async (ctx: Context, limitBytes: number): Promise<string> => {
  if (!ctx.request.is('application/x-www-form-urlencoded')) throw new AppError('unsupported_media_type');
  const bytes = await readBody(ctx, limitBytes);
  return new URLSearchParams(bytes.toString('utf8')).toString();
};

/** Adds parameters to a body that nobody has read, in front of its own. A request without a body gets one. */
export const prependToForm = ({ req, request }: Context, parameters: string): void => {
  const added = Buffer.from(`${parameters}&`);
  const { headers } = req;
  if (headers['transfer-encoding'] === undefined)
    headers['content-length'] = String((request.length ?? 0) + added.length);
  headers['content-type'] ||= 'application/x-www-form-urlencoded';
  req.unshift(added);
};
