import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRelyingParty } from '../support/relying-party.ts';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { basic, hashOf } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import { bootOf, type RegisteredApp, start } from './authorization.ts';

let world: SecureWorld;
let app: RegisteredApp;
let waived: RegisteredApp;
let agent: UserAgent;
beforeAll(async () => {
  world = await createSecureWorld();
  app = await world.registerApp();
  waived = await world.registerApp({ require_pkce: false });
  ({ agent } = await world.signUp());
  for (const { rp } of [app, waived]) await world.link(agent, rp);
});
afterAll(() => world.close());

describe('the authorization code flow', () => {
  test('a new person registers by e-mail, approves, and the app gets verified tokens', async () => {
    const { rp } = await world.registerApp();
    const agent = world.browser();
    const { url, checks } = await rp.authorizationUrl({ scope: 'openid profile email' });
    const login = await agent.navigate(url);
    expect(login.url.pathname).toBe('/login');

    const uid = world.interactionOf(login.url);
    const consent = await world.register(agent, uid, 'lena@example.com');
    expect(consent.url.pathname).toBe('/consent');

    const details = await world.details(agent, world.interactionOf(consent.url));
    expect(details).toMatchObject({
      prompt: 'consent',
      client: { name: 'Example App', host: 'app.example', verified: false },
      account: { identifier: 'lena@example.com' },
    });
    expect(details.scopes.map(({ name }: { name: string }) => name)).toEqual([
      'openid',
      'profile',
      'email',
      'offline_access',
    ]);

    // Consent is no authentication: auth_time stays the time of the sign-in.
    const { payload } = await world.db
      .selectFrom('interaction')
      .select('payload')
      .where('id_hash', '=', hashOf(world.interactionOf(consent.url)))
      .executeTakeFirstOrThrow();
    expect(payload).toMatchObject({ lastSubmission: { login: { ts: expect.any(Number) } } });

    const callback = await world.approve(agent, world.interactionOf(consent.url));
    expect(callback.url.origin).toBe('https://app.example');
    const tokens = await rp.exchange(callback.url, checks);
    expect(tokens.claims()?.iss).toBe(world.origin);
    const userinfo = await rp.userinfo(tokens.access_token, tokens.claims()?.sub);
    expect(userinfo).toMatchObject({ email: 'lena@example.com', email_verified: true });
    expect(await rp.introspect(tokens.access_token)).toMatchObject({
      active: true,
      sub: tokens.claims()?.sub,
    });

    const refreshed = await rp.refresh(tokens.refresh_token ?? '');
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    await rp.revoke(refreshed.access_token);
    expect(await rp.introspect(refreshed.access_token)).toEqual({ active: false });
    expect(await rp.introspect(tokens.access_token)).toMatchObject({ active: true });
  });

  test('a phone number registers too, in any spelling', async () => {
    const agent = world.browser();
    const { url } = await agent.navigate('/register');
    const done = await world.register(
      agent,
      world.interactionOf(url),
      '+86 138 0013 8000',
      PASSWORD,
      '+8613800138000',
    );
    expect(done.url.pathname).toBe('/index');
    expect((await agent.get('/api/account')).json()).toMatchObject({
      phone: '+8613800138000',
      hasPassword: true,
    });
  });
});

/** The code of a request with these changes; an empty value omits the parameter. */
const codeFor = async (of: RegisteredApp, changes: Record<string, string> = {}) => {
  const { url, checks } = await of.rp.authorizationUrl();
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  const { url: callback } = await agent.navigate(url);
  return { callback, code: callback.searchParams.get('code') ?? '', verifier: checks.pkceCodeVerifier };
};

const redeem = async (of: RegisteredApp, code: string, form: Record<string, string>) => {
  const { status, json } = await world.browser().request('POST', '/oauth/token', {
    form: { grant_type: 'authorization_code', code, redirect_uri: of.redirectUri, ...form },
    headers: { origin: '', ...basic(of) },
  });
  return [status, json().error];
};

const noChallenge = { code_challenge: '', code_challenge_method: '' };
const invalidGrant = [400, 'invalid_grant'];

describe('OA2: PKCE (RFC 7636)', () => {
  test.each([
    ['no challenge', noChallenge],
    ['plain', { code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge_method: '' }],
    ['a method without a challenge', { code_challenge: '' }],
    ['another method', { code_challenge_method: 'S512' }],
    ['a challenge that is too short', { code_challenge: 'a'.repeat(42) }],
    ['a challenge with other characters', { code_challenge: `${'a'.repeat(42)}!` }],
  ])('%s is invalid_request at the app, with iss', async (_name, changes) => {
    const { callback } = await codeFor(app, { ...changes, nonce: '' } as Record<string, string>);
    expect(callback.searchParams.get('error')).toBe('invalid_request');
    expect(callback.searchParams.get('iss')).toBe(world.origin);
  });

  test('a confidential client may send a nonce in its place, and the error description says so', async () => {
    const { code } = await codeFor(app, noChallenge);
    expect(await redeem(app, code, {})).toEqual([200, undefined]);
    const { callback } = await codeFor(app, { ...noChallenge, nonce: '' });
    expect(callback.searchParams.get('error_description')).toMatch(
      /code_challenge_method=S256 .* or, with the scope openid, a nonce/,
    );
    // Without the scope openid there is no id_token with the nonce.
    const plain = await codeFor(app, { ...noChallenge, scope: 'profile', nonce: '' });
    expect(plain.callback.searchParams.get('error')).toBe('invalid_request');
  });

  test.each<[string, Record<string, unknown>]>([
    ['a public client', { token_endpoint_auth_method: 'none' }],
    ['a confidential client that requires it', { require_pkce: true }],
    ['a native app, whose secret others can read', { application_type: 'native' }],
  ])('%s needs PKCE, with or without a nonce', async (_name, metadata) => {
    const strict = await world.registerApp(metadata);
    const { callback } = await codeFor(strict, noChallenge);
    expect(callback.searchParams.get('error')).toBe('invalid_request');
    expect(callback.searchParams.get('error_description')).toMatch(/code_challenge_method=S256.*always/);
  });

  test('a code with a challenge needs its verifier, for every client', async () => {
    for (const of of [app, waived]) {
      for (const form of [{}, { code_verifier: 'w'.repeat(43) }, { code_verifier: '' }]) {
        const { code } = await codeFor(of);
        expect(await redeem(of, code, form as Record<string, string>)).toEqual(invalidGrant);
      }
      const { code, verifier } = await codeFor(of);
      expect(await redeem(of, code, { code_verifier: verifier })).toEqual([200, undefined]);
    }
  });

  test('a code without a challenge accepts no verifier, against PKCE downgrade (RFC 9700 section 4.8.2)', async () => {
    const { code, verifier } = await codeFor(waived, noChallenge);
    expect(await redeem(waived, code, { code_verifier: verifier })).toEqual(invalidGrant);
    const { code: other } = await codeFor(waived, noChallenge);
    expect(await redeem(waived, other, {})).toEqual([200, undefined]);
  });

  test('the verifier of another request is refused', async () => {
    const one = await codeFor(app);
    const two = await codeFor(app);
    expect(await redeem(app, one.code, { code_verifier: two.verifier })).toEqual(invalidGrant);
  });
});

/** An app on a person’s machine, with its response at `redirectUri`. */
const nativeApp = async (registered: string[], redirectUri: string, more: Record<string, unknown> = {}) => {
  const clientId = `native-${randomBytes(4).toString('hex')}`;
  await world.registerClients([
    { client_id: clientId, client_name: 'Native', preset: 'native', redirect_uris: registered, ...more },
  ]);
  const rp = await createRelyingParty({ issuer: world.origin, clientId, redirectUri });
  return { clientId, clientSecret: '', redirectUri, rp };
};

describe('OA1: a native app (RFC 8252)', () => {
  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback'],
    ['http://127.0.0.1:4000/callback', 'http://127.0.0.1:49152/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1/callback'],
    ['http://[::1]/callback', 'http://[::1]:61234/callback'],
    ['http://localhost/callback', 'http://localhost:43567/callback'],
    ['com.example.app:/callback', 'com.example.app:/callback'],
    ['https://app.example/native', 'https://app.example/native'],
  ])('registered at %s signs in at %s and refreshes', async (registered, redirectUri) => {
    const app = await nativeApp([registered], redirectUri);
    const { agent } = await world.signUp();
    const { tokens, callback } = await world.link(agent, app.rp);
    expect(callback.href.startsWith(redirectUri)).toBe(true);
    expect(tokens.refresh_token).toEqual(expect.any(String));
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).access_token).toEqual(expect.any(String));
  });

  test.each([
    'http://localhost:51004/callback',
    'http://127.0.0.1:51004/other',
    'http://127.0.0.1:51004/callback/',
    'http://127.0.0.1:51004/callback?x=1',
    'http://127.0.0.1:51004/callback#x',
    'http://user@127.0.0.1:51004/callback',
    'http://127.0.0.1:x/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.2/callback',
    'http://127.1/callback',
    'http://2130706433/callback',
    'http://[::1]:51004/callback',
    'http://[0:0:0:0:0:0:0:1]:51004/callback',
    'https://127.0.0.1:51004/callback',
    'com.example.other:/callback',
  ])('registered at 127.0.0.1 is not answered at %s', async (redirectUri) => {
    const app = await nativeApp(['http://127.0.0.1/callback'], redirectUri);
    const { url } = await app.rp.authorizationUrl();
    const page = await world.browser().navigate(url);
    expect([page.answer?.status, page.url.origin]).toEqual([400, world.origin]);
    expect(bootOf(page).error.code).toBe('redirect_uri_mismatch');
  });

  test('may have localhost without a path as its redirect URI, as command line tools do', async () => {
    const redirectUri = 'http://localhost:51004';
    const app = await nativeApp(['http://localhost'], redirectUri);
    const { agent } = await world.signUp();
    const { uid, checks } = await start(world, { agent, app });
    const { url } = await world.approve(agent, uid);
    expect(url.host).toBe('localhost:51004');
    const code = url.searchParams.get('code') ?? '';
    const { status } = await world.browser().request('POST', '/oauth/token', {
      form: {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: checks.pkceCodeVerifier,
        client_id: app.clientId,
      },
      headers: { origin: '' },
    });
    expect(status).toBe(200);
  });

  test.each([
    'http://127.0.0.1:51004/callback',
    'http://localhost:51004/other',
    'http://localhost.evil.example/callback',
    'http://localhost@evil.example/callback',
    'https://localhost:51004/callback',
  ])('registered at localhost is not answered at %s', async (redirectUri) => {
    const app = await nativeApp(['http://localhost/callback'], redirectUri);
    const page = await world.browser().navigate((await app.rp.authorizationUrl()).url);
    expect([page.answer?.status, bootOf(page).error.code]).toEqual([400, 'redirect_uri_mismatch']);
  });

  test.each<[string, Record<string, unknown>]>([
    ['a public app', {}],
    [
      'one with a secret, which is on the machines of all who have it',
      { preset: undefined, application_type: 'native', client_secret: randomBytes(24).toString('base64url') },
    ],
  ])('%s at localhost is asked about each time', async (_name, more) => {
    const app = await nativeApp(['http://localhost/callback'], 'http://localhost:51004/callback', more);
    const { agent } = await world.signUp();
    for (const round of [1, 2]) {
      const { path, uid } = await start(world, { agent, app });
      expect([round, path]).toEqual([round, '/consent']);
      await world.approve(agent, uid);
    }
  });

  test('redeems a code only with the exact redirect URI of the request', async () => {
    const app = await nativeApp(['http://127.0.0.1/callback'], 'http://127.0.0.1:51004/callback');
    const { agent } = await world.signUp();
    const { uid, checks } = await start(world, { agent, app });
    const { url } = await world.approve(agent, uid);
    const elsewhere = new URL(url);
    elsewhere.port = '51005';
    await expect(app.rp.exchange(elsewhere, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('may have any port in the form-action of the pages that lead to it', async () => {
    const app = await nativeApp(['http://127.0.0.1/callback'], 'http://127.0.0.1:51004/callback', {
      post_logout_redirect_uris: ['http://127.0.0.1/bye'],
    });
    const { agent } = await world.signUp();
    const parameters = { client_id: app.clientId, post_logout_redirect_uri: 'http://127.0.0.1:51004/bye' };
    const page = await agent.get(`/oauth/logout?${new URLSearchParams(parameters)}`);
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(/form-action [^;]*http:\/\/127\.0\.0\.1:\*/);
  });
});

test('OA1: the port of a web app on this machine is fixed', async () => {
  const app = await world.registerApp(
    { redirect_uris: ['http://127.0.0.1:4000/callback'] },
    { redirectUri: 'http://127.0.0.1:4001/callback' },
  );
  const page = await world.browser().navigate((await app.rp.authorizationUrl()).url);
  expect([page.answer?.status, bootOf(page).error.code]).toEqual([400, 'redirect_uri_mismatch']);
});
