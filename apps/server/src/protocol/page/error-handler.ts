import { type ErrorBody, type ErrorCode, errorStatus, type PageErrorCode } from '@candela/contract';
import type { Context, Middleware } from 'koa';
import { isOutage } from '../../ground/db/outage.ts';
import { AppError } from '../../ground/errors.ts';
import type { Logger } from '../../ground/logger.ts';
import { loggedPath } from '../../http/logged-path.ts';
import { createRefusalLog } from '../../http/refusal-log.ts';
import { stateOf } from '../../http/request-state.ts';
import type { Pages } from './pages.ts';

const OUTAGE_RETRY_SECONDS = 2;

const pageCodes: Partial<Record<ErrorCode, PageErrorCode>> = {
  not_found: 'not_found',
  method_not_allowed: 'not_found',
  interaction_expired: 'interaction_expired',
  misdirected_request: 'misdirected_request',
  rate_limited: 'rate_limited',
  busy: 'unavailable',
  unavailable: 'unavailable',
  internal_error: 'internal_error',
};

const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  if (isOutage(error))
    return new AppError('unavailable', { cause: error, retryAfterSeconds: OUTAGE_RETRY_SECONDS });
  return new AppError('internal_error', { cause: error });
};

/** RFC 6749 section 5.2 has no code for an outage; `temporarily_unavailable` comes from section 4.1.2.1. */
const oauthBody = (status: number) => {
  if (status < 500) return { error: 'invalid_request' };
  return { error: status === 503 ? 'temporarily_unavailable' : 'server_error' };
};

const answerJson = (ctx: Context, error: AppError) => {
  const body: ErrorBody = {
    error: { code: error.code, ...error.details, requestId: stateOf(ctx).requestId },
  };
  ctx.body = ctx.path.startsWith('/oauth/') ? oauthBody(ctx.status) : body;
};

const PROGRAMS = ['/api/', '/ssf/', '/.well-known/', '/prod/user/'];
const MIXED = ['/interaction/', '/oauth/'];

const startsWithOneOf = (path: string, prefixes: readonly string[]) =>
  prefixes.some((prefix) => path.startsWith(prefix));

/** Programs get JSON, people get a page. The path decides where it can, else the Accept header. */
const wantsJson = (ctx: Context, { code }: AppError) => {
  const { path } = ctx;
  if (startsWithOneOf(path, PROGRAMS)) return true;
  if (startsWithOneOf(path, MIXED) && code === 'not_found') return true;
  if (path.startsWith('/interaction/') && (ctx.method !== 'GET' || path.endsWith('/details'))) return true;
  if (path.startsWith('/oauth/') && ctx.method === 'POST') return ctx.accepts('json', 'html') !== 'html';
  return ctx.accepts('html', 'json') !== 'html';
};

/**
 * Turns every error into an answer of the contract. An answer shows nothing of an inner error but the reference.
 * @param onUnavailable hears why a request is answered 503
 */
export const createErrorHandler = (
  logger: Logger,
  pages: Pages,
  onUnavailable: (cause: unknown) => void = () => undefined,
): Middleware => {
  const noteRefusal = createRefusalLog(logger);
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw new AppError('not_found');
    } catch (thrown) {
      const error = toAppError(thrown);
      const status = errorStatus[error.code];
      stateOf(ctx).refusal = error;
      const { requestId } = stateOf(ctx);
      const path = loggedPath(ctx.path);
      const line = { requestId, errorCode: error.code, method: ctx.method, path, err: error.cause };
      if (status === 503) {
        noteRefusal(line);
        onUnavailable(error.cause);
      } else if (status >= 500) logger.error(line, 'request failed');
      ctx.status = status;
      if (error.details.retryAfterSeconds !== undefined)
        ctx.set('Retry-After', String(error.details.retryAfterSeconds));
      if (wantsJson(ctx, error) || !ctx.state.brand) answerJson(ctx, error);
      else pages.renderError(ctx, pageCodes[error.code] ?? 'invalid_request');
    }
  };
};
