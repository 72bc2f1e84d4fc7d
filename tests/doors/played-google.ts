import { randomBytes, randomUUID } from 'node:crypto';
import { createPlayedKey, halfHash, nowInSeconds } from './played-keys.ts';
import {
  createCodes,
  provesChallenge,
  type Reply,
  redirectTo,
  startPlayedProvider,
} from './played-provider.ts';

export interface GooglePerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  /** The domain of a Workspace account. */
  hd?: string;
  name?: string;
}

export interface GoogleApp {
  clientId: string;
  /** Of another client of the same project, with the same secret. */
  otherClientId?: string;
  clientSecret: string;
  redirectUris: readonly string[];
}

const ISSUER = 'https://accounts.google.com';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type/';
const OAUTH = 'https://schemas.openid.net/secevent/oauth/event-type/';

/** The events of Cross-Account Protection, by the last part of their names. */
export const riscEvent = (name: string): string => (name.startsWith('token') ? OAUTH : RISC) + name;

const refuse = (error: string, error_description: string, status = 400): Reply => ({
  status,
  body: { error, error_description },
});

export type PlayedGoogle = Awaited<ReturnType<typeof startPlayedGoogle>>;

/**
 * Google's OpenID Connect and its Cross-Account Protection, as their pages document them, read in November 2026:
 * - https://developers.google.com/identity/openid-connect/openid-connect
 * - https://developers.google.com/identity/protocols/risc
 *
 * Google writes its issuer with a slash at the end in the configuration and the tokens of Cross-Account Protection,
 * and without it in discovery and in ID tokens.
 */
export const startPlayedGoogle = async (app: GoogleApp) => {
  const codes = createCodes<GooglePerson>();
  const accessTokens = new Map<string, GooglePerson>();
  const keys = [await createPlayedKey()];
  let person: GooglePerson | undefined;

  const isKnown = (id: string | null) => id !== null && [app.clientId, app.otherClientId].includes(id);
  const isClient = (form: URLSearchParams, authorization = ''): boolean => {
    const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;
    return (
      authorization === basic ||
      (isKnown(form.get('client_id')) && form.get('client_secret') === app.clientSecret)
    );
  };

  const played = await startPlayedProvider(
    ['accounts.google.com', 'oauth2.googleapis.com', 'www.googleapis.com', 'openidconnect.googleapis.com'],
    {
      'GET /.well-known/openid-configuration': () => ({
        body: {
          issuer: ISSUER,
          authorization_endpoint: `${ISSUER}/o/oauth2/v2/auth`,
          token_endpoint: 'https://oauth2.googleapis.com/token',
          userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
          revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
          jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
          response_types_supported: ['code', 'token', 'id_token', 'code token', 'code id_token', 'none'],
          response_modes_supported: ['query', 'fragment', 'form_post'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          scopes_supported: ['openid', 'email', 'profile'],
          token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
          code_challenge_methods_supported: ['plain', 'S256'],
        },
      }),

      'GET /.well-known/risc-configuration': () => ({
        body: {
          issuer: `${ISSUER}/`,
          jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
          delivery_methods_supported: ['https://schemas.openid.net/secevent/risc/delivery-method/push'],
        },
      }),

      'GET /oauth2/v3/certs': () => ({ body: { keys: keys.map(({ jwk }) => jwk) } }),

      'GET /o/oauth2/v2/auth': ({ query }) => {
        const redirectUri = query.get('redirect_uri') ?? '';
        if (!isKnown(query.get('client_id'))) return refuse('invalid_client', 'unknown client', 401);
        if (!app.redirectUris.includes(redirectUri))
          return refuse('redirect_uri_mismatch', 'unknown redirect_uri');
        if (query.get('response_type') !== 'code') return refuse('invalid_request', 'response_type');
        const state = query.get('state') ?? undefined;
        if (!person) return redirectTo(redirectUri, { error: 'access_denied', state });
        const code = `4/${codes.give(query, person)}`;
        return redirectTo(redirectUri, {
          state,
          code,
          scope: 'email profile openid',
          authuser: '0',
          prompt: 'none',
        });
      },

      'POST /token': async ({ form, headers }) => {
        if (!isClient(form, headers.authorization)) return refuse('invalid_client', 'Unauthorized', 401);
        const spent = codes.spend(form.get('code')?.slice(2) ?? null);
        const challenge = spent?.query.get('code_challenge');
        if (!spent || (challenge && !provesChallenge(challenge, form.get('code_verifier'))))
          return refuse('invalid_grant', 'Malformed auth code.');
        if (spent.query.get('redirect_uri') !== form.get('redirect_uri'))
          return refuse('redirect_uri_mismatch', 'Bad Request');
        const accessToken = `ya29.${randomBytes(24).toString('base64url')}`;
        accessTokens.set(accessToken, spent.granted);
        const id_token = await keys[0]?.sign({
          iss: ISSUER,
          azp: form.get('client_id'),
          aud: form.get('client_id') ?? app.clientId,
          at_hash: halfHash(accessToken),
          nonce: spent.query.get('nonce') ?? undefined,
          iat: nowInSeconds(),
          exp: nowInSeconds() + 3_600,
          ...spent.granted,
        });
        return {
          body: {
            access_token: accessToken,
            expires_in: 3_599,
            scope: 'openid email profile',
            token_type: 'Bearer',
            id_token,
          },
        };
      },

      'GET /v1/userinfo': ({ headers }) => {
        const found = accessTokens.get(headers.authorization?.replace('Bearer ', '') ?? '');
        return found ? { body: found } : refuse('invalid_request', 'Invalid Credentials', 401);
      },
    },
  );

  const subjectOf = (sub: string) => ({ subject_type: 'iss-sub', iss: `${ISSUER}/`, sub });

  return {
    ...played,
    /** Who stands in front of Google; nobody refuses. */
    person: (next: GooglePerson | undefined) => {
      person = next;
    },
    /** Signs with a new key from then on, and serves that key alone. */
    rotateKeys: async () => {
      keys.splice(0, 1, await createPlayedKey());
    },
    signsWith: (claims: Record<string, unknown>) => keys[0]?.sign(claims),
    /** A security event token, the body of its delivery: without `exp`, as it tells what is past. */
    securityEvent: (
      events: Record<string, Record<string, unknown>>,
      claims: Record<string, unknown> = {},
    ): Promise<string> | undefined =>
      keys[0]?.sign(
        {
          iss: `${ISSUER}/`,
          aud: app.clientId,
          iat: nowInSeconds(),
          jti: randomUUID(),
          events,
          ...claims,
        },
        'secevent+jwt',
      ),
    subjectOf,
  };
};
