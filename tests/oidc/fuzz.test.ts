import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../support/random.ts';
import { createSigningKey, signRequest } from '../support/signer.ts';
import { basic } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

const CASES = process.env.FULL ? 10_000 : 200;
const SEEDS = process.env.FULL ? [20_261_121, 1, 4_711] : [20_261_121];
const SLOWEST_MS = 2_000;
const GROWTH_BYTES = 50_000_000;

/** The memory after a collection, without that of the embedded database, which runs in this process too. */
const liveHeapBytes = (): number => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
};

/** The error codes of RFC 6749, 6750, 7009, 7523, 8628, 8707, 9101, 9126 and 9449 and OpenID Connect Core. */
const ERRORS = new Set([
  'access_denied',
  'account_selection_required',
  'authorization_pending',
  'consent_required',
  'expired_token',
  'insufficient_scope',
  'interaction_required',
  'invalid_client',
  'invalid_dpop_proof',
  'invalid_grant',
  'invalid_request',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_scope',
  'invalid_target',
  'invalid_token',
  'login_required',
  'request_uri_not_supported',
  'slow_down',
  'unauthorized_client',
  'unmet_authentication_requirements',
  'unsupported_grant_type',
  'unsupported_response_mode',
  'unsupported_response_type',
  'unsupported_token_type',
  'use_dpop_nonce',
]);

const strange = [
  '',
  ' ',
  '\0',
  '\r\nSet-Cookie: a=b',
  'null',
  '{}',
  '[]',
  '{"id_token":{"sub":{"essential":true,"value":1}}}',
  '{"__proto__":{"essential":true}}',
  String.raw`{"id_token":{"sub":{"value":"\ud800"}}}`,
  String.raw`{"userinfo":{"\u0000":null}}`,
  '-1',
  '9'.repeat(400),
  'a'.repeat(5_000),
  '\u202e\ufeff',
  '%00',
  'https://evil.example',
  'javascript:alert(1)',
  'urn:ietf:params:oauth:request_uri:x',
  'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  'eyJhbGciOiJub25lIn0.e30.',
  'eyJhbGciOiJSUzI1NiJ9.e30.AAAA',
  `${'e'.repeat(800)}.${'e'.repeat(800)}.${'e'.repeat(800)}`,
  'plain',
  'none login',
  'openid openid offline_access',
] as const;

interface Attempt {
  method: 'GET' | 'POST';
  path: string;
  parameters: [string, string][];
  headers: Record<string, string>;
  /** Makes a request object of the parameters, which is then sent alone. */
  sign?: (parameters: readonly [string, string][]) => Promise<[string, string][]>;
}

/** The value that JSON parses from a text, if any. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Valid requests, before changes. */
const createAttempts = async (world: World, agent: UserAgent) => {
  const key = await createSigningKey();
  const app = await world.registerApp({ jwks: { keys: [key.jwk] } });
  const { clientId } = app;
  const sign: Attempt['sign'] = async (parameters) => {
    const claims = Object.fromEntries(parameters.map(([name, value]) => [name, parsed(value)]));
    const request = await signRequest(key, { clientId, audience: world.origin }, claims);
    return Object.entries({ client_id: clientId, request });
  };
  const { tokens } = await world.link(agent, app.rp);
  const machine = await world.registerApp({
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  });
  const television = await world.registerApp({
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    redirect_uris: [],
    response_types: [],
  });
  const { url } = await app.rp.authorizationUrl();
  const authorization: [string, string][] = [
    ...url.searchParams,
    ['claims', '{"userinfo":{"nickname":null}}'],
  ];
  const post = (path: string, by: typeof app, parameters: Record<string, string>): Attempt => ({
    method: 'POST',
    path: `/oauth/${path}`,
    parameters: Object.entries(parameters),
    headers: basic(by),
  });
  const refreshToken = tokens.refresh_token ?? '';
  return [
    post('token', app, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    post('token', app, {
      grant_type: 'authorization_code',
      code: 'a'.repeat(43),
      redirect_uri: app.redirectUri,
      code_verifier: 'v'.repeat(43),
    }),
    post('token', machine, {
      grant_type: 'client_credentials',
      scope: 'lights',
      resource: 'https://api.example',
    }),
    post('token', television, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'd'.repeat(43),
    }),
    post('device_authorization', television, { scope: 'openid', client_id: television.clientId }),
    post('introspect', app, { token: tokens.access_token, token_type_hint: 'access_token' }),
    post('revoke', app, { token: 'r'.repeat(43), token_type_hint: 'refresh_token' }),
    post('par', app, Object.fromEntries(authorization)),
    { method: 'GET', path: '/oauth/authorize', parameters: authorization, headers: {} },
    { method: 'GET', path: '/oauth/authorize', parameters: authorization, headers: {}, sign },
    {
      method: 'GET',
      path: '/oauth/logout',
      parameters: [
        ['id_token_hint', tokens.id_token ?? ''],
        ['post_logout_redirect_uri', 'https://app.example/'],
        ['state', 's'],
      ],
      headers: {},
    },
    {
      method: 'GET',
      path: '/oauth/userinfo',
      parameters: [],
      headers: { authorization: `Bearer ${tokens.access_token}` },
    },
  ] satisfies Attempt[] as Attempt[];
};

const extra = [
  'acr_values',
  'claims',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'display',
  'dpop_jkt',
  'id_token_hint',
  'max_age',
  'prompt',
  'request',
  'request_uri',
  'resource',
  'response_mode',
  'scope',
  'ui_locales',
  'user_code',
] as const;

/** Makes one to three changes to a request. */
const spoil = (random: Random, { parameters, headers, ...attempt }: Attempt): Attempt => {
  const changed = parameters.map(([name, value]): [string, string] => [name, value]);
  const sent = { ...headers };
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const at = random.below(Math.max(1, changed.length));
    const [name, value] = changed[at] ?? [random.pick(extra), ''];
    const changes: (() => void)[] = [
      () => changed.splice(at, 1),
      () => changed.push([name, value]),
      () => changed.push([random.pick(extra), random.pick(strange)]),
      () => changed.push([`${name}[]`, value]),
      () => changed.splice(at, 1, [name, random.pick(strange)]),
      () => changed.splice(at, 1, [name, `${value}${random.pick(strange)}`]),
      () => changed.splice(at, 1, [name.toUpperCase(), value]),
      () => {
        sent.authorization = random.pick([
          'Basic',
          'Basic Og==',
          'Bearer',
          'DPoP a',
          `Basic ${btoa('\0:\0')}`,
        ]);
      },
      () => {
        sent.dpop = random.pick(['', 'a.b.c', 'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2In0.e30.AA', '[]']);
      },
      () => {
        sent['content-type'] = random.pick([
          'application/json',
          'multipart/form-data',
          'application/x-www-form-urlencoded;charset=utf-16',
        ]);
      },
    ];
    random.pick(changes)();
  }
  return { ...attempt, parameters: changed, headers: sent };
};

describe('DR9: nearly valid requests of the protocol', () => {
  let world: World;
  let agent: UserAgent;
  let attempts: Attempt[];
  beforeAll(async () => {
    world = await createWorld();
    ({ agent } = await world.signUp());
    attempts = await createAttempts(world, agent);
  });
  afterAll(() => world.close());

  const send = async ({ method, path, parameters, headers, sign }: Attempt) => {
    const encoded = new URLSearchParams((await sign?.(parameters)) ?? parameters).toString();
    return method === 'GET'
      ? agent.request(method, `${path}?${encoded}`, { headers })
      : agent.request(method, path, {
          raw: encoded,
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: '', ...headers },
        });
  };

  test.each(SEEDS)(
    'PL12: are answered as their RFC requires (seed %d)',
    { timeout: CASES * 100 + 60_000 },
    async (seed) => {
      const random = createRandom(seed);
      let settled = 0;
      for (let index = 0; index < CASES; index += 1) {
        const attempt = spoil(random, random.pick(attempts));
        const started = performance.now();
        const answer = await send(attempt);
        const label = `case ${index}: ${JSON.stringify(attempt)} -> ${answer.status} ${answer.body.slice(0, 300)}`;
        expect(answer.status, label).toBeLessThan(500);
        expect(performance.now() - started, label).toBeLessThan(SLOWEST_MS);
        expect(answer.headers['x-request-id'], label).toMatch(/^[\da-f]{12}$/);
        expect(answer.body, label).not.toMatch(/\bat .*\.[jt]s:\d|node_modules|[Ss]tack/);
        if (answer.status >= 400 && String(answer.headers['content-type']).includes('json')) {
          expect(ERRORS, label).toContain(answer.json().error);
        }
        if (index === CASES / 10) settled = liveHeapBytes();
      }
      expect((await agent.get('/readyz')).status).toBe(200);
      expect(liveHeapBytes() - settled).toBeLessThan(GROWTH_BYTES);
    },
  );
});
