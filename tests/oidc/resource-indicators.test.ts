import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic, readJwt } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { acceptAccessToken } from './access-token.ts';
import { isActive, type RegisteredApp } from './authorization.ts';
import { ABROAD, createRequests, errorOf, LIGHTS, METERS, resources, SCENES } from './resources.ts';

let world: World;
let agent: UserAgent;
let requests: ReturnType<typeof createRequests>;
beforeAll(async () => {
  world = await createWorld();
  await world.registerResources(resources);
  ({ agent } = await world.signUp());
  requests = createRequests(world, agent);
});
afterAll(() => world.close());

const ask: typeof requests.ask = (request) => requests.ask(request);
const approve: typeof requests.approve = (request, body) => requests.approve(request, body);

describe('a token for an API', () => {
  test('is a JWT that the API can verify by itself, for that API only', async () => {
    const { app, exchange } = await approve({ scope: 'openid read switch' });
    const tokens = await exchange({ resource: LIGHTS });
    expect(tokens).toMatchObject({ scope: 'read switch', expires_in: 600 });
    const { header, payload } = await acceptAccessToken(world, tokens.access_token, LIGHTS);
    expect(header.alg).toBe('ES256');
    expect(payload).toMatchObject({
      client_id: app.clientId,
      sub: tokens.claims()?.sub,
      scope: 'read switch',
      jti: expect.any(String),
      auth_time: expect.any(Number),
      amr: ['pwd', 'otp'],
    });
    expect(Number(payload.exp) - Number(payload.iat)).toBe(600);
    // RFC 9068 section 5: neither token can be taken for the other kind.
    expect(readJwt(tokens.id_token ?? '').header.typ).not.toBe('at+jwt');
  });

  test('has the signature algorithm and the lifetime of the API', async () => {
    const { exchange } = await approve({ scope: 'openid play', resource: [SCENES] });
    const tokens = await exchange({ resource: SCENES });
    expect(tokens.expires_in).toBe(3600);
    expect((await acceptAccessToken(world, tokens.access_token, SCENES)).header.alg).toBe('RS256');
  });

  test('is refused at userinfo, and never introspected as active', async () => {
    const { app, exchange } = await approve({});
    const { access_token: jwt } = await exchange({ resource: LIGHTS });
    await expect(app.rp.userinfo(jwt)).rejects.toThrow();
    expect(await app.rp.introspect(jwt)).toEqual({ active: false });
    // RFC 7009 section 2.2.1: a JWT lasts to its end.
    expect(await errorOf(app.rp.revoke(jwt))).toBe('unsupported_token_type');
  });

  test('is opaque for an API with introspection, which returns the audience', async () => {
    const { app, exchange } = await approve({ scope: 'openid meter', resource: [METERS] });
    const { access_token: token } = await exchange({ resource: METERS });
    expect(token).not.toContain('.');
    expect(await app.rp.introspect(token)).toMatchObject({ active: true, aud: METERS, scope: 'meter' });
    await expect(app.rp.userinfo(token)).rejects.toThrow();
    await app.rp.revoke(token);
    expect(await isActive(app, token)).toBe(false);
  });

  test('is issued to an app that requests one API and no scope of the account', async () => {
    const { app, exchange } = await approve({ scope: 'read' });
    const tokens = await exchange();
    expect(tokens.id_token).toBeUndefined();
    await acceptAccessToken(world, tokens.access_token, LIGHTS);
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    await acceptAccessToken(world, refreshed.access_token, LIGHTS);
  });

  test('is for userinfo if the app names no API', async () => {
    const { app, exchange } = await approve({ scope: 'openid profile read' });
    const tokens = await exchange();
    expect(tokens.scope).toBe('openid profile');
    expect(await app.rp.userinfo(tokens.access_token)).toHaveProperty('nickname');
  });

  test('is issued for each API in turn, by refreshing', async () => {
    const { app, exchange } = await approve({ scope: 'openid read play', resource: [LIGHTS, SCENES] });
    const first = await exchange({ resource: LIGHTS });
    expect((await acceptAccessToken(world, first.access_token, LIGHTS)).payload.scope).toBe('read');
    const second = await app.rp.refresh(first.refresh_token ?? '', { resource: SCENES });
    expect((await acceptAccessToken(world, second.access_token, SCENES)).payload.scope).toBe('read play');
    const third = await app.rp.refresh(second.refresh_token ?? '', { resource: SCENES, scope: 'play' });
    expect((await acceptAccessToken(world, third.access_token, SCENES)).payload.scope).toBe('play');
    const last = await app.rp.refresh(third.refresh_token ?? '');
    expect(await app.rp.userinfo(last.access_token)).toHaveProperty('sub');
  });

  test('has scopes of the API only', async () => {
    const { exchange } = await approve({ scope: 'openid read play nonsense', resource: [LIGHTS] });
    expect((await exchange({ resource: LIGHTS })).scope).toBe('read');
  });

  test('is not issued without a scope of the API', async () => {
    const { exchange } = await approve({ scope: 'openid profile' });
    expect(await errorOf(exchange({ resource: LIGHTS }))).toBe('invalid_target');
  });
});

describe('the resource of a request is refused as RFC 8707 requires', () => {
  test.each([
    ['unknown', 'https://nobody.example/'],
    ['the same but for a slash', `${LIGHTS}/`],
    ['relative', '/lights'],
    ['with a fragment', `${LIGHTS}#read`],
    ['with an empty fragment', `${LIGHTS}#`],
    ['another brand’s', ABROAD],
  ])('%s', async (_, identifier) => {
    const { arrived } = await ask({ resource: [identifier] });
    expect(arrived.url.origin).toBe('https://app.example');
    expect(arrived.url.searchParams.get('error')).toBe('invalid_target');
    expect(arrived.url.searchParams.get('iss')).toBe(world.origin);
  });

  test('if one of several is invalid', async () => {
    const { arrived } = await ask({ resource: [LIGHTS, 'https://nobody.example/'] });
    expect(arrived.url.searchParams.get('error')).toBe('invalid_target');
  });

  test.each([
    ['unknown', ['https://nobody.example/']],
    ['not asked for at first', [SCENES]],
    ['several', [LIGHTS, SCENES]],
    ['twice the same', [LIGHTS, LIGHTS]],
    ['relative', ['lights']],
    ['with a fragment', [`${LIGHTS}#read`]],
  ])('at the token endpoint: %s', async (_, identifiers) => {
    const app = await world.registerApp();
    const { checks, callback: url } = await approve({ app });
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: checks.pkceCodeVerifier,
    });
    for (const identifier of identifiers) form.append('resource', identifier);
    const refused = await postToken(app, form);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
  });

  test('in a refresh for an API that was not approved, and the refresh token stays valid', async () => {
    const { app, exchange } = await approve({});
    const { refresh_token: token = '' } = await exchange();
    expect(await errorOf(app.rp.refresh(token, { resource: SCENES }))).toBe('invalid_target');
    expect(await errorOf(app.rp.refresh(token, { resource: LIGHTS }))).toBe('none');
  });

  test('if absent, when several APIs and no scope of the account were approved', async () => {
    const { exchange } = await approve({ scope: 'read', resource: [LIGHTS, SCENES] });
    expect(await errorOf(exchange())).toBe('invalid_target');
  });
});

const postToken = async (app: RegisteredApp, body: URLSearchParams) => {
  const answered = await fetch(`${world.origin}/oauth/token`, { method: 'POST', headers: basic(app), body });
  return { status: answered.status, body: (await answered.json()) as { error?: string } };
};

test('a changed registration takes effect at once', async () => {
  const identifier = 'https://changing.example/';
  const entry = { identifier, name: 'Changing', scopes: [{ name: 'old' }] };
  await world.registerResources([entry]);
  const app = await world.registerApp();
  const { exchange } = await approve({ app, scope: 'openid old', resource: [identifier] });
  const { refresh_token: token = '' } = await exchange({ resource: identifier });
  await world.registerResources([{ ...entry, scopes: [{ name: 'new' }] }]);
  expect(await errorOf(app.rp.refresh(token, { resource: identifier }))).toBe('invalid_target');
  const { arrived } = await ask({ app, scope: 'openid new', resource: [identifier] });
  expect(arrived.url.pathname).toBe('/consent');
});

describe('the scope of a client’s metadata', () => {
  test('bounds the scopes that it can request of an API', async () => {
    const app = await world.registerApp({ scope: 'openid read' });
    const { exchange } = await approve({ app, scope: 'openid read switch' });
    expect((await exchange({ resource: LIGHTS })).scope).toBe('read');
  });

  test('bounds the scopes of the account too, even if it names only an API’s scopes', async () => {
    const app = await world.registerApp({ scope: 'read' });
    const { arrived } = await ask({ app, scope: 'openid profile read' });
    expect(arrived.url.searchParams.get('error')).toBe('invalid_scope');
  });
});

describe('an API that is a client itself', () => {
  test('introspects the tokens meant for it, and no others', async () => {
    const api = await world.registerApp({ resource_server: METERS });
    const stranger = await world.registerApp({ resource_server: LIGHTS });
    const { app, exchange } = await approve({ scope: 'openid meter', resource: [METERS] });
    const tokens = await exchange({ resource: METERS });
    expect(await api.rp.introspect(tokens.access_token)).toMatchObject({
      active: true,
      client_id: app.clientId,
      aud: METERS,
      scope: 'meter',
    });
    expect(await isActive(stranger, tokens.access_token)).toBe(false);
    expect(await isActive(api, tokens.refresh_token)).toBe(false);
    const { access_token: ofAccount } = await app.rp.refresh(tokens.refresh_token ?? '');
    expect(await isActive(api, ofAccount)).toBe(false);
    await api.rp.revoke(tokens.access_token);
    expect(await isActive(app, tokens.access_token)).toBe(true);
  });

  test('gets no information about a token of an app that is no longer registered', async () => {
    const api = await world.registerApp({ resource_server: METERS });
    const { app, exchange } = await approve({ scope: 'openid meter', resource: [METERS] });
    const { access_token: token } = await exchange({ resource: METERS });
    expect(await isActive(api, token)).toBe(true);
    await world.registerClients([
      {
        client_id: app.clientId,
        client_secret: app.clientSecret,
        redirect_uris: [app.redirectUri],
        brand: 'borealis',
      },
    ]);
    expect(await api.rp.introspect(token)).toEqual({ active: false });
  });
});
