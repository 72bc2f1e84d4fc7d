import type { Context, Middleware } from 'koa';
import { Counter, Histogram, type Registry } from 'prom-client';
import { isOutage } from '../../ground/db/outage.ts';
import { stateOf } from '../../http/request-state.ts';
import { endpoints } from '../../protocol/oidc/endpoints.ts';
import { methodOf, routeOf } from './route-of.ts';

/** From an answer out of the cache to the longest wait for the database. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** RFC 6749 sections 4 and 6, RFC 8628 section 3.4, by the last part of their names. */
const GRANT_TYPES: Readonly<Record<string, string>> = {
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  client_credentials: 'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code': 'device_code',
};

/** The errors of the token endpoint (RFC 6749 section 5.2, RFC 8628 section 3.5, RFC 8707, RFC 9449). */
const TOKEN_ERRORS: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
  'invalid_target',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'server_error',
  'temporarily_unavailable',
]);

const grantTypeOf = (ctx: Context): string => {
  const named = ctx.oidc?.params?.grant_type;
  return (typeof named === 'string' && GRANT_TYPES[named]) || 'other';
};

const tokenOutcomeOf = (ctx: Context): string => {
  if (ctx.status < 400) return 'issued';
  const { error } = (ctx.body ?? {}) as { error?: unknown };
  return typeof error === 'string' && TOKEN_ERRORS.has(error) ? error : 'other';
};

/** Why the answer is 503. */
const unavailableBecause = (ctx: Context): string => {
  const { refusal } = stateOf(ctx);
  if (!refusal) return 'not_ready';
  if (refusal.code === 'busy') return 'busy';
  return isOutage(refusal.cause) ? 'database' : 'gateway';
};

/** Measures requests, by labels of which there are few whatever is asked. */
export const createRequestMetrics = (registry: Registry): Middleware => {
  const requests = new Histogram({
    name: 'candela_http_request_duration_seconds',
    help: 'Requests, by the template of their path, until their answer stood',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const tokens = new Histogram({
    name: 'candela_token_request_duration_seconds',
    help: 'Requests to the token endpoint, by grant type, and by `issued` or the error',
    labelNames: ['grant_type', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const unavailable = new Counter({
    name: 'candela_unavailable_total',
    help: 'Requests that were answered with 503, by what was not to be had',
    labelNames: ['reason'],
    registers: [registry],
  });
  const misdirected = new Counter({
    name: 'candela_misdirected_total',
    help: 'Requests whose Host is that of no brand, answered with 421',
    registers: [registry],
  });
  // Of a series that begins at its first request Prometheus sees no increase before the second.
  requests.zero({ route: 'other', method: 'GET', status: '5xx' });
  for (const grant_type of Object.values(GRANT_TYPES))
    for (const outcome of ['issued', 'invalid_grant', 'invalid_client', 'temporarily_unavailable'])
      tokens.zero({ grant_type, outcome });
  for (const reason of ['database', 'busy', 'gateway', 'not_ready']) unavailable.inc({ reason }, 0);
  const measure = (ctx: Context, seconds: number) => {
    const status = `${Math.trunc(ctx.status / 100)}xx`;
    requests.observe({ route: routeOf(ctx), method: methodOf(ctx), status }, seconds);
    if (ctx.path === endpoints.token && ctx.method === 'POST')
      tokens.observe({ grant_type: grantTypeOf(ctx), outcome: tokenOutcomeOf(ctx) }, seconds);
    if (ctx.status === 421) misdirected.inc();
    if (ctx.status === 503) unavailable.inc({ reason: unavailableBecause(ctx) });
  };
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    measure(ctx, (performance.now() - started) / 1_000);
  };
};
