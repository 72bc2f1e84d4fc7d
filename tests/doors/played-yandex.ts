import { randomBytes } from 'node:crypto';
import {
  createCodes,
  provesChallenge,
  type Reply,
  redirectTo,
  startPlayedProvider,
} from './played-provider.ts';

export interface YandexPerson {
  id: string;
  login: string;
  psuid: string;
  default_email?: string;
  real_name?: string;
  default_phone?: { id: number; number: string };
}

export interface YandexApp {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

const refuse = (error: string, error_description: string): Reply => ({
  status: 400,
  body: { error, error_description },
});

export type PlayedYandex = Awaited<ReturnType<typeof startPlayedYandex>>;

/**
 * Yandex ID as its pages document it, read in November 2026; there its profile has a host of its own:
 * - https://yandex.com/dev/id/doc/en/codes/code-url
 * - https://yandex.com/dev/id/doc/en/user-information
 */
export const startPlayedYandex = async (app: YandexApp) => {
  const codes = createCodes<YandexPerson>();
  const accessTokens = new Map<string, YandexPerson>();
  let person: YandexPerson | undefined;

  const isClient = (form: URLSearchParams, authorization = ''): boolean => {
    const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`;
    return (
      authorization === basic ||
      (form.get('client_id') === app.clientId && form.get('client_secret') === app.clientSecret)
    );
  };

  const played = await startPlayedProvider(['oauth.yandex.ru', 'login.yandex.ru'], {
    'GET /authorize': ({ query }) => {
      const redirectUri = query.get('redirect_uri') ?? '';
      if (query.get('client_id') !== app.clientId) return refuse('invalid_client', 'Client not found');
      if (redirectUri !== app.redirectUri) return refuse('invalid_request', 'redirect_uri does not match');
      const state = query.get('state') ?? undefined;
      if (!person)
        return redirectTo(redirectUri, { error: 'access_denied', error_description: 'User denied', state });
      const code = codes.give(query, person, randomBytes(8).toString('hex'));
      return redirectTo(redirectUri, { code, state, cid: randomBytes(12).toString('hex') });
    },

    'POST /token': ({ form, headers }) => {
      if (!isClient(form, headers.authorization)) return refuse('invalid_client', 'Wrong client secret');
      if (form.get('grant_type') !== 'authorization_code')
        return refuse('unsupported_grant_type', 'grant_type');
      const spent = codes.spend(form.get('code'));
      if (!spent) return refuse('invalid_grant', 'Code has expired');
      const challenge = spent.query.get('code_challenge');
      if (challenge && !provesChallenge(challenge, form.get('code_verifier')))
        return refuse('invalid_grant', 'code_verifier not matched');
      const accessToken = `y0_${randomBytes(24).toString('base64url')}`;
      accessTokens.set(accessToken, spent.granted);
      return {
        body: {
          token_type: 'bearer',
          access_token: accessToken,
          expires_in: 31_536_000,
          refresh_token: `1:${randomBytes(24).toString('base64url')}`,
          scope: 'login:info login:email',
        },
      };
    },

    'GET /info': ({ headers }) => {
      const found = accessTokens.get(headers.authorization?.replace('OAuth ', '') ?? '');
      if (!found) return { status: 401, body: '', type: 'text/plain' };
      const emails = found.default_email ? [found.default_email] : [];
      return { body: { ...found, client_id: app.clientId, emails } };
    },
  });

  return {
    ...played,
    /** Who stands in front of Yandex; nobody refuses. */
    person: (next: YandexPerson | undefined) => {
      person = next;
    },
  };
};
