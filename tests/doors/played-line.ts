import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { createPlayedKey, nowInSeconds } from './played-keys.ts';
import {
  createCodes,
  provesChallenge,
  type Reply,
  redirectTo,
  startPlayedProvider,
} from './played-provider.ts';

export interface LinePerson {
  sub: string;
  name?: string;
  email?: string;
}

export interface LineApp {
  channelId: string;
  channelSecret: string;
  redirectUri: string;
}

const ISSUER = 'https://access.line.me';
const API = 'https://api.line.me/oauth2/v2.1';

const refuse = (error: string, error_description: string): Reply => ({
  status: 400,
  body: { error, error_description },
});

export type PlayedLine = Awaited<ReturnType<typeof startPlayedLine>>;

/**
 * LINE Login 2.1, as its pages document it, read in November 2026:
 * - https://developers.line.biz/en/docs/line-login/integrate-line-login/
 * - https://developers.line.biz/en/docs/line-login/verify-id-token/
 * - https://developers.line.biz/en/reference/line-login/
 *
 * Discovery names ES256, with which LINE signs for native apps. For web apps it signs with HS256 and the channel secret.
 */
export const startPlayedLine = async (app: LineApp) => {
  const codes = createCodes<LinePerson>();
  const accessTokens = new Map<string, LinePerson>();
  const key = await createPlayedKey('ES256');
  let person: LinePerson | undefined;

  const played = await startPlayedProvider(['access.line.me', 'api.line.me'], {
    'GET /.well-known/openid-configuration': () => ({
      body: {
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/oauth2/v2.1/authorize`,
        token_endpoint: `${API}/token`,
        revocation_endpoint: `${API}/revoke`,
        userinfo_endpoint: `${API}/userinfo`,
        scopes_supported: ['openid', 'profile', 'email'],
        jwks_uri: `${API}/certs`,
        response_types_supported: ['code'],
        subject_types_supported: ['pairwise'],
        id_token_signing_alg_values_supported: ['ES256'],
        code_challenge_methods_supported: ['S256'],
      },
    }),

    'GET /oauth2/v2.1/certs': () => ({ body: { keys: [key.jwk] } }),

    'GET /oauth2/v2.1/authorize': ({ query }) => {
      const redirectUri = query.get('redirect_uri') ?? '';
      if (query.get('client_id') !== app.channelId || redirectUri !== app.redirectUri)
        return refuse('INVALID_REQUEST', 'Invalid redirect_uri value.');
      if (!query.get('state')) return refuse('INVALID_REQUEST', 'state is required.');
      const state = query.get('state') ?? undefined;
      if (!person) {
        const words = 'The resource owner denied the request.';
        return redirectTo(redirectUri, { error: 'access_denied', error_description: words, state });
      }
      return redirectTo(redirectUri, { code: codes.give(query, person), state });
    },

    'POST /oauth2/v2.1/token': async ({ form, headers }) => {
      const basic = `Basic ${Buffer.from(`${app.channelId}:${app.channelSecret}`).toString('base64')}`;
      const isInBody =
        form.get('client_id') === app.channelId && form.get('client_secret') === app.channelSecret;
      if (!isInBody && headers.authorization !== basic)
        return refuse('invalid_client', 'invalid client_secret');
      const spent = codes.spend(form.get('code'));
      const challenge = spent?.query.get('code_challenge');
      if (!spent || (challenge && !provesChallenge(challenge, form.get('code_verifier'))))
        return refuse('invalid_grant', 'invalid authorization code');
      if (spent.query.get('redirect_uri') !== form.get('redirect_uri'))
        return refuse('invalid_request', 'redirect_uri does not match');
      const id_token = await new SignJWT({
        iss: ISSUER,
        aud: app.channelId,
        iat: nowInSeconds(),
        exp: nowInSeconds() + 3_600,
        nonce: spent.query.get('nonce') ?? undefined,
        amr: ['linesso'],
        ...spent.granted,
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .sign(new TextEncoder().encode(app.channelSecret));
      const accessToken = randomBytes(24).toString('base64url');
      accessTokens.set(accessToken, spent.granted);
      return {
        body: {
          access_token: accessToken,
          expires_in: 2_592_000,
          id_token,
          refresh_token: randomBytes(24).toString('base64url'),
          scope: 'openid profile email',
          token_type: 'Bearer',
        },
      };
    },

    // Without the e-mail address, which only the ID Token has.
    'GET /oauth2/v2.1/userinfo': ({ headers }) => {
      const found = accessTokens.get(headers.authorization?.replace('Bearer ', '') ?? '');
      if (!found) return { status: 401, body: { error: 'invalid_token' } };
      return { body: { sub: found.sub, name: found.name } };
    },
  });

  return {
    ...played,
    /** Who stands in front of LINE; nobody refuses. */
    person: (next: LinePerson | undefined) => {
      person = next;
    },
  };
};
