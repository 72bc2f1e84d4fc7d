import { hash } from 'node:crypto';
import { buildAuthorizationUrlWithPAR } from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { readJwt } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import { answer, type RegisteredApp } from './authorization.ts';
import { LIGHTS, resources } from './resources.ts';

let world: SecureWorld;
let agent: UserAgent;
let identifier: string;
beforeAll(async () => {
  world = await createSecureWorld();
  await world.registerResources(resources);
  ({ agent, identifier } = await world.signUp());
});
afterAll(() => world.close());

const claimsOf = (userinfo?: object, id_token?: object) =>
  JSON.stringify({ ...(userinfo && { userinfo }), ...(id_token && { id_token }) });

/** The path where the request leads the browser, before any answer. */
const ask = async (app: RegisteredApp, parameters: Record<string, string>, person = agent) => {
  const { url, checks } = await app.rp.authorizationUrl(parameters);
  return { arrived: await person.navigate(url), checks };
};

/** Signs in with a code in place of the password. */
const signInByCode = async (person: UserAgent, uid: string, who: string) =>
  answer(person, `/interaction/${uid}/login`, {
    identifier: who,
    code: await world.receiveCode(person, who, 'login'),
  });

describe('the claims parameter (OpenID Connect Core section 5.5)', () => {
  test('claims beyond the scopes are shown to the person, and released after their approval', async () => {
    const app = await world.registerApp();
    const claims = claimsOf({ email: { essential: true }, phone_number: null }, { nickname: null });
    const { arrived, checks } = await ask(app, { scope: 'openid', claims });
    expect(arrived.url.pathname).toBe('/consent');
    const uid = world.interactionOf(arrived.url);
    const { scopes } = await world.details(agent, uid);
    expect(scopes.map(({ name }: { name: string }) => name).sort()).toEqual([
      'email',
      'offline_access',
      'openid',
      'phone',
      'profile',
    ]);
    const callback = await world.approve(agent, uid);
    const tokens = await app.rp.exchange(callback.url, checks);
    expect(tokens.claims()?.nickname).toBeTypeOf('string');
    const info = await app.rp.userinfo(tokens.access_token);
    expect(info.email).toBe(identifier);
    expect(info).not.toHaveProperty('name');
    expect(tokens.claims()).not.toHaveProperty('email');
    // Claims are remembered like the scopes that contain them.
    const again = await ask(app, { scope: 'openid', claims });
    expect(again.arrived.url.searchParams.get('code')).toBeTypeOf('string');
    const wider = await ask(app, { scope: 'openid profile email', claims });
    expect(wider.arrived.url.searchParams.get('code')).toBeTypeOf('string');
  });

  test.each([
    ['an app', {}],
    ['the brand’s own app, of which nobody is asked', { first_party: true }],
    ['an app that pushes its requests', { require_pushed_authorization_requests: true }],
  ])('OA39: claims of scopes that %s is not registered for are left out', async (_what, metadata) => {
    const app = await world.registerApp({ ...metadata, scope: 'openid profile' });
    const userinfo = { email: { essential: true }, nickname: null };
    const claims = JSON.stringify({ userinfo, id_token: { email: null, phone_number: null }, other: null });
    const { url: plain, checks } = await app.rp.authorizationUrl({ scope: 'openid', claims });
    const isPushed = 'require_pushed_authorization_requests' in metadata;
    const url = isPushed
      ? await buildAuthorizationUrlWithPAR(app.rp.configuration, plain.searchParams)
      : plain;
    let arrived = await agent.navigate(url);
    if (!('first_party' in metadata)) {
      const uid = world.interactionOf(arrived.url);
      const names = (await world.details(agent, uid)).scopes.map(({ name }: { name: string }) => name);
      expect(names.sort()).toEqual(['offline_access', 'openid', 'profile']);
      arrived = await world.approve(agent, uid);
    }
    const tokens = await app.rp.exchange(arrived.url, checks);
    const info = await app.rp.userinfo(tokens.access_token);
    expect(info.nickname).toBeTypeOf('string');
    for (const told of [info, tokens.claims()]) {
      expect(told).not.toHaveProperty('email');
      expect(told).not.toHaveProperty('phone_number');
    }
  });

  test('OA39: an app that is registered for scopes of APIs may ask who the account is, and for no more of it', async () => {
    const app = await world.registerApp({ scope: 'lamps' });
    const claims = JSON.stringify({
      userinfo: { email: null },
      id_token: { auth_time: null, nickname: null },
    });
    const { tokens } = await world.link(agent, app.rp, { scope: 'openid', claims });
    const { sub } = await app.rp.userinfo(tokens.access_token);
    expect(await app.rp.userinfo(tokens.access_token)).toEqual({ sub });
    expect(tokens.claims()).toMatchObject({ sub, auth_time: expect.any(Number) });
    expect(tokens.claims()).not.toHaveProperty('nickname');
    const { url } = await app.rp.authorizationUrl({ scope: 'openid email' });
    expect((await agent.navigate(url)).url.searchParams.get('error')).toBe('invalid_scope');
  });

  test('approving a scope does not approve a claim of another scope', async () => {
    const app = await world.registerApp();
    await world.link(agent, app.rp, { scope: 'openid profile' });
    const { arrived } = await ask(app, { scope: 'openid profile', claims: claimsOf({ email: null }) });
    expect(arrived.url.pathname).toBe('/consent');
  });

  test('a claim that the person leaves out is not released, however it is requested', async () => {
    const app = await world.registerApp({ optional_scopes: 'email' });
    const claims = claimsOf({ email: { essential: true } });
    const { arrived, checks } = await ask(app, { scope: 'openid', claims });
    const uid = world.interactionOf(arrived.url);
    const done = await answer(agent, `/interaction/${uid}/consent`, { scopes: ['openid', 'offline_access'] });
    const tokens = await app.rp.exchange(done.url, checks);
    expect(await app.rp.userinfo(tokens.access_token)).not.toHaveProperty('email');
    // A later sign-in is silent, and releases no more.
    const again = await ask(app, { scope: 'openid', claims });
    const silent = await app.rp.exchange(again.arrived.url, again.checks);
    expect(await app.rp.userinfo(silent.access_token)).not.toHaveProperty('email');
  });

  test.each([
    ['no JSON', '{'],
    ['an array', '[]'],
    ['a number', '1'],
    ['nothing asked', '{}'],
    ['userinfo that is no object', '{"userinfo":[]}'],
    ['a claim that is text', '{"id_token":{"sub":"x"}}'],
    ['a claim that is a number', '{"userinfo":{"email":1}}'],
    ['a claim that is a list', '{"userinfo":{"email":[]}}'],
    ['a subject that is no text', '{"id_token":{"sub":{"value":{}}}}'],
    ['an acr that is no text', '{"id_token":{"acr":{"essential":true,"value":[["pwd"]]}}}'],
    ['an acr that is a list of others', '{"id_token":{"acr":{"essential":true,"values":[{}]}}}'],
    ['too long', claimsOf({ email: { value: 'x'.repeat(4096) } })],
    ['essential that is text', '{"id_token":{"acr":{"essential":"yes"}}}'],
    ['an acr that is no list', '{"id_token":{"acr":{"essential":true,"values":"pwd"}}}'],
    ['half a surrogate pair as a subject', String.raw`{"id_token":{"sub":{"value":"\ud800"}}}`],
    ['half a surrogate pair as a value', String.raw`{"userinfo":{"email":{"value":"\uDC00"}}}`],
    ['half a surrogate pair as a claim', String.raw`{"userinfo":{"\ud800":null}}`],
    ['half a surrogate pair beside them', String.raw`{"userinfo":{},"x":["\ud800"]}`],
    ['a NUL as a claim', String.raw`{"userinfo":{"\u0000":null}}`],
  ])('%s is invalid_request', async (_name, claims) => {
    const app = await world.registerApp();
    const { arrived } = await ask(app, { claims });
    expect(arrived.url.searchParams.get('error')).toBe('invalid_request');
    expect(arrived.url.searchParams.get('iss')).toBe(world.origin);
  });

  test('an unknown claim is ignored', async () => {
    const app = await world.registerApp();
    const { tokens } = await world.link(agent, app.rp, {
      claims: claimsOf({ shoe_size: { essential: true } }, { '__proto__.x': null }),
    });
    expect(await app.rp.userinfo(tokens.access_token)).not.toHaveProperty('shoe_size');
  });
});

describe('an id_token', () => {
  const scope = 'openid profile email phone';
  const OF_SCOPES = [
    'name',
    'nickname',
    'preferred_username',
    'locale',
    'updated_at',
    'email',
    'email_verified',
  ];
  const idTokenOf = ({ id_token: idToken = '' }: { id_token?: string | undefined }) => readJwt(idToken);

  test('has the claims of the granted scopes, also after a refresh, like userinfo', async () => {
    const app = await world.registerApp();
    const { tokens } = await world.link(agent, app.rp, { scope });
    const info = await app.rp.userinfo(tokens.access_token);
    expect(info.preferred_username).toBe(info.nickname);
    expect(info.email).toBe(identifier);
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    for (const { id_token: idToken } of [tokens, refreshed]) {
      expect(idTokenOf({ id_token: idToken }).payload).toMatchObject(info);
      // The app may send the id_token as a hint in an address.
      expect(idToken?.length).toBeLessThan(1500);
    }
  });

  test('has no claims of a scope that was not requested or was left out', async () => {
    const app = await world.registerApp({ optional_scopes: 'email' });
    const { arrived, checks } = await ask(app, { scope: 'openid email' });
    const done = await answer(agent, `/interaction/${world.interactionOf(arrived.url)}/consent`, {
      scopes: ['openid', 'offline_access'],
    });
    const { payload } = idTokenOf(await app.rp.exchange(done.url, checks));
    for (const claim of OF_SCOPES) expect(payload).not.toHaveProperty(claim);
  });

  test('leaves them to userinfo if the client is so registered, except claims requested by name', async () => {
    const app = await world.registerApp({ id_token_claims: 'spec' });
    const claims = claimsOf(undefined, { nickname: null });
    const { tokens } = await world.link(agent, app.rp, { scope, claims });
    const { payload } = idTokenOf(tokens);
    expect(payload).toMatchObject({ sub: expect.any(String), nickname: expect.any(String), acr: 'otp' });
    for (const claim of OF_SCOPES.filter((name) => name !== 'nickname'))
      expect(payload).not.toHaveProperty(claim);
    expect(await app.rp.userinfo(tokens.access_token)).toHaveProperty('email', identifier);
  });

  test('has them also beside an access token for an API, which is not valid at userinfo', async () => {
    const app = await world.registerApp({ id_token_claims: 'spec' });
    const { url, checks } = await app.rp.authorizationUrl({ scope: `${scope} read`, resource: LIGHTS });
    const page = await agent.navigate(url);
    const { url: callback } = await world.approve(agent, world.interactionOf(page.url));
    const tokens = await app.rp.exchange(callback, checks, { resource: LIGHTS });
    expect(idTokenOf(tokens).payload).toMatchObject({ email: identifier });
  });

  test.each(['RS256', 'ES256'])(
    'signed %s is bound by at_hash to each access token issued beside it',
    async (alg) => {
      const app = await world.registerApp({ id_token_signed_response_alg: alg });
      const { url, checks } = await app.rp.authorizationUrl({ scope: 'openid read', resource: LIGHTS });
      const page = await agent.navigate(url);
      const { url: callback } = await world.approve(agent, world.interactionOf(page.url));
      const first = await app.rp.exchange(callback, checks);
      const refreshed = await app.rp.refresh(first.refresh_token ?? '');
      const ofApi = await app.rp.refresh(refreshed.refresh_token ?? '', { resource: LIGHTS });
      expect(ofApi.access_token.split('.')).toHaveLength(3);
      for (const tokens of [first, refreshed, ofApi]) {
        const half = hash('sha256', tokens.access_token, 'buffer').subarray(0, 16);
        const { header, payload } = idTokenOf(tokens);
        expect([header.alg, payload.at_hash]).toEqual([alg, half.toString('base64url')]);
      }
    },
  );
});

describe('the authentication of a person (acr and amr)', () => {
  test('is by password, by code, or by both at registration', async () => {
    const app = await world.registerApp();
    const registered = await world.signUp();
    const { tokens } = await world.link(registered.agent, app.rp);
    expect(tokens.claims()).toMatchObject({ acr: 'otp', amr: ['pwd', 'otp'] });

    const { agent: byPassword } = await world.signIn(registered.identifier);
    const linked = await world.link(byPassword, app.rp);
    expect(linked.tokens.claims()).toMatchObject({ acr: 'pwd', amr: ['pwd'] });
    const refreshed = await app.rp.refresh(linked.tokens.refresh_token ?? '');
    expect(refreshed.claims()).toMatchObject({ acr: 'pwd', amr: ['pwd'] });

    const byCode = world.browser();
    const { arrived, checks } = await ask(app, {}, byCode);
    const done = await signInByCode(byCode, world.interactionOf(arrived.url), registered.identifier);
    const byCodeTokens = await app.rp.exchange(done.url, checks);
    expect(byCodeTokens.claims()).toMatchObject({ acr: 'otp', amr: ['otp'] });
  });

  test('acr_values of unknown classes change nothing', async () => {
    const app = await world.registerApp();
    const { agent: byPassword } = await world.signIn(identifier);
    const { tokens } = await world.link(byPassword, app.rp, { acr_values: 'urn:one urn:two' });
    expect(tokens.claims()?.acr).toBe('pwd');
  });

  test('an essential acr requires a new sign-in, by a method that meets it', async () => {
    const app = await world.registerApp();
    const { agent: person } = await world.signIn(identifier);
    await world.link(person, app.rp);
    const claims = claimsOf(undefined, { acr: { essential: true, values: ['otp'] } });
    const { arrived, checks } = await ask(app, { claims }, person);
    expect(arrived.url.pathname).toBe('/login');
    const done = await signInByCode(person, world.interactionOf(arrived.url), identifier);
    const tokens = await app.rp.exchange(done.url, checks);
    expect(tokens.claims()?.acr).toBe('otp');
    // From then on the session has this acr.
    const again = await ask(app, { claims, prompt: 'none' }, person);
    expect(again.arrived.url.searchParams.get('code')).toBeTypeOf('string');
  });

  test('and a method that does not meet it is refused, until the person gives up', async () => {
    const app = await world.registerApp();
    const { agent: person } = await world.signIn(identifier);
    const claims = claimsOf(undefined, { acr: { essential: true, value: 'otp' } });
    const { arrived } = await ask(app, { claims }, person);
    const uid = world.interactionOf(arrived.url);
    const refused = await person.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    expect([refused.status, refused.json().error.code]).toEqual([403, 'code_required']);
    const { returnTo } = (await person.post(`/interaction/${uid}/abort`)).json();
    const done = await person.navigate(returnTo);
    expect(done.url.origin).toBe('https://app.example');
    expect(done.url.searchParams.get('error')).toBe('unmet_authentication_requirements');
    expect(done.url.searchParams.get('iss')).toBe(world.origin);
    const silent = await ask(app, { claims, prompt: 'none' }, person);
    expect(silent.arrived.url.searchParams.get('error')).toBe('login_required');
  });

  test('an essential acr that no method meets is refused at once', async () => {
    const app = await world.registerApp();
    for (const acr of [
      { essential: true, values: ['urn:mace:incommon:iap:silver'] },
      { essential: true, value: 'urn:example:strong' },
    ]) {
      const { arrived } = await ask(app, { claims: claimsOf(undefined, { acr }) }, world.browser());
      expect(arrived.url.searchParams.get('error')).toBe('unmet_authentication_requirements');
    }
  });
});
