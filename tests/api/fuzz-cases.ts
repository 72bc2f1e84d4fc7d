import type { Random } from '../support/random.ts';
import type { RequestOptions } from '../support/user-agent.ts';
import { endpoints, pathOf } from './routes.ts';

const strings = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '\r\n',
  "' or 1=1 --",
  '{{7*7}}',
  '../../etc/passwd',
  '%00',
  '%2e%2e',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  'true',
  'null',
  '-1',
  '9'.repeat(400),
  'a'.repeat(3000),
  '１２３４５６',
  '123456',
  'a@b.example',
  'a@b@c',
  '+8613800138000',
  '+1',
  'pass＠word',
  '👩‍👩‍👧‍👦',
  'é'.normalize('NFD'),
  'login',
  'consent',
  'openid profile',
  'S256',
  'code',
  'https://app.example/callback',
  'authorization_code',
  'refresh_token',
  'candela-portal',
  'none',
  '__proto__',
  'constructor',
  '[object Object]',
  'eyJhbGciOiJub25lIn0.e30.',
  'WyIiLCIiXQ',
] as const;

const names = [
  'identifier',
  'password',
  'code',
  'ticket',
  'purpose',
  'agreements',
  'scopes',
  'id',
  'version',
  'after',
  'except',
  '__proto__',
  'constructor',
  'toString',
  'surprise',
  'a.b',
  '',
] as const;

const parameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'ui_locales',
  'user_locale',
  'login_hint',
  'acr_values',
  'id_token_hint',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
  'resource',
  'claims',
  'grant_type',
  'code',
  'code_verifier',
  'refresh_token',
  'token',
  'token_type_hint',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'post_logout_redirect_uri',
  'logout',
  'xsrf',
  'dpop_jkt',
  'return_to',
  'iss',
  'error',
  'interaction',
  'ended',
  'after',
  'access_token',
] as const;

const value = (random: Random, depth = 0): unknown => {
  const kind = random.below(depth > 3 ? 5 : 7);
  if (kind === 0) return null;
  if (kind === 1) return random.pick([0, -1, 1.5, 1e308, 2 ** 53, true, false]);
  if (kind < 5) return random.pick(strings);
  if (kind === 5) return Array.from({ length: random.below(4) }, () => value(random, depth + 1));
  return body(random, depth + 1);
};

const body = (random: Random, depth = 0): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: random.below(6) }, () => [random.pick(names), value(random, depth)]),
  );

/** Sometimes breaks a text at one place. */
const damage = (random: Random, text: string) => {
  if (random.below(4) > 0) return text;
  const at = random.below(text.length + 1);
  return (
    text.slice(0, at) +
    random.pick(['', '"', '{', ',', '\\', '\\u0000', '\ufeff', ':', ']']) +
    text.slice(at + random.below(3))
  );
};

const query = (random: Random) => {
  const pairs = Array.from({ length: random.below(8) }, () => {
    const text = random.pick(strings);
    const encoded = text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
    return `${random.pick(parameters)}${random.pick(['', '', '', '[]', '[a]'])}=${random.below(10) ? encoded : random.pick(['%', '%zz', '%ff', '+'])}`;
  });
  return pairs.join('&');
};

const headers = (random: Random): Record<string, string> => ({
  ...(random.below(3) === 0 && {
    authorization: random.pick([
      'Basic',
      'Basic !!',
      `Basic ${Buffer.from(random.pick(strings)).toString('base64')}`,
      `Bearer ${'a'.repeat(43)}`,
      'DPoP x',
      'Bearer',
    ]),
  }),
  ...(random.below(4) === 0 && {
    accept: random.pick(['*/*', 'text/html', 'application/json', ';;;', 'x'.repeat(500)]),
  }),
  ...(random.below(6) === 0 && { dpop: random.pick(['', 'x', 'eyJhbGciOiJub25lIn0.e30.']) }),
  ...(random.below(6) === 0 && { 'accept-language': random.pick(['*', 'zh-HK;q=9', ';;', 'x'.repeat(900)]) }),
  ...(random.below(6) === 0 && { origin: random.pick(['null', 'https://evil.example', '%']) }),
});

interface Case {
  method: string;
  target: string;
  options: RequestOptions;
}

/** Ids in the paths of somebody who is signed in. */
interface Insider {
  uid: string;
  id: string;
}

export type CreateCase = (random: Random, insider: Insider) => Case;

/** Sometimes a path has something else in place of an id. */
const places = (random: Random, { uid, id }: Insider): Record<string, string> => {
  const text = random.pick(strings);
  const segment = text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
  return random.below(4) ? { uid, id } : { uid, [random.pick(['uid', 'id', 'name', 'account'])]: segment };
};

const apiCase: CreateCase = (random, insider) => {
  const [, endpoint] = random.pick(endpoints.filter(([name]) => !['signOut', 'endSessions'].includes(name)));
  const raw = random.below(8) ? damage(random, JSON.stringify(body(random))) : random.pick(strings);
  const search = random.below(3) ? '' : `?${query(random)}`;
  const own = endpoint.method !== 'GET' ? { raw } : {};
  return {
    method: endpoint.method,
    target: `${pathOf(endpoint, places(random, insider))}${search}`,
    options: {
      ...own,
      headers: {
        'content-type': random.pick([
          'application/json',
          'application/json',
          'application/json',
          'application/json; charset=utf-16',
          'text/plain',
        ]),
      },
    },
  };
};

const pageCase: CreateCase = (random, { uid }) => ({
  method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS']),
  target: `${random.pick(['/', '/index', '/tokens', '/login', '/register', '/consent', '/device', '/middle', '/error', '/sign-in', '/license', '/unknown', '/%', '/%00', '/..%2f', '//evil.example', '/prod/user/x', '/.well-known/x', `/interaction/${uid}`, '/interaction/%ff', '/healthz', '/openapi.json'])}?${query(random)}`,
  options: { headers: headers(random) },
});

const oauthCase: CreateCase = (random) => {
  const method = random.pick(['GET', 'POST', 'POST', 'OPTIONS', 'DELETE']);
  const path = random.pick([
    'authorize',
    'authorize/x',
    'token',
    'token',
    'userinfo',
    'jwks',
    'introspect',
    'revoke',
    'par',
    'logout',
    'logout/confirm',
    'logout/success',
    'device',
    'device/x',
    'device_authorization',
    'register',
    'x',
  ]);
  const form = { raw: damage(random, query(random)) };
  return {
    method,
    target: `/oauth/${path}?${method === 'GET' ? query(random) : ''}`,
    options: {
      ...(method === 'POST' && form),
      headers: {
        ...headers(random),
        ...(method === 'POST' && {
          'content-type': random.pick([
            'application/x-www-form-urlencoded',
            'application/x-www-form-urlencoded',
            'application/json',
            'text/plain',
            '',
          ]),
        }),
      },
    },
  };
};

/** Malformed requests by the class of their route; the same seed makes the same ones. */
export const fuzzCases: readonly [name: string, seed: number, create: CreateCase][] = [
  ['the API', 20_260_101, apiCase],
  ['pages', 20_260_102, pageCase],
  ['the protocol', 20_260_103, oauthCase],
];
