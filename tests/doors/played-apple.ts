import { randomBytes, randomUUID } from 'node:crypto';
import { type CryptoKey, jwtVerify } from 'jose';
import { createPlayedKey, halfHash, nowInSeconds } from './played-keys.ts';
import { createCodes, postTo, type Reply, redirectTo, startPlayedProvider } from './played-provider.ts';

/** A person at Apple. Apple writes the two marks of the e-mail as strings or as booleans. */
export interface ApplePerson {
  sub: string;
  email?: string;
  email_verified?: boolean | 'true' | 'false';
  is_private_email?: boolean | 'true' | 'false';
  name?: { firstName: string; lastName: string };
}

export interface AppleApp {
  clientId: string;
  teamId: string;
  keyId: string;
  publicKey: CryptoKey;
  redirectUris: readonly string[];
}

const ISSUER = 'https://appleid.apple.com';

/** Six months, the longest life of a client secret. */
const LONGEST_SECRET_SECONDS = 15_777_000;

const refuse = (error: string): Reply => ({ status: 400, body: { error } });

export type PlayedApple = Awaited<ReturnType<typeof startPlayedApple>>;

/**
 * Sign in with Apple, as its REST API is documented, read in November 2026:
 * - https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.
 * - https://developer.apple.com/documentation/signinwithapplerestapi/generate-and-validate-tokens
 * - https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens
 * - https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 * - https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts
 */
export const startPlayedApple = async (app: AppleApp) => {
  const codes = createCodes<ApplePerson>();
  const refreshTokens = new Map<string, ApplePerson>();
  const met = new Set<string>();
  const revoked: string[] = [];
  const keys = [await createPlayedKey()];
  let person: ApplePerson | undefined;

  const idToken = ({ name: _, ...claims }: ApplePerson, more: Record<string, unknown>) =>
    keys[0]?.sign({
      iss: ISSUER,
      aud: app.clientId,
      iat: nowInSeconds(),
      exp: nowInSeconds() + 86_400,
      auth_time: nowInSeconds(),
      nonce_supported: true,
      ...claims,
      ...more,
    });

  const isClient = async (form: URLSearchParams): Promise<boolean> => {
    if (form.get('client_id') !== app.clientId) return false;
    try {
      const { payload, protectedHeader } = await jwtVerify(form.get('client_secret') ?? '', app.publicKey, {
        algorithms: ['ES256'],
        issuer: app.teamId,
        subject: app.clientId,
        audience: ISSUER,
        requiredClaims: ['iat', 'exp'],
      });
      const { iat = 0, exp = Number.POSITIVE_INFINITY } = payload;
      return protectedHeader.kid === app.keyId && exp - iat <= LONGEST_SECRET_SECONDS;
    } catch {
      return false;
    }
  };

  const played = await startPlayedProvider(['appleid.apple.com'], {
    'GET /.well-known/openid-configuration': () => ({
      body: {
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/auth/authorize`,
        token_endpoint: `${ISSUER}/auth/token`,
        revocation_endpoint: `${ISSUER}/auth/revoke`,
        jwks_uri: `${ISSUER}/auth/keys`,
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'fragment', 'form_post'],
        subject_types_supported: ['pairwise'],
        id_token_signing_alg_values_supported: ['RS256'],
        scopes_supported: ['openid', 'email', 'name'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      },
    }),

    'GET /auth/keys': () => ({ body: { keys: keys.map(({ jwk }) => jwk) } }),

    'GET /auth/authorize': ({ query }) => {
      const redirectUri = query.get('redirect_uri') ?? '';
      const scopes = query.get('scope')?.split(' ') ?? [];
      const asksForm = scopes.includes('name') || scopes.includes('email');
      if (query.get('client_id') !== app.clientId) return refuse('invalid_client');
      if (!app.redirectUris.includes(redirectUri)) return refuse('invalid_redirect_uri');
      if (query.get('response_type') !== 'code') return refuse('unsupported_response_type');
      if (asksForm && query.get('response_mode') !== 'form_post') return refuse('invalid_request');
      const state = query.get('state') ?? undefined;
      if (!person) return postTo(redirectUri, { error: 'user_cancelled_authorize', state });

      const isFirst = !met.has(person.sub);
      met.add(person.sub);
      const user =
        isFirst && scopes.includes('name') && person.name
          ? JSON.stringify({ name: person.name, email: person.email })
          : undefined;
      const answer = { code: codes.give(query, person), state, user };
      return asksForm ? postTo(redirectUri, answer) : redirectTo(redirectUri, answer);
    },

    'POST /auth/token': async ({ form }) => {
      if (!(await isClient(form))) return refuse('invalid_client');
      const accessToken = randomBytes(16).toString('hex');
      if (form.get('grant_type') === 'refresh_token') {
        const known = refreshTokens.get(form.get('refresh_token') ?? '');
        if (!known) return refuse('invalid_grant');
        const id_token = await idToken(known, {});
        return { body: { access_token: accessToken, token_type: 'Bearer', expires_in: 3_600, id_token } };
      }
      const spent = codes.spend(form.get('code'));
      if (!spent || spent.query.get('redirect_uri') !== form.get('redirect_uri'))
        return refuse('invalid_grant');
      const refreshToken = randomBytes(16).toString('hex');
      refreshTokens.set(refreshToken, spent.granted);
      const id_token = await idToken(spent.granted, {
        nonce: spent.query.get('nonce') ?? undefined,
        at_hash: halfHash(accessToken),
      });
      return {
        body: {
          access_token: accessToken,
          token_type: 'Bearer',
          expires_in: 3_600,
          refresh_token: refreshToken,
          id_token,
        },
      };
    },

    // 200 without a body, also for a token that is unknown.
    'POST /auth/revoke': async ({ form }) => {
      if (!(await isClient(form))) return refuse('invalid_client');
      const token = form.get('token') ?? '';
      if (refreshTokens.delete(token)) revoked.push(token);
      return { body: '' };
    },
  });

  return {
    ...played,
    /** Who stands in front of Apple; nobody refuses. */
    person: (next: ApplePerson | undefined) => {
      person = next;
    },
    /** The refresh tokens that were revoked. */
    revoked,
    /** Signs with a new key from then on, and serves that key alone. */
    rotateKeys: async () => {
      keys.splice(0, 1, await createPlayedKey());
    },
    signsWith: (claims: Record<string, unknown>) => keys[0]?.sign(claims),
    /** The body of a server-to-server notification: `events` is JSON within a JWT within JSON. */
    notification: async (
      event: { type: string; sub: string; email?: string; is_private_email?: boolean | string },
      claims: Record<string, unknown> = {},
    ) => ({
      payload: await keys[0]?.sign({
        iss: ISSUER,
        aud: app.clientId,
        iat: nowInSeconds(),
        jti: randomUUID(),
        events: JSON.stringify({ ...event, event_time: Date.now() }),
        ...claims,
      }),
    }),
  };
};
