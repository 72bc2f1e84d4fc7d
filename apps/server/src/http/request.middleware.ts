import { randomBytes, randomUUID } from 'node:crypto';
import { type Locale, matchLocale } from '@candela/contract';
import type { Context, Middleware } from 'koa';
import { limitWaiting } from '../ground/db/waiting-time.ts';
import { runWithReference } from '../ground/event/request-reference.ts';
import type { Logger } from '../ground/logger.ts';
import { readForwardedAddress } from './forwarded-address.ts';
import { loggedPath } from './logged-path.ts';
import type { RequestState } from './request-state.ts';

const ACCEPT_LANGUAGE_LENGTH = 1_000;
const LOCALE_COOKIE = 'locale';

/** The tags of Accept-Language (RFC 9110 section 12.5.4), most preferred first. The rest of a long header is ignored. */
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

const findChoice = (ctx: Context): Locale | undefined =>
  matchLocale([ctx.cookies.get(LOCALE_COOKIE, { signed: false }) ?? '']);

const findBrowserLocale = (ctx: Context): Locale =>
  findChoice(ctx) ?? matchLocale(readAcceptLanguage(ctx.get('accept-language'))) ?? 'en';

/** The address in X-Forwarded-For, where the header holds one; else the address of the socket. */
const addressOf = (ctx: Context): string =>
  readForwardedAddress(ctx.ip) ?? ctx.req.socket.remoteAddress ?? '';

/** The state of a request, but for its brand. A fact that only some requests need is computed when it is read. */
class State implements Omit<RequestState, 'brand'> {
  readonly #ctx: Context;
  #nonce: string | undefined;
  #locale: Locale | undefined;
  #browserLocale: Locale | undefined;
  #address: string | undefined;
  // Short enough to be read out on the phone, and all of its 48 bits are random.
  readonly requestId = randomUUID().slice(-12);

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  get nonce() {
    this.#nonce ??= randomBytes(16).toString('base64url');
    return this.#nonce;
  }

  get locale() {
    return this.#locale ?? this.browserLocale;
  }

  set locale(known) {
    this.#locale = known;
  }

  get browserLocale() {
    this.#browserLocale ??= findBrowserLocale(this.#ctx);
    return this.#browserLocale;
  }

  get choseLocale() {
    return findChoice(this.#ctx) !== undefined;
  }

  get address() {
    this.#address ??= addressOf(this.#ctx);
    return this.#address;
  }
}

/** Gives the request its id, nonce, language and address, and logs how it ended. */
export const createRequestMiddleware =
  (logger: Logger): Middleware =>
  async (ctx, next) => {
    const started = performance.now();
    const state = new State(ctx);
    ctx.state = state;
    ctx.set('X-Request-Id', state.requestId);
    await limitWaiting(() => runWithReference(state.requestId, next));
    if (!logger.isLevelEnabled('debug')) return;
    logger.debug(
      {
        requestId: state.requestId,
        brand: ctx.state.brand?.id,
        method: ctx.method,
        path: loggedPath(ctx.path),
        status: ctx.status,
        milliseconds: Math.round(performance.now() - started),
      },
      'request',
    );
  };
