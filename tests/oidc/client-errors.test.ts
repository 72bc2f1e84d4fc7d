import type { ClientError } from '@candela/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSigningKey, type SigningKey, signAssertion, signProof } from '../support/signer.ts';
import { basic } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { answer, bootOf, type RegisteredApp } from './authorization.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const JWT_BEARER = { client_assertion_type: ASSERTION_TYPE };

let world: World;
let agent: UserAgent;
let app: RegisteredApp;
/** A public client. */
let open: RegisteredApp;
let signing: RegisteredApp;
let key: SigningKey;
beforeAll(async () => {
  world = await createWorld();
  ({ agent } = await world.signUp());
  app = await world.registerApp({
    redirect_uris: ['https://app.example/callback', 'https://other.example/'],
    scope: 'openid profile',
  });
  open = await world.registerApp({ token_endpoint_auth_method: 'none' });
  key = await createSigningKey();
  signing = await world.registerApp({
    token_endpoint_auth_method: 'private_key_jwt',
    client_secret: undefined,
    jwks: { keys: [{ ...key.jwk, kid: 'ec', alg: 'ES256', use: 'sig' }] },
  });
});
afterAll(() => world.close());

const referenceOf = ({ headers }: Answer): string => String(headers['x-request-id']);

/** What the developers of an app see of the request that was answered so. */
const seen = async (of: RegisteredApp, refused: Answer): Promise<ClientError | undefined> => {
  await world.flushRecords();
  const { items } = await world.clientHealth.listErrors(of.clientId, { reference: referenceOf(refused) });
  return items[0];
};

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  world.browser().request('POST', path, { form, headers: { origin: '', ...headers } });

const authorize = async (
  of: RegisteredApp,
  changes: Record<string, string | undefined>,
  from = world.browser(),
) => {
  const parameters = Object.entries({
    ...Object.fromEntries((await of.rp.authorizationUrl()).url.searchParams),
    ...changes,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return from.get(`/oauth/authorize?${new URLSearchParams(parameters)}`);
};

/** The parameters of a valid exchange. */
const exchange = async (of: RegisteredApp) => {
  const { url, checks } = await of.rp.authorizationUrl({ prompt: 'consent' });
  const page = await agent.navigate(url);
  const { url: callback } = await world.approve(agent, world.interactionOf(page.url));
  return {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: of.redirectUri,
    code_verifier: checks.pkceCodeVerifier,
  };
};

const seconds = (from = 0) => Math.floor(Date.now() / 1000) + from;

describe('a developer finds by the reference of', () => {
  test.each([
    ['https://app.example/Callback', 'path \\(capital letters\\)'],
    ['https://app.example/callback/', 'path \\(the slash at its end\\)'],
    ['http://app.example/callback', 'scheme'],
    ['https://app.example:8443/callback?x=1', 'port and query'],
  ])('an error page that the redirect URI %s differs in its %s', async (uri, difference) => {
    const page = await authorize(app, { redirect_uri: uri });
    const { error } = bootOf({ url: new URL(world.origin), answer: page });
    expect(error.requestId).toBe(referenceOf(page));
    expect(await seen(app, page)).toMatchObject({
      reference: error.requestId,
      endpoint: '/oauth/authorize',
      kind: 'redirect_uri_mismatch',
      error: 'invalid_redirect_uri',
      reason: expect.stringMatching(`differs in ${difference}$`),
      sent: { redirect_uri: uri, client_id: app.clientId },
      expected: { redirect_uri: ['https://app.example/callback', 'https://other.example/'] },
    });
  });

  test('a token error that the secret is wrong, in the header and in the body', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const inHeader = await post(
      '/oauth/token',
      form,
      basic({ ...app, clientSecret: 'canary-of-the-secret' }),
    );
    expect(await seen(app, inHeader)).toMatchObject({
      endpoint: '/oauth/token',
      kind: 'wrong_secret',
      error: 'invalid_client',
      sent: { authorization: `Basic ${app.clientId}:cana… (20 characters)` },
    });
    const inBody = await post('/oauth/token', {
      ...form,
      client_id: app.clientId,
      client_secret: 'canary-of-the-secret',
    });
    expect(await seen(app, inBody)).toMatchObject({
      kind: 'wrong_secret',
      sent: { client_secret: 'cana… (20 characters)', token_endpoint_auth_method: 'client_secret_post' },
    });
  });

  test('a token error that the secret was right until it ended', async () => {
    const late = await world.registerApp();
    await world.db
      .updateTable('client_secret')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('client_id', '=', late.clientId)
      .execute();
    const refused = await post('/oauth/token', { grant_type: 'client_credentials' }, basic(late));
    expect(await seen(late, refused)).toMatchObject({ kind: 'expired_secret', error: 'invalid_client' });
    const { secretEndsAt } = await world.clientHealth.healthOf({ client_id: late.clientId, links: 0 });
    expect(Date.parse(secretEndsAt ?? '')).toBeLessThan(Date.now());
  });

  test('a token error that the secret is empty', async () => {
    const empty = await post(
      '/oauth/token',
      { grant_type: 'client_credentials' },
      basic({ ...app, clientSecret: '' }),
    );
    expect([empty.status, empty.json()]).toEqual([
      401,
      { error: 'invalid_client', error_description: 'client authentication failed: the secret is empty' },
    ]);
    expect(empty.headers['www-authenticate']).toMatch(/^Basic realm=".*", error="invalid_client"$/);
    expect(await seen(app, empty)).toMatchObject({
      kind: 'empty_secret',
      error: 'invalid_client',
      reason: 'the secret that was sent is empty',
    });
  });

  test('a token error that the client authenticated in another way, or in two', async () => {
    const none = await post('/oauth/token', { grant_type: 'client_credentials', client_id: app.clientId });
    expect(await seen(app, none)).toMatchObject({
      kind: 'wrong_auth_method',
      sent: { token_endpoint_auth_method: 'none' },
      expected: { token_endpoint_auth_method: ['client_secret_basic'] },
    });
    const twice = await post(
      '/oauth/token',
      { grant_type: 'client_credentials', client_id: app.clientId, client_secret: 'canary-of-the-secret' },
      basic(app),
    );
    expect(await seen(app, twice)).toMatchObject({
      kind: 'wrong_auth_method',
      sent: { token_endpoint_auth_method: 'client_secret_basic client_secret_post' },
    });
    const malformed = await post('/oauth/token', { client_id: app.clientId }, { authorization: 'Basic %%%' });
    expect(await seen(app, malformed)).toMatchObject({ kind: 'wrong_auth_method' });
  });

  test('an authorization error that PKCE is missing', async () => {
    const without = { code_challenge: undefined, code_challenge_method: undefined };
    expect(await seen(open, await authorize(open, without))).toMatchObject({
      kind: 'missing_pkce',
      error: 'invalid_request',
      expected: { code_challenge_method: ['S256'] },
    });
    expect(await seen(open, await authorize(open, { code_challenge_method: 'plain' }))).toMatchObject({
      kind: 'missing_pkce',
      sent: { code_challenge_method: 'plain' },
    });
  });

  test('a token error that the verifier is another, or missing, or the code is used or for another redirect URI', async () => {
    const send = async (changes: Record<string, string>, form?: Record<string, string>) =>
      seen(app, await post('/oauth/token', { ...(form ?? (await exchange(app))), ...changes }, basic(app)));
    expect(await send({ code_verifier: 'w'.repeat(43) })).toMatchObject({
      kind: 'wrong_verifier',
      error: 'invalid_grant',
      sent: {
        code: expect.stringMatching(/^.{4}… \(\d+ characters\)$/),
        code_verifier: 'wwww… (43 characters)',
      },
    });
    expect(await send({ code_verifier: '' })).toMatchObject({ kind: 'wrong_verifier' });
    expect(await send({ redirect_uri: 'https://other.example/' })).toMatchObject({
      kind: 'redirect_uri_mismatch',
      reason: expect.stringContaining('not the one of the authorization request'),
    });
    const used = await exchange(app);
    await post('/oauth/token', used, basic(app));
    expect(await send({}, used)).toMatchObject({ kind: 'code_used' });
  });

  test('a token error that the clock of a client is wrong, by its assertion and by its proof', async () => {
    const audience = { clientId: signing.clientId, audience: world.origin };
    for (const times of [{ exp: seconds(-600) }, { iat: seconds(900), exp: seconds(1200) }]) {
      const assertion = await signAssertion(key, audience, times, { kid: 'ec' });
      const refused = await post('/oauth/token', {
        grant_type: 'client_credentials',
        client_assertion: assertion,
        ...JWT_BEARER,
      });
      const error = await seen(signing, refused);
      expect(error).toMatchObject({ kind: 'clock', error: 'invalid_client' });
      expect(error?.sent['client_assertion.exp']).toBe(new Date(times.exp * 1000).toISOString());
      const [should] = error?.expected['client_assertion.exp'] ?? [];
      expect(Math.abs(Date.parse(should ?? '') - Date.now())).toBeLessThan(400_000);
    }
    const proof = await signProof(key, {
      htm: 'POST',
      htu: `${world.origin}/oauth/token`,
      iat: seconds(-3 * 86_400),
      nonce: 'x',
    });
    const refused = await post(
      '/oauth/token',
      { ...(await exchange(open)), client_id: open.clientId },
      { dpop: proof },
    );
    expect(await seen(open, refused)).toMatchObject({
      kind: 'clock',
      error: 'invalid_dpop_proof',
      sent: { 'dpop.iat': expect.any(String) },
      expected: { 'dpop.iat': [expect.any(String)] },
    });
  });

  test('an assertion of another key that its signature does not verify, or that its key is not registered', async () => {
    const other = await createSigningKey();
    const audience = { clientId: signing.clientId, audience: world.origin };
    const introspect = async (header: Record<string, string>) =>
      seen(
        signing,
        await post('/oauth/introspect', {
          token: 'x',
          client_assertion: await signAssertion(other, audience, {}, header),
          ...JWT_BEARER,
        }),
      );
    expect(await introspect({ kid: 'ec' })).toMatchObject({
      endpoint: '/oauth/introspect',
      kind: 'other',
      reason: 'the signature of the JWT does not verify',
    });
    expect(await introspect({ kid: 'other' })).toMatchObject({
      reason: 'the client has no key for the alg and kid of the JWT',
      sent: { 'client_assertion.kid': 'other' },
    });
  });

  test('an introspection that it is for confidential clients', async () => {
    const refused = await post('/oauth/introspect', { token: 'x', client_id: open.clientId });
    expect(await seen(open, refused)).toMatchObject({
      error: 'invalid_client',
      reason: 'introspection is for confidential clients',
    });
  });

  test('a refusal that a scope, a grant type, a response type or a resource is not registered', async () => {
    expect(await seen(app, await authorize(app, { scope: 'openid email' }))).toMatchObject({
      kind: 'scope_not_registered',
      sent: { scope: 'openid email' },
      expected: { scope: ['openid profile'] },
    });
    expect(
      await seen(app, await post('/oauth/token', { grant_type: 'client_credentials' }, basic(app))),
    ).toMatchObject({
      kind: 'grant_type_not_registered',
      error: 'unauthorized_client',
      expected: { grant_type: ['authorization_code', 'refresh_token'] },
    });
    expect(await seen(app, await authorize(app, { response_type: 'token' }))).toMatchObject({
      kind: 'response_type_not_registered',
      expected: { response_type: ['code'] },
    });
    expect(await seen(app, await authorize(app, { resource: 'https://api.example/' }))).toMatchObject({
      kind: 'resource_unknown',
      error: 'invalid_target',
    });
    const pushed = Object.fromEntries((await app.rp.authorizationUrl()).url.searchParams);
    const par = await post('/oauth/par', { ...pushed, scope: 'openid email' }, basic(app));
    expect(await seen(app, par)).toMatchObject({ endpoint: '/oauth/par', kind: 'scope_not_registered' });
    const device = await post('/oauth/device_authorization', { scope: 'openid' }, basic(app));
    expect(await seen(app, device)).toMatchObject({
      endpoint: '/oauth/device_authorization',
      kind: 'grant_type_not_registered',
    });
  });

  test('a page that the address after signing out is not registered', async () => {
    const query = new URLSearchParams({
      client_id: app.clientId,
      post_logout_redirect_uri: 'https://app.example/bye',
    });
    expect(await seen(app, await agent.get(`/oauth/logout?${query}`))).toMatchObject({
      endpoint: '/oauth/logout',
      kind: 'redirect_uri_mismatch',
      reason: expect.stringMatching(/^post_logout_redirect_uri is none .* differs in path$/),
      sent: { post_logout_redirect_uri: 'https://app.example/bye' },
      expected: { post_logout_redirect_uri: ['https://app.example/'] },
    });
  });

  test('a refusal by the person, or for want of one, what became of it', async () => {
    const { url } = await app.rp.authorizationUrl({ prompt: 'consent' });
    const consent = await agent.navigate(url);
    await answer(agent, `/interaction/${world.interactionOf(consent.url)}/abort`);
    await authorize(app, { prompt: 'none' });
    await world.flushRecords();
    const { items, kinds } = await world.clientHealth.listErrors(app.clientId);
    expect(items.find(({ kind }) => kind === 'access_denied')).toMatchObject({
      endpoint: '/oauth/authorize',
      error: 'access_denied',
    });
    expect(items.find(({ kind }) => kind === 'interaction_required')).toMatchObject({
      error: 'login_required',
    });
    expect(kinds.map(({ kind }) => kind)).toContain('access_denied');
  });

  test('a refresh that its token is unknown or was stolen, and nothing of the person or another client', async () => {
    const link = async (of: RegisteredApp) =>
      (await post('/oauth/token', await exchange(of), basic(of))).json().refresh_token as string;
    const refresh = (token: string, of = app) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token }, basic(of));
    const other = await world.registerApp();
    const [first, foreign, withdrawn] = [await link(app), await link(other), await link(app)];
    const successor = (await refresh(first)).json().refresh_token;
    await refresh(successor);
    await sql`update refresh_token set first_used_at = first_used_at - interval '2 minutes'`.execute(
      world.db,
    );
    expect(await seen(app, await refresh(first))).toMatchObject({ kind: 'refresh_token_theft' });
    await agent.delete('/api/authorizations');
    const errors = [];
    for (const token of ['unknown', foreign, withdrawn]) {
      const {
        reference: _reference,
        at: _at,
        sent: _sent,
        ...error
      } = (await seen(app, await refresh(token))) ?? {};
      errors.push(error);
    }
    expect(errors[0]).toMatchObject({ kind: 'refresh_token_unknown', error: 'invalid_grant' });
    for (const error of errors) expect(error).toEqual(errors[0]);
  });
});

test.each([
  '/oauth/token',
  '/oauth/introspect',
  '/oauth/revoke',
  '/oauth/par',
  '/oauth/device_authorization',
  '/oauth/userinfo',
])(
  'an error of %s has its reference in a header that a page of the app can read, and not in its body',
  async (path) => {
    const origin = new URL(open.redirectUri).origin;
    const form = {
      client_id: open.clientId,
      grant_type: 'refresh_token',
      refresh_token: 'x',
      response_type: 'x',
    };
    const refused = await post(path, form, { origin });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(referenceOf(refused)).toMatch(/^[0-9a-f]{12}$/);
    expect(refused.headers['access-control-allow-origin']).toBe(origin);
    expect(refused.headers['access-control-expose-headers']).toMatch(/, X-Request-Id$/);
    expect(Object.keys(refused.json()).toSorted()).toEqual(['error', 'error_description']);
  },
);

test('a request for DPoP’s nonce is no error', async () => {
  const proof = await signProof(key, { htm: 'POST', htu: `${world.origin}/oauth/token` });
  const refused = await post(
    '/oauth/token',
    { ...(await exchange(open)), client_id: open.clientId },
    { dpop: proof },
  );
  expect(refused.json().error).toBe('use_dpop_nonce');
  expect(await seen(open, refused)).toBeUndefined();
});

test('OA18: the reference leads the developers of no other client anywhere, and an unknown client has no developers', async () => {
  const page = await authorize(app, { redirect_uri: 'https://evil.example/' });
  expect(await seen(open, page)).toBeUndefined();
  expect(await seen(app, page)).toBeDefined();
  const before = await sql`select from client_error`.execute(world.db);
  await authorize(app, { client_id: 'nobody', redirect_uri: 'https://evil.example/' });
  await post('/oauth/token', { grant_type: 'x' }, basic({ clientId: 'nobody', clientSecret: 'x' }));
  await world.flushRecords();
  expect((await sql`select from client_error`.execute(world.db)).rows).toHaveLength(before.rows.length);
});

test('OA18: no row has a secret, a code, a token or what an app told of a person', async () => {
  const canary = 'canary0123456789canary0123456789canary0123456789';
  const form = Object.fromEntries(
    [
      'client_secret',
      'code',
      'code_verifier',
      'refresh_token',
      'device_code',
      'token',
      'password',
      'state',
      'request_uri',
    ].map((name) => [name, canary]),
  );
  const refused = [
    await post('/oauth/token', { ...form, grant_type: 'authorization_code', client_id: app.clientId }),
    await post('/oauth/token', { ...form, grant_type: 'refresh_token', client_id: app.clientId }, basic(app)),
    await post('/oauth/token', { grant_type: 'x' }, basic({ ...app, clientSecret: canary })),
    await post('/oauth/token', { client_id: app.clientId }, { authorization: `Bearer ${canary}` }),
    await post('/oauth/token', { client_id: app.clientId }, basic({ clientId: canary, clientSecret: 'x' })),
    await post('/oauth/introspect', { token: canary, client_id: app.clientId, client_secret: canary }),
    await authorize(app, {
      prompt: 'unknown',
      state: canary,
      nonce: canary,
      login_hint: `${canary}@example.com`,
      id_token_hint: canary,
      request: canary,
    }),
    await authorize(app, { claims: `{"userinfo":{"${canary}":null}` }),
    await authorize(app, { claims: canary }),
  ];
  const errors = [];
  for (const each of refused) errors.push(await seen(app, each));
  expect(errors.filter(Boolean)).toHaveLength(refused.length);
  const { rows } = await sql<{
    text: string;
  }>`select row_to_json(client_error)::text as text from client_error`.execute(world.db);
  expect(rows.length).toBeGreaterThan(20);
  for (const { text } of rows) {
    expect(text).not.toContain(canary);
    expect(text).not.toContain('canary-of-the-secret');
    expect(text).not.toContain(app.clientSecret);
  }
});

test('OA18: a flood of errors in the name of a client writes boundedly, and is counted', async () => {
  const flooded = await world.registerApp({ token_endpoint_auth_method: 'none' });
  const agents = Array.from({ length: 150 }, () =>
    authorize(flooded, { redirect_uri: 'https://evil.example/' }),
  );
  await Promise.all(agents);
  await world.flushRecords();
  const { kinds } = await world.clientHealth.listErrors(flooded.clientId);
  expect(kinds).toEqual([{ kind: 'redirect_uri_mismatch', count: 10, lastAt: expect.any(String) }]);
  const { days, errorsToday, lastErrorAt } = await world.clientHealth.healthOf({
    client_id: flooded.clientId,
    links: 0,
  });
  expect([errorsToday, days.at(-1)?.errors]).toEqual([150, { redirect_uri_mismatch: 150 }]);
  expect(lastErrorAt).toBeDefined();
});

test('token responses and refreshes are counted', async () => {
  const counted = await world.registerApp();
  const { refresh_token: token } = (
    await post('/oauth/token', await exchange(counted), basic(counted))
  ).json();
  await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token }, basic(counted));
  await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token }, basic(counted));
  await world.flushRecords();
  const { days, lastTokenAt } = await world.clientHealth.healthOf({ client_id: counted.clientId, links: 0 });
  expect(days.at(-1)).toMatchObject({ tokens: 1, refreshes: 2, errors: {} });
  expect(lastTokenAt).toBeDefined();
});
