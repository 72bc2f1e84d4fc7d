import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { type Locale, matchLocale } from '@candela/contract';
import type { Context, Middleware } from 'koa';
import type { Logger } from '../logger.ts';

const ACCEPT_LANGUAGE_LENGTH = 1_000;
const LOCALE_COOKIE = 'locale';

/** Tags of Accept-Language (RFC 9110 section 12.5.4), most wanted first; only so much of the header is read. */
const readAcceptLanguage = (header: string): string[] =>
  header
    .slice(0, ACCEPT_LANGUAGE_LENGTH)
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.trim().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);

/** The person's choice, then the browser's languages, then English. */
const chooseLocale = (ctx: Context): Locale =>
  matchLocale([
    ctx.cookies.get(LOCALE_COOKIE, { signed: false }) ?? '',
    ...readAcceptLanguage(ctx.get('accept-language')),
  ]) ?? 'en';

/** What X-Forwarded-For says is believed only where it is an address; nonsense falls back to the socket's. */
const addressOf = (ctx: Context): string => (isIP(ctx.ip) ? ctx.ip : (ctx.req.socket.remoteAddress ?? ''));

/** Gives the request its id, nonce, language and address, and logs how it ended. */
export const createRequestMiddleware =
  (logger: Logger): Middleware =>
  async (ctx, next) => {
    const started = performance.now();
    ctx.state.requestId = randomBytes(9).toString('base64url');
    ctx.state.nonce = randomBytes(16).toString('base64url');
    ctx.state.locale = chooseLocale(ctx);
    ctx.state.address = addressOf(ctx);
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
    const { requestId, brand } = ctx.state;
    logger.debug(
      {
        requestId,
        brand: brand?.id,
        method: ctx.method,
        path: ctx.path,
        status: ctx.status,
        milliseconds: Math.round(performance.now() - started),
      },
      'request',
    );
  };
