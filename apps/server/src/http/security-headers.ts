import { isHttps } from '@candela/contract/rules/is-https';
import type { Context, Middleware } from 'koa';
import { stateOf } from './request-state.ts';

const YEAR_SECONDS = 365 * 24 * 3600;

type Directives = Record<string, readonly string[]>;

const writePolicy = (directives: Directives) =>
  Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');

const closed: Directives = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** The policy of the SPA: its own scripts by nonce, and files of the static host. */
const appPolicy = (nonce: string, hosts: readonly string[]): Directives => ({
  ...closed,
  'script-src': [`'nonce-${nonce}'`, "'strict-dynamic'", ...hosts],
  'style-src': ["'self'", `'nonce-${nonce}'`, ...hosts],
  'img-src': ["'self'", 'data:', ...hosts],
  'font-src': ["'self'", ...hosts],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
  'require-trusted-types-for': ["'script'"],
});

/**
 * The policy of the engine's pages, some of which submit a form by a script; the engine adds the hash of the script.
 * Chrome applies form-action to the redirects that follow, so the redirect targets of the app stand in it.
 */
const enginePolicy = (nonce: string, formTargets: readonly string[]): Directives => ({
  ...closed,
  'script-src': [`'nonce-${nonce}'`],
  'style-src': [`'nonce-${nonce}'`],
  'form-action': ["'self'", ...formTargets],
});

/**
 * The policy of the API reference. Its library writes markup from the document of this server, and knows no Trusted
 * Types.
 */
const referencePolicy = (nonce: string): Directives => ({
  ...closed,
  'script-src': [`'nonce-${nonce}'`],
  'style-src': ["'self'", `'nonce-${nonce}'`],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'form-action': ["'none'"],
});

export const setReferencePolicy = (ctx: Context): void =>
  ctx.set('Content-Security-Policy', writePolicy(referencePolicy(stateOf(ctx).nonce)));

export const setAppPolicy = (ctx: Context, assetOrigin?: string): void =>
  ctx.set(
    'Content-Security-Policy',
    writePolicy(appPolicy(stateOf(ctx).nonce, assetOrigin ? [assetOrigin] : [])),
  );

export const setEnginePolicy = (ctx: Context, formTargets: readonly string[] = []): void =>
  ctx.set('Content-Security-Policy', writePolicy(enginePolicy(stateOf(ctx).nonce, formTargets)));

/** Adds form targets to the policy that is already set, hashes and all. */
export const addFormTargets = (ctx: Context, formTargets: readonly string[]): void => {
  const policy = ctx.response.get('Content-Security-Policy');
  if (!policy || formTargets.length === 0) return;
  ctx.set(
    'Content-Security-Policy',
    policy.replace(/form-action ([^;]*)/, `form-action $1 ${formTargets.join(' ')}`),
  );
};

const everywhere = {
  'Content-Security-Policy': writePolicy({ ...closed, 'form-action': ["'none'"] }),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
const onHttps = {
  ...everywhere,
  'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
};

/** The headers of every answer of an origin. */
export const headersFor = (origin: string | undefined): Record<string, string> =>
  isHttps(origin) ? onHttps : everywhere;

/** Sets the headers before anything can be refused; pages replace them by policies of their own. */
export const createSecurityHeaders =
  (publicUrl: string): Middleware =>
  (ctx, next) => {
    ctx.set(headersFor(publicUrl));
    return next();
  };
