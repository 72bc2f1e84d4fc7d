import { createPublicKey, randomUUID } from 'node:crypto';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpsServer } from '../support/https-server.ts';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { createSigningKey, type SigningKey, signAssertion, signRequest } from '../support/signer.ts';
import { basic, encodePart } from '../support/token.ts';
import type { Arrival, UserAgent } from '../support/user-agent.ts';
import { bootOf, type RegisteredApp } from './authorization.ts';

const algorithms = ['ES256', 'RS256', 'PS256', 'Ed25519'] as const;
const HOUR = 3600;

let world: SecureWorld;
/** The host of an app: it serves its keys, and other files that requests may name. */
let host: Awaited<ReturnType<typeof startHttpsServer>>;
const fetched: string[] = [];
let keys: Record<(typeof algorithms)[number], SigningKey>;
let stranger: SigningKey;
let app: RegisteredApp;
let agent: UserAgent;
beforeAll(async () => {
  const [ES256, RS256, PS256, Ed25519] = await Promise.all(algorithms.map((alg) => createSigningKey(alg)));
  if (!ES256 || !RS256 || !PS256 || !Ed25519) throw new Error('a key is missing');
  keys = { ES256, RS256, PS256, Ed25519 };
  stranger = await createSigningKey();
  host = await startHttpsServer((incoming, outgoing) => {
    fetched.push(String(incoming.url));
    outgoing.end(JSON.stringify(publicKeys()));
  });
  world = await createSecureWorld({ env: { BACKCHANNEL_HOSTS: host.host } });
  app = await world.registerApp({ jwks: publicKeys(), request_uris: [`https://${host.host}/request`] });
  ({ agent } = await world.signUp());
  // Everything requested is approved in advance, so that no consent page comes in between.
  await world.link(agent, app.rp);
});
afterAll(async () => {
  await world.close();
  await host.close();
});

const publicKeys = () => ({
  keys: algorithms.map((alg) => ({ ...keys[alg].jwk, kid: alg, alg, use: 'sig' })),
});
const now = () => Math.floor(Date.now() / 1000);

/** The parameters of an app’s request, and the values that its response is verified against. */
const asked = async (of = app) => {
  const { url, checks } = await of.rp.authorizationUrl();
  return { parameters: Object.fromEntries(url.searchParams), checks };
};

/** A valid request object of the app, except for `changes`. */
const sign = async (
  changes: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  {
    of = app,
    key,
  }: { of?: RegisteredApp; key?: Pick<SigningKey, 'privateKey'> | { privateKey: Uint8Array } } = {},
) => {
  const { parameters, checks } = await asked(of);
  const alg = (header.alg ?? 'ES256') as (typeof algorithms)[number];
  const named = { clientId: of.clientId, audience: world.origin };
  const request = await signRequest(key ?? keys[alg], named, { ...parameters, ...changes }, header);
  return { request, checks };
};

const open = (parameters: Record<string, string>, person = agent) =>
  person.navigate(`/oauth/authorize?${new URLSearchParams(parameters)}`);

/** By value: the parameters that RFC 9101 section 5 requires beside the object, and no others. */
const send = (request: string, of = app) => open({ client_id: of.clientId, request });

const isTaken = async (request: string) => (await send(request)).url.searchParams.has('code');

/** The error that the app gets when the object is invalid and the redirect_uri beside it is valid. */
const refusalOf = async (request: string, of = app) => {
  const arrived = await open({
    client_id: of.clientId,
    response_type: 'code',
    redirect_uri: of.redirectUri,
    scope: 'openid',
    request,
  });
  const { origin, searchParams } = arrived.url;
  expect([origin, searchParams.get('iss')]).toEqual(['https://app.example', world.origin]);
  return searchParams.get('error');
};

const push = (form: Record<string, string>, of = app) =>
  world.browser().request('POST', '/oauth/par', { form, headers: { origin: '', ...basic(of) } });

const pageErrorOf = (arrived: Arrival) => {
  expect(arrived.url.origin).toBe(world.origin);
  expect(arrived.answer?.status).toBe(400);
  return bootOf(arrived).error.oauthError;
};

describe('a signed request object by value (RFC 9101)', () => {
  test.each(algorithms)('is accepted with a signature of %s', async (alg) => {
    const { request, checks } = await sign({}, { alg, kid: alg });
    const { url } = await send(request);
    expect(url.searchParams.get('state')).toBe(checks.expectedState);
    const tokens = await app.rp.exchange(url, checks);
    expect(tokens.claims()).toMatchObject({ aud: app.clientId, nonce: checks.expectedNonce });
  });

  test('openid-client sends one, and typ may be JWT or absent', async () => {
    const { parameters, checks } = await asked();
    const url = await oidc.buildAuthorizationUrlWithJAR(app.rp.configuration, parameters, {
      key: keys.ES256.privateKey,
      kid: 'ES256',
    });
    expect((await app.rp.exchange((await agent.navigate(url)).url, checks)).claims()?.aud).toBe(app.clientId);
    for (const typ of ['JWT', undefined, 'application/oauth-authz-req+jwt'])
      expect(await isTaken((await sign({}, { typ })).request)).toBe(true);
  });

  test('may name further audiences, and come from a clock that is a little ahead', async () => {
    const ahead = { iat: now() + 8, nbf: now() + 8 };
    for (const changes of [{ aud: ['https://x.example', world.origin] }, ahead])
      expect(await isTaken((await sign(changes)).request)).toBe(true);
  });

  test('counts alone: parameters beside it are neither used nor added (section 6.3)', async () => {
    const { request, checks } = await sign({ scope: 'openid' });
    const beside = { scope: 'openid profile', state: 'another', nonce: 'another', prompt: 'login' };
    const elsewhere = { redirect_uri: 'https://evil.example/', response_mode: 'form_post' };
    const { url } = await open({ client_id: app.clientId, ...beside, ...elsewhere, request });
    expect(url.searchParams.get('state')).toBe(checks.expectedState);
    const tokens = await app.rp.exchange(url, checks);
    expect(tokens.scope).toBe('openid');

    const { request: without } = await sign({ redirect_uri: undefined });
    const { redirectUri } = app;
    const page = await open({ client_id: app.clientId, redirect_uri: redirectUri, request: without });
    expect(pageErrorOf(page)).toBe('invalid_request');
  });

  test('may hold JSON values: claims as an object, max_age as a number', async () => {
    const { request, checks } = await sign({
      max_age: HOUR,
      claims: { id_token: { nickname: null } },
      ui_locales: 'ru',
    });
    const { url } = await send(request);
    const claims = (await app.rp.exchange(url, { ...checks, maxAge: HOUR })).claims();
    expect(claims?.auth_time).toBeTypeOf('number');
    expect(claims?.nickname).toBeTypeOf('string');
    const { request: later } = await sign({ prompt: 'login', ui_locales: 'ru' });
    const page = await send(later);
    expect((await world.details(agent, world.interactionOf(page.url))).locale).toBe('ru');
  });

  test('is valid until it expires, so that the page can be loaded again', async () => {
    const { request } = await sign({ jti: randomUUID() });
    for (let turn = 0; turn < 2; turn += 1) expect(await isTaken(request)).toBe(true);
  });

  test('decides where the errors of its request go, since its signature is valid', async () => {
    const { request, checks } = await sign({ scope: 'openid', prompt: 'none login' });
    const { url } = await send(request);
    expect(url.href.startsWith(app.redirectUri)).toBe(true);
    expect(url.searchParams.get('error')).toBe('invalid_request');
    expect(url.searchParams.get('state')).toBe(checks.expectedState);
  });
});

describe('an invalid request object', () => {
  test('is refused as invalid_request_object, to a registered redirect URI', async () => {
    const other = await world.registerApp({ jwks: { keys: [stranger.jwk] } });
    const unsigned = { iss: app.clientId, aud: world.origin, client_id: app.clientId, exp: now() + 60 };
    const [header, , signature] = (await sign()).request.split('.');
    const publicKey = createPublicKey({ key: keys.RS256.jwk, format: 'jwk' });
    const pem = Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }));
    const wrong: [string, string][] = [
      ['alg none', `${encodePart({ alg: 'none' })}.${encodePart(unsigned)}.`],
      ['no signature', `${header}.${encodePart(unsigned)}.`],
      ['another payload', `${header}.${encodePart(unsigned)}.${signature}`],
      ['nonsense', 'nonsense'],
      [
        'HS256 keyed with the public key',
        (await sign({}, { alg: 'HS256' }, { key: { privateKey: pem } })).request,
      ],
      ['another key', (await sign({}, {}, { key: stranger })).request],
      ['of another type', (await sign({}, { typ: 'dpop+jwt' })).request],
    ];
    for (const [name, changes] of Object.entries({
      'iss of another': { iss: other.clientId },
      'no iss': { iss: undefined },
      'client_id of another': { client_id: other.clientId },
      'no client_id': { client_id: undefined },
      'another response_type': { response_type: 'none' },
      'another aud': { aud: 'https://evil.example' },
      'no aud': { aud: undefined },
      'no exp': { exp: undefined },
      expired: { exp: now() - 60 },
      'good for two hours': { exp: now() + 2 * HOUR },
      'not good yet': { nbf: now() + 61 },
      'issued in the future': { iat: now() + 90 },
      'a client assertion': { sub: app.clientId },
      'with a request in it': { request: 'x' },
      'with a request_uri in it': { request_uri: `https://${host.host}/request` },
    }))
      wrong.push([name, (await sign(changes)).request]);
    for (const [name, request] of wrong)
      expect([name, await refusalOf(request)]).toEqual([name, 'invalid_request_object']);
  });

  test('leads to no address of its own', async () => {
    const { request } = await sign({ redirect_uri: 'https://evil.example/' }, {}, { key: stranger });
    expect(pageErrorOf(await send(request))).toBe('invalid_request_object');
    const { request: signed } = await sign({ redirect_uri: 'https://evil.example/' });
    expect(pageErrorOf(await send(signed))).toBe('invalid_redirect_uri');
  });

  test('is refused for its parameters like any request', async () => {
    for (const changes of [
      { scope: ['openid'] },
      { nonce: 'a\0b' },
      { nonce: 'n'.repeat(2049) },
      { state: 's'.repeat(7000) },
      { code_challenge_method: 'plain' },
    ]) {
      const { request } = await sign(changes);
      expect([changes, await refusalOf(request)]).toEqual([changes, 'invalid_request']);
    }
  });

  test('authenticates no client, and an assertion is no request object', async () => {
    const named = { clientId: app.clientId, audience: world.origin };
    const keyed = await world.registerApp({
      token_endpoint_auth_method: 'private_key_jwt',
      client_secret: undefined,
      jwks: publicKeys(),
    });
    const assertion = await signAssertion(keys.ES256, named, { client_id: app.clientId });
    expect(await refusalOf(assertion)).toBe('invalid_request_object');
    const { request } = await sign({ sub: keyed.clientId, jti: randomUUID() }, {}, { of: keyed });
    const answer = await world.browser().request('POST', '/oauth/introspect', {
      form: {
        token: 'x',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: request,
      },
      headers: { origin: '' },
    });
    expect([answer.status, answer.json().error]).toEqual([401, 'invalid_client']);
  });
});

describe('a client that signs its requests', () => {
  test('with require_signed_request_object can send no other requests, by any endpoint', async () => {
    const strict = await world.registerApp({
      jwks: publicKeys(),
      require_signed_request_object: true,
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    });
    const { parameters } = await asked(strict);
    const { url } = await open(parameters);
    expect([url.searchParams.get('error'), url.searchParams.get('code')]).toEqual(['invalid_request', null]);
    const unsigned = { ...parameters, iss: strict.clientId, aud: world.origin, exp: now() + 60 };
    const none = `${encodePart({ alg: 'none' })}.${encodePart(unsigned)}.`;
    expect(await refusalOf(none, strict)).toBe('invalid_request_object');
    const device = await world.browser().request('POST', '/oauth/device_authorization', {
      form: { scope: 'openid' },
      headers: { origin: '', ...basic(strict) },
    });
    const errors = [await push(parameters, strict), await push({ request: none }, strict), device].map(
      ({ status, json }) => [status, json().error],
    );
    expect(errors).toEqual([
      [400, 'invalid_request'],
      [400, 'invalid_request_object'],
      [400, 'invalid_request'],
    ]);
    const { request } = await sign({}, {}, { of: strict });
    expect((await send(request, strict)).url.pathname).toBe('/consent');
  });

  test('with request_object_signing_alg must sign with that algorithm', async () => {
    const pinned = await world.registerApp({ jwks: publicKeys(), request_object_signing_alg: 'PS256' });
    const { request } = await sign({}, { alg: 'ES256', kid: 'ES256' }, { of: pinned });
    expect(await refusalOf(request, pinned)).toBe('invalid_request_object');
    const { request: right } = await sign({}, { alg: 'PS256', kid: 'PS256' }, { of: pinned });
    expect((await send(right, pinned)).url.pathname).toBe('/consent');
  });

  test('may push it, for 60 seconds at most and no longer than the object is valid', async () => {
    const { request, checks } = await sign({ exp: now() + 30 });
    const pushed = await push({ request, state: 'another', scope: 'openid email' });
    expect(pushed.status, pushed.body).toBe(201);
    const { expires_in, request_uri } = pushed.json();
    expect(expires_in).toBeGreaterThan(0);
    expect(expires_in).toBeLessThanOrEqual(30);
    const { url } = await open({ client_id: app.clientId, request_uri });
    expect(url.searchParams.get('state')).toBe(checks.expectedState);
    expect((await app.rp.exchange(url, checks)).claims()?.aud).toBe(app.clientId);

    const { request: ofNobody } = await sign({ client_id: undefined });
    expect((await push({ request: ofNobody })).json().error).toBe('invalid_request_object');
    const other = await world.registerApp({ jwks: publicKeys() });
    expect((await push({ request }, other)).json().error).toBe('invalid_request_object');
  });

  test('has its keys fetched from its jwks_uri, and nothing else is fetched', async () => {
    const published = await world.registerApp({ jwks_uri: `https://${host.host}/jwks` });
    const { request } = await sign({}, { kid: 'ES256' }, { of: published });
    expect((await send(request, published)).url.pathname).toBe('/consent');
    // Anybody can name an unknown key: the host is not asked each time.
    const { request: strange } = await sign({}, { kid: 'another' }, { of: published });
    for (let turn = 0; turn < 3; turn += 1)
      expect(await refusalOf(strange, published)).toBe('invalid_request_object');
    const request_uri = `https://${host.host}/request`;
    const page = await open({ client_id: app.clientId, request_uri });
    expect(pageErrorOf(page)).toBe('request_uri_not_supported');
    expect(fetched).toEqual(['/jwks']);
  });
});
