import type { Context } from 'koa';
import { answerIllFormedCredentials } from './client/client-authentication.ts';
import { describeDeviceAuthorization } from './device/device-flow.ts';
import { authenticatedPaths, endpoints } from './endpoints.ts';
import { tellIntrospected } from './refresh/expiration.ts';

const { token, introspection, revocation, device_authorization } = endpoints;

/** How one answer of the engine differs from what is to be answered. */
interface Correction {
  at: readonly string[];
  /** The engine's answer: its error, or `none` where it is a success. */
  error: string;
  /** @param issuer the brand's origin. */
  correct(ctx: Context, issuer: string): void;
}

/** RFC 6749 section 5.2; `describeAnswer` adds the description. */
export const answerInvalidGrant = (ctx: Context): void => {
  ctx.status = 400;
  ctx.body = { error: 'invalid_grant' };
};

/** What the event and the developers of the client see of a request that waits, and when it may be tried again. */
const postponements = {
  suspended: { retrySeconds: 900, detail: 'the account is disabled: its link is suspended' },
  keys: { retrySeconds: 10, detail: 'the keys that verify the assertion cannot be fetched' },
  narrowed: { retrySeconds: 1, detail: 'the person took scopes away meanwhile: nothing is spent' },
  clock: {
    retrySeconds: 30,
    detail:
      'by the clock of the database the refresh token has ended, and the clock of this process differs by more than 30 s: one of them is wrong',
  },
  elsewhere: {
    retrySeconds: 60,
    detail:
      'the refresh token is of a brand that is not served, or the database has had no link of the client for long: is it the right one?',
  },
  moving: { retrySeconds: 5, detail: 'an import of links is not complete, and may bring this refresh token' },
};

/** Homes take `invalid_grant` for the end of the link, and 503 for a reason to ask again. Answers what is told of it. */
export const answerPostponed = (ctx: Context, why: keyof typeof postponements) => {
  const { retrySeconds, detail } = postponements[why];
  ctx.status = 503;
  ctx.set('Retry-After', String(retrySeconds));
  ctx.body = { error: 'temporarily_unavailable' };
  return { error: 'temporarily_unavailable', error_detail: detail };
};

/** RFC 7662 section 2.2: whatever is no stored token is inactive, a JWT too. */
const answerInactive = (ctx: Context) => {
  ctx.status = 200;
  ctx.body = { active: false };
};

/** RFC 7662 section 2.1: a client that cannot authenticate learns nothing, not even about its own tokens. */
const refusePublicClient = (ctx: Context) => {
  if (ctx.oidc?.client?.clientAuthMethod !== 'none') return;
  ctx.status = 401;
  ctx.body = { error: 'invalid_client', error_description: 'introspection is for confidential clients' };
};

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** RFC 6749 section 5.2, RFC 8628 section 3.2: the error of a client that may not use a grant type. */
const answerUnauthorizedClient = (ctx: Context) => {
  const { client, params } = ctx.oidc ?? {};
  const grantType = ctx.path === device_authorization ? DEVICE_CODE : params?.grant_type;
  if (!client || typeof grantType !== 'string' || client.grantTypeAllowed(grantType)) return;
  ctx.body = { error: 'unauthorized_client', error_description: 'the client may not use this grant type' };
};

/** RFC 7636 section 4.6: the engine checks a verifier's form after it found the code, so its error would betray the code. */
const answerMalformedVerifier = (ctx: Context) => {
  const { error_description: text } = ctx.body as { error_description?: string };
  if (text?.startsWith('code_verifier ')) answerInvalidGrant(ctx);
};

/** An empty answer has no type: libraries take one that is not JSON for a fault. */
const answerEmpty = (ctx: Context) => ctx.remove('Content-Type');

/** In their order: a later one sees what an earlier one made. */
const corrections: readonly Correction[] = [
  { at: [introspection], error: 'unsupported_token_type', correct: answerInactive },
  { at: [introspection], error: 'none', correct: refusePublicClient },
  { at: [introspection], error: 'none', correct: tellIntrospected },
  { at: [revocation], error: 'none', correct: answerEmpty },
  { at: [device_authorization], error: 'none', correct: describeDeviceAuthorization },
  { at: [token], error: 'invalid_grant', correct: answerInvalidGrant },
  { at: authenticatedPaths, error: 'invalid_request', correct: answerIllFormedCredentials },
  { at: [token], error: 'invalid_request', correct: answerMalformedVerifier },
  { at: [token, device_authorization], error: 'invalid_request', correct: answerUnauthorizedClient },
];

const errorOf = (ctx: Context): string | undefined => {
  if (ctx.status < 400) return 'none';
  return (ctx.body as { error?: string } | undefined)?.error;
};

const correctionsAt = new Map<string, readonly Correction[]>(
  Object.values(endpoints).map((path) => [path, corrections.filter(({ at }) => at.includes(path))]),
);

/** Makes of the engine's answer the one that is documented, where the two differ. */
export const correctAnswer = (ctx: Context, issuer: string): void => {
  // All of these are asked by POST; what else comes there is a browser's preflight, which has no body.
  if (ctx.method !== 'POST') return;
  for (const { error, correct } of correctionsAt.get(ctx.path) ?? [])
    if (errorOf(ctx) === error) correct(ctx, issuer);
};
