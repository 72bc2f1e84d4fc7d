import { createHmac, hash } from 'node:crypto';

/** The origin that every server of the bench is configured with, wherever it listens. */
export const ORIGIN = 'http://localhost:3000';
export const HOST = new URL(ORIGIN).host;

export const CLIENT_ID = 'bench';
const CLIENT_SECRET = 'a-secret-of-the-bench-and-of-nothing-else';
export const REDIRECT_URI = 'https://app.example/callback';
export const SCOPE = 'openid profile email';

/** A confidential web app with refresh tokens, like a home hub. */
export const clientMetadata = {
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  client_name: 'Bench',
  client_uri: 'https://app.example/',
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
};

/** RFC 6749 section 2.3.1. */
export const clientAuthorization = `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}`;

/** One verifier for all requests: the cost of checking it does not depend on its value. */
export const CODE_VERIFIER = 'a-code-verifier-of-the-bench-that-is-long-enough';
export const CODE_CHALLENGE = hash('sha256', CODE_VERIFIER, 'base64url');

/** The models stored under a grant, by the engine’s names. */
export type TokenModel = 'AuthorizationCode' | 'AccessToken' | 'RefreshToken';

/** Tokens made in bulk, each with its own grant; their values are derived from batch and number. */
export interface Batch {
  name: string;
  count: number;
  models: readonly TokenModel[];
}

/** The one key that signs cookies in the bench. */
export const COOKIE_KEY = 'a-cookie-key-of-the-bench-and-of-nothing-else';

/** The cookies of a browser with a session of a batch, signed as Koa signs them. */
export const sessionCookies = (batch: string, index: number): Map<string, string> => {
  const id = tokenValue('Session', batch, index);
  const signature = createHmac('sha1', COOKIE_KEY).update(`_session=${id}`).digest('base64url');
  return new Map([
    ['_session', id],
    ['_session.sig', signature],
  ]);
};

/** A token's value, or an id; see `base64url_hash` in mint.ts. */
export const tokenValue = (
  model: TokenModel | 'Account' | 'Grant' | 'Session' | 'SessionUid',
  batch: string,
  index: number,
): string => hash('sha256', `${model}/${batch}/${index}`, 'base64url');
