import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../support/token.ts';
import type { Answer } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { bootOf, type RegisteredApp } from './authorization.ts';

let world: World;
let app: RegisteredApp;
beforeAll(async () => {
  world = await createWorld();
  app = await world.registerApp();
});
afterAll(() => world.close());

/** The parameters of a valid request. */
const right = async (asked: RegisteredApp = app) =>
  Object.fromEntries((await asked.rp.authorizationUrl()).url.searchParams);

type Changes = Record<string, string | undefined>;

const changed = (parameters: Record<string, string>, changes: Changes): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...parameters, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );

/** Sends the request with these changes, by GET and by POST. */
const authorize = async (changes: Changes, asked: RegisteredApp = app): Promise<Answer[]> => {
  const parameters = changed(await right(asked), changes);
  const agent = world.browser();
  const posted = await agent.request('POST', '/oauth/authorize', {
    form: parameters,
    headers: { accept: 'text/html', origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },
  });
  const target = posted.status === 303 ? String(posted.headers.location) : '';
  return [
    await world.browser().get(`/oauth/authorize?${new URLSearchParams(parameters)}`),
    target.startsWith('/oauth/authorize?') ? await agent.get(target) : posted,
  ];
};

/** Expects an error page with this reason and a reference, and nothing that leads to `avoided`. */
const expectPage = (page: Answer, code: string, avoided?: string) => {
  expect(page.status).toBe(400);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.headers.location).toBeUndefined();
  const { error } = bootOf({ url: new URL(world.origin), answer: page });
  expect(error).toMatchObject({ code, status: 400, requestId: page.headers['x-request-id'] });
  expect(error.oauthError).toBeTypeOf('string');
  expect(page.body).toContain(`<code>${error.requestId}</code>`);
  if (code !== 'invalid_request') expect(error.startAgain).toBeUndefined();
  if (avoided) {
    expect(JSON.stringify(error.startAgain ?? {})).not.toContain(avoided);
    expect(page.body).not.toContain(`href="${avoided}`);
  }
};

describe('a request that cannot be answered to the app', () => {
  test.each([
    ['unknown', 'unknown'],
    ['SQL', "x' or 1=1"],
    ['long', 'a'.repeat(5000)],
    ['not of ASCII', 'ä\ud800'],
  ])('a client_id that is %s is a page', async (_name, clientId) => {
    for (const page of await authorize({ client_id: clientId })) {
      expectPage(page, 'unknown_client', 'https://app.example');
    }
  });

  test.each(['state', 'nonce', 'login_hint', 'ui_locales', 'scope'])(
    'a NUL in %s is a page',
    async (name) => {
      for (const page of await authorize({ [name]: 'a\0b' })) {
        expect(page.status).toBe(400);
        expect(bootOf({ url: new URL(world.origin), answer: page }).error.code).toBe('invalid_request');
      }
    },
  );

  test('a NUL in a pushed request is refused', async () => {
    const answer = await world.browser().request('POST', '/oauth/par', {
      form: { ...(await right()), state: 'a\0b' },
      headers: { ...basic(app), origin: '' },
    });
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'state has a NUL' },
    ]);
  });

  test('no client_id is a page', async () => {
    for (const page of await authorize({ client_id: undefined }))
      expectPage(page, 'invalid_request', 'https://app.example');
  });

  test.each([
    ['case of the host', 'https://APP.example/callback'],
    ['case of the path', 'https://app.example/Callback'],
    ['trailing slash', 'https://app.example/callback/'],
    ['encoded dot', 'https://app.example/%2e/callback'],
    ['dot segment', 'https://app.example/./callback'],
    ['query', 'https://app.example/callback?x=1'],
    ['fragment', 'https://app.example/callback#x'],
    ['userinfo', 'https://user@app.example/callback'],
    ['port', 'https://app.example:8443/callback'],
    ['default port', 'https://app.example:443/callback'],
    ['scheme', 'http://app.example/callback'],
    ['another host', 'https://app.example.evil.example/callback'],
    ['backslash', 'https://evil.example\\@app.example/callback'],
    ['script', 'javascript:alert(1)'],
    ['relative', '/callback'],
    ['empty', ''],
  ])('redirect_uri is exact: %s is a page, never a redirect', async (_name, uri) => {
    for (const page of await authorize({ redirect_uri: uri })) {
      expectPage(page, uri === '' ? 'invalid_request' : 'redirect_uri_mismatch', uri || undefined);
    }
  });

  test('redirect_uri twice is a page', async () => {
    const query = new URLSearchParams(await right());
    query.append('redirect_uri', 'https://evil.example/');
    const page = await world.browser().get(`/oauth/authorize?${query}`);
    expectPage(page, bootOf({ url: new URL(world.origin), answer: page }).error.code, 'https://evil.example');
  });
});

const RESPONSE_TYPES = /^response_types of this client: code$/;

describe('the refusal of a request goes to the app', () => {
  test.each([
    [
      'neither code_challenge nor nonce',
      { code_challenge: undefined, code_challenge_method: undefined, nonce: undefined },
      'invalid_request',
      /code_challenge_method=S256 .* a nonce/,
    ],
    [
      'code_challenge_method plain',
      { code_challenge_method: 'plain' },
      'invalid_request',
      /^code_challenge_method must be S256$/,
    ],
    [
      'no code_challenge_method, which means plain',
      { code_challenge_method: undefined },
      'invalid_request',
      /code_challenge_method=S256 is missing/,
    ],
    ['a code_challenge that is none', { code_challenge: 'short' }, 'invalid_request', /43 characters/],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type', RESPONSE_TYPES],
    [
      'response_type id_token token',
      { response_type: 'id_token token' },
      'unsupported_response_type',
      RESPONSE_TYPES,
    ],
    [
      'response_type none, which the app may not use',
      { response_type: 'none' },
      'invalid_request',
      RESPONSE_TYPES,
    ],
    ['no response_type', { response_type: undefined }, 'invalid_request', /missing .*response_type/],
    [
      'an unknown response_mode',
      { response_mode: 'carrier' },
      'unsupported_response_mode',
      /query, fragment or/,
    ],
    ['an unknown prompt', { prompt: 'shout' }, 'invalid_request', /^prompt must be none, login/],
    ['prompt none with login', { prompt: 'none login' }, 'invalid_request', /only be used alone/],
    ['a max_age that is none', { max_age: '-1' }, 'invalid_request', /max_age/],
    ['a request object', { request: 'e30.e30.' }, 'invalid_request_object', undefined],
    ['registration', { registration: '{}' }, 'registration_not_supported', /registered beforehand/],
  ])('%s', async (_name, changes: Changes, code, description) => {
    for (const answer of await authorize(changes)) {
      expect(answer.status).toBe(303);
      const url = new URL(String(answer.headers.location));
      expect(url.origin + url.pathname).toBe('https://app.example/callback');
      const parameters = new URLSearchParams(url.hash ? url.hash.slice(1) : url.search);
      expect(parameters.get('error')).toBe(code);
      expect(parameters.get('iss')).toBe(world.origin);
      expect(parameters.get('state')).toBeTypeOf('string');
      if (description) expect(parameters.get('error_description')).toMatch(description);
    }
  });

  test('for a scope beyond the registration; a pushed request gets the registered scopes', async () => {
    const narrow = await world.registerApp({ scope: 'openid profile' });
    const description = 'scope of this client: openid profile';
    for (const { headers } of await authorize({ scope: 'openid email' }, narrow)) {
      const { searchParams } = new URL(String(headers.location));
      expect(searchParams.get('error')).toBe('invalid_scope');
      expect(searchParams.get('error_description')).toBe(
        'scope names what this client is not registered for',
      );
    }
    const form = changed(await right(narrow), { scope: 'openid email' });
    const pushed = await world.browser().request('POST', '/oauth/par', {
      form,
      headers: { origin: '', ...basic(narrow) },
    });
    expect(pushed.json()).toMatchObject({ error: 'invalid_scope', error_description: description });
  });

  test('and a valid request begins, by POST as by GET', async () => {
    for (const { status, headers } of await authorize({})) {
      expect([status, String(headers.location)]).toEqual([
        303,
        expect.stringMatching(/\/interaction\/[\w-]+$/),
      ]);
    }
  });

  test('with the state unchanged, whatever its text', async () => {
    const state = `"><script>alert(1)</script>&x=é 𝄞`;
    for (const answer of await authorize({ state, response_type: 'token' })) {
      const url = new URL(String(answer.headers.location));
      expect(new URLSearchParams(url.hash ? url.hash.slice(1) : url.search).get('state')).toBe(state);
    }
  });
});

describe('the protocol endpoints', () => {
  test('the published keys have no private part', async () => {
    const { keys } = (await world.browser().get('/oauth/jwks')).json();
    expect(new Set(keys.map(({ alg }: { alg: string }) => alg))).toEqual(new Set(['ES256', 'RS256']));
    for (const key of keys)
      for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']) expect(key).not.toHaveProperty(name);
  });

  test('a response with a code has iss', async () => {
    const { agent } = await world.signUp();
    const { callback } = await world.link(agent, app.rp);
    expect(callback.searchParams.get('iss')).toBe(world.origin);
  });

  test.each([
    '/oauth/token',
    '/oauth/introspect',
    '/oauth/revoke',
    '/oauth/par',
    '/oauth/nothing',
    '/oauth/authorize/x/y',
  ])('%s answers protocol errors and never a page', async (path) => {
    const answer = await world.browser().request('POST', path, { form: { x: 'y' } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.json().error).toBeTypeOf('string');
  });
});
