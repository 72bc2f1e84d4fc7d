import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proveByCode } from '../api/settings.ts';
import { askForCode, enterCode, poll, registerDevice } from '../support/device.ts';
import { askPasskey, givePasskey, usePasskey } from '../support/passkeys.ts';
import { startStrictApi } from '../support/strict-api.ts';
import { readJwt } from '../support/token.ts';
import { type OwnFactor, totpCode, turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { acceptAccessToken } from './access-token.ts';
import { answer, type RegisteredApp, refusal } from './authorization.ts';
import { LIGHTS, METERS, resources } from './resources.ts';

let world: World;
let app: RegisteredApp;
beforeAll(async () => {
  world = await createWorld();
  await world.registerResources(resources);
  app = await world.registerApp();
});
afterAll(() => world.close());

/** A person who signed in with a password, and approved the app. */
const arrive = async () => {
  const { identifier } = await world.signUp();
  const { agent } = await world.signIn(identifier);
  await world.link(agent, app.rp);
  return { agent, identifier };
};

const essential = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});

const ask = async (agent: UserAgent, parameters: Record<string, string>, of = app) => {
  const { url, checks } = await of.rp.authorizationUrl(parameters);
  const arrived = await agent.navigate(url);
  const uid = arrived.url.searchParams.get('interaction') ?? '';
  return { arrived, checks, uid, path: arrived.url.pathname };
};

const logIn = (agent: UserAgent, uid: string, identifier: string) =>
  agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });

const errorAt = ({ url }: { url: URL }) => url.searchParams.get('error');

const goOn = async (agent: UserAgent, given: { json: () => { returnTo: string } }) => {
  const page = await agent.navigate(given.json().returnTo);
  return page.url.pathname === '/consent' ? world.approve(agent, world.interactionOf(page.url)) : page;
};

describe('a wished class (acr_values)', () => {
  test('leads to a sign-in that says what the app asks, and a weaker one goes on', async () => {
    const { agent, identifier } = await arrive();
    const { uid, path, checks } = await ask(agent, { acr_values: 'phr mfa' });
    expect(path).toBe('/login');
    expect(await world.details(agent, uid)).toMatchObject({ insists: 'mfa', loginHint: identifier });
    const back = await goOn(agent, await logIn(agent, uid, identifier));
    expect((await app.rp.exchange(back.url, checks)).claims()?.acr).toBe('pwd');
  });

  test('who gives up goes on as who is signed in; who is not, declines', async () => {
    const { agent } = await arrive();
    const asked = await ask(agent, { acr_values: 'mfa' });
    const back = await answer(agent, `/interaction/${asked.uid}/abort`);
    expect((await app.rp.exchange(back.url, asked.checks)).claims()?.acr).toBe('pwd');
    const stranger = world.browser();
    const { uid } = await ask(stranger, { acr_values: 'mfa' });
    expect(errorAt(await answer(stranger, `/interaction/${uid}/abort`))).toBe('access_denied');
  });

  test('is settled once: the consent that follows asks for no second sign-in', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const other = await world.registerApp();
    const { uid } = await ask(agent, { acr_values: 'phr' }, other);
    const page = await answer(agent, `/interaction/${uid}/login`, { identifier, password: PASSWORD });
    expect(page.url.pathname).toBe('/consent');
    const back = await world.approve(agent, world.interactionOf(page.url));
    expect(back.url.searchParams.get('code')).toBeTypeOf('string');
  });

  test('that was given up is not asked for again after the consent', async () => {
    const { agent } = await arrive();
    const other = await world.registerApp();
    const { uid, checks } = await ask(agent, { acr_values: 'mfa' }, other);
    const page = await answer(agent, `/interaction/${uid}/abort`);
    expect(page.url.pathname).toBe('/consent');
    const back = await world.approve(agent, world.interactionOf(page.url));
    expect((await other.rp.exchange(back.url, checks)).claims()?.acr).toBe('pwd');
  });

  test('refuses nothing under prompt=none', async () => {
    const { agent } = await arrive();
    const { arrived, checks } = await ask(agent, { acr_values: 'mfa', prompt: 'none' });
    expect((await app.rp.exchange(arrived.url, checks)).claims()?.acr).toBe('pwd');
  });

  test('of the client’s metadata leads there too', async () => {
    const { agent } = await arrive();
    const strict = await world.registerApp({ default_acr_values: ['mfa'] });
    expect((await ask(agent, {}, strict)).path).toBe('/login');
  });
});

describe('OA27: an essential class', () => {
  test('refuses a weaker sign-in, and the app hears of it when the person gives up', async () => {
    const { agent, identifier } = await arrive();
    const { uid } = await ask(agent, essential('mfa', 'phr'));
    expect((await world.details(agent, uid)).insists).toBe('mfa');
    expect(refusal(await logIn(agent, uid, identifier))).toEqual([403, 'factor_missing']);
    const byCode = await agent.post(`/interaction/${uid}/login`, {
      identifier,
      code: await world.receiveCode(agent, identifier, 'login'),
    });
    expect(refusal(byCode)).toEqual([403, 'factor_missing']);
    const back = await answer(agent, `/interaction/${uid}/abort`);
    expect(errorAt(back)).toBe('unmet_authentication_requirements');
    const silent = await ask(agent, { ...essential('mfa'), prompt: 'none' });
    expect(errorAt(silent.arrived)).toBe('login_required');
  });

  test('goes before acr_values, and unknown classes beside it do not count', async () => {
    const { agent } = await arrive();
    const { uid } = await ask(agent, { ...essential('urn:gold', 'phr'), acr_values: 'pwd' });
    expect((await world.details(agent, uid)).insists).toBe('phr');
  });

  test('asks a new account next, which is signed in by then', async () => {
    const agent = world.browser();
    const { uid } = await ask(agent, { ...essential('mfa'), prompt: 'create' });
    const page = await world.register(agent, uid, `new-${uid.slice(0, 8)}@example.com`.toLowerCase());
    expect(page.url.pathname).toBe('/login');
    expect((await world.details(agent, world.interactionOf(page.url))).insists).toBe('mfa');
    expect((await agent.get('/api/account')).status).toBe(200);
  });
});

describe('a passkey', () => {
  test('meets every class up to its own; the app is told the class that it named', async () => {
    const { agent, identifier } = await world.signUp();
    const { authenticator } = await givePasskey(agent, world.origin, { synced: true });
    const { agent: person } = await world.signIn(identifier);
    await world.link(person, app.rp);
    const stepUp = await ask(person, essential('phr'));
    expect((await world.details(person, stepUp.uid)).insists).toBe('phr');
    const done = await goOn(person, await usePasskey(person, stepUp.uid, authenticator));
    const tokens = await app.rp.exchange(done.url, stepUp.checks);
    expect(tokens.claims()).toMatchObject({ acr: 'phr', amr: ['swk', 'user', 'mfa'] });

    const told = async (parameters: Record<string, string>) => {
      const { arrived, checks } = await ask(person, parameters);
      return (await app.rp.exchange(arrived.url, checks)).claims()?.acr;
    };
    expect(await told({})).toBe('phr');
    expect(await told({ acr_values: 'mfa' })).toBe('mfa');
    expect(await told({ ...essential('otp', 'mfa'), prompt: 'none' })).toBe('mfa');

    const { uid } = await ask(person, essential('phrh'));
    expect(refusal(await usePasskey(person, uid, authenticator))).toEqual([403, 'bound_passkey_missing']);
  });

  test('that is bound to its device is phrh', async () => {
    const { agent } = await world.signUp();
    const { authenticator } = await givePasskey(agent, world.origin, { synced: false });
    const { uid, checks } = await ask(agent, essential('phrh'));
    const done = await goOn(agent, await usePasskey(agent, uid, authenticator));
    expect((await app.rp.exchange(done.url, checks)).claims()?.acr).toBe('phrh');
  });
});

test('a device’s request leads to the stronger sign-in too (RFC 8628)', async () => {
  const { agent, identifier } = await world.signUp();
  const { authenticator } = await givePasskey(agent, world.origin, { synced: true });
  const { agent: person } = await world.signIn(identifier);
  const device = await registerDevice(world);
  const code = await askForCode(device, essential('phr'));
  const page = await enterCode(person, code.user_code);
  expect(page.pathname).toBe('/login');
  const uid = world.interactionOf(page);
  expect((await world.details(person, uid)).insists).toBe('phr');
  await goOn(person, await usePasskey(person, uid, authenticator));
  const { id_token: idToken } = (await poll(device, code)).json();
  expect(readJwt(idToken).payload).toMatchObject({ acr: 'phr' });
});

describe('a second factor', () => {
  /** A person with an authenticator app, whose browser is not asked for it. */
  const withTrust = async () => {
    const { agent: first, identifier } = await world.signUp();
    const factor = await turnOnTotp(first);
    const { agent, uid } = await begin(world.browser());
    expect(refusal(await logIn(agent, uid, identifier))).toEqual([403, 'second_factor_required']);
    const [recoveryCode, ...recoveryCodes] = factor.recoveryCodes;
    const passed = await agent.post(`/interaction/${uid}/second-factor`, { recoveryCode, remember: true });
    await goOn(agent, passed);
    return { agent, identifier, ...factor, recoveryCodes };
  };
  const begin = async (agent: UserAgent, parameters: Record<string, string> = {}) => ({
    agent,
    ...(await ask(agent, { prompt: 'login', ...parameters })),
  });
  const codeOf = ({ secret }: OwnFactor) => ({ totp: totpCode(secret, new Date()) });

  test('is asked for in a trusted browser where the app insists, and meets mfa', async () => {
    const person = await withTrust();
    const { agent, identifier } = person;
    const usual = await begin(agent);
    const back = await goOn(agent, await logIn(agent, usual.uid, identifier));
    expect((await app.rp.exchange(back.url, usual.checks)).claims()).toMatchObject({ acr: 'pwd' });

    const { uid, checks } = await ask(agent, { ...essential('mfa'), max_age: '1000' });
    expect(refusal(await logIn(agent, uid, identifier))).toEqual([403, 'second_factor_required']);
    const { insists, secondFactor } = await world.details(agent, uid);
    expect([insists, secondFactor.ways]).toEqual(['mfa', ['totp', 'recovery_code']]);
    const before = Math.floor(Date.now() / 1000);
    const done = await goOn(agent, await agent.post(`/interaction/${uid}/second-factor`, codeOf(person)));
    const claims = (await app.rp.exchange(done.url, checks)).claims();
    expect(claims).toMatchObject({ acr: 'mfa', amr: ['pwd', 'otp', 'mfa'] });
    expect(claims?.auth_time).toBeGreaterThanOrEqual(before - 1);
  });

  test('of an app does not meet phr: only a passkey is offered, if the account has one', async () => {
    const person = await withTrust();
    const { agent, identifier } = person;
    const none = await begin(agent, essential('phr'));
    expect(refusal(await logIn(agent, none.uid, identifier))).toEqual([403, 'factor_missing']);
    const { authenticator } = await givePasskey(agent, world.origin, { synced: true });

    const { uid, checks } = await begin(agent, essential('phr'));
    expect(refusal(await logIn(agent, uid, identifier))).toEqual([403, 'second_factor_required']);
    expect((await world.details(agent, uid)).secondFactor.ways).toEqual(['passkey']);
    const byApp = await agent.post(`/interaction/${uid}/second-factor`, codeOf(person));
    expect(refusal(byApp)).toEqual([403, 'factor_missing']);
    const done = await goOn(agent, await usePasskey(agent, uid, authenticator));
    expect((await app.rp.exchange(done.url, checks)).claims()?.acr).toBe('phr');

    // A wish for phr is put first, and the app passes as well.
    const wished = await begin(agent, { acr_values: 'phr' });
    expect(refusal(await logIn(agent, wished.uid, identifier))).toEqual([403, 'second_factor_required']);
    expect((await world.details(agent, wished.uid)).secondFactor.ways).toEqual([
      'passkey',
      'totp',
      'recovery_code',
    ]);
  });

  test('is not asked for where none of the account is as strong as the app insists', async () => {
    const { agent, identifier } = await world.signUp();
    const { secret } = await turnOnTotp(agent);
    expect((await agent.post('/api/step-up', { totp: totpCode(secret, new Date()) })).status).toBe(204);
    await givePasskey(agent, world.origin, { synced: true });
    const stranger = world.browser();
    const { uid } = await begin(stranger, essential('phrh'));
    expect(refusal(await logIn(stranger, uid, identifier))).toEqual([403, 'bound_passkey_missing']);
    expect(await world.details(stranger, uid)).not.toHaveProperty('secondFactor');

    const wished = await begin(stranger, { acr_values: 'phrh' });
    expect(refusal(await logIn(stranger, wished.uid, identifier))).toEqual([403, 'second_factor_required']);
    const waysAt = async ({ uid: at }: { uid: string }) =>
      (await world.details(stranger, at)).secondFactor.ways;
    expect(await waysAt(wished)).toEqual(['totp', 'recovery_code', 'passkey']);

    await givePasskey(agent, world.origin, { synced: false });
    const bound = await begin(stranger, essential('phrh'));
    expect(refusal(await logIn(stranger, bound.uid, identifier))).toEqual([403, 'second_factor_required']);
    expect(await waysAt(bound)).toEqual(['passkey']);
  });

  test('by a synced passkey is refused where a bound one is needed, which then passes', async () => {
    const { agent, identifier } = await world.signUp();
    const synced = await givePasskey(agent, world.origin, { synced: true });
    const bound = await givePasskey(agent, world.origin, { synced: false });
    const { uid, checks } = await begin(agent, essential('phrh'));
    expect(refusal(await logIn(agent, uid, identifier))).toEqual([403, 'second_factor_required']);
    const pass = async ({ authenticator }: typeof synced) => {
      const passkey = await askPasskey(agent, authenticator, `/interaction/${uid}/passkey/options`);
      return agent.post(`/interaction/${uid}/second-factor`, { passkey });
    };
    expect(refusal(await pass(synced))).toEqual([403, 'bound_passkey_missing']);
    const done = await goOn(agent, await pass(bound));
    expect((await app.rp.exchange(done.url, checks)).claims()?.acr).toBe('phrh');
  });

  test('is a passkey after a password, for an account that has no app and an app that insists', async () => {
    const { agent, identifier } = await world.signUp();
    const { authenticator } = await givePasskey(agent, world.origin, { synced: true });
    // A wish locks nobody out whose passkey is on another device.
    const wished = await begin(agent, { acr_values: 'mfa' });
    const signedIn = await goOn(agent, await logIn(agent, wished.uid, identifier));
    expect((await app.rp.exchange(signedIn.url, wished.checks)).claims()?.acr).toBe('pwd');

    const { uid, checks } = await begin(agent, essential('mfa'));
    expect(refusal(await logIn(agent, uid, identifier))).toEqual([403, 'second_factor_required']);
    const asked = `/interaction/${uid}/passkey/options`;
    const passkey = await askPasskey(agent, authenticator, asked);
    const done = await goOn(agent, await agent.post(`/interaction/${uid}/second-factor`, { passkey }));
    expect((await app.rp.exchange(done.url, checks)).claims()?.acr).toBe('mfa');
  });
});

describe('access tokens', () => {
  test('say how and when the person signed in, as JWT and by introspection, also after a step-up and a refresh', async () => {
    const { agent, identifier } = await arrive();
    const meters = await world.registerApp({ resource_server: METERS });
    const link = async (resource: string, scope: string) => {
      const { url, checks } = await app.rp.authorizationUrl({ scope: `openid ${scope}`, resource });
      const page = await agent.navigate(url);
      const back = await world.approve(agent, world.interactionOf(page.url));
      return app.rp.exchange(back.url, checks, { resource });
    };
    const said = { acr: 'pwd', amr: ['pwd'], auth_time: expect.any(Number) };
    const jwt = await link(LIGHTS, 'read');
    expect(readJwt(jwt.access_token).payload).toMatchObject(said);
    const opaque = await link(METERS, 'meter');
    expect(await meters.rp.introspect(opaque.access_token)).toMatchObject({ active: true, ...said });

    await proveByCode(world, agent, identifier);
    const { secret } = await turnOnTotp(agent);
    const { uid, checks } = await ask(agent, { acr_values: 'mfa' });
    expect((await logIn(agent, uid, identifier)).status).toBe(403);
    const totp = totpCode(secret, new Date());
    const done = await goOn(agent, await agent.post(`/interaction/${uid}/second-factor`, { totp }));
    expect((await app.rp.exchange(done.url, checks)).claims()?.acr).toBe('mfa');
    const refreshed = await app.rp.refresh(opaque.refresh_token ?? '', { resource: METERS });
    expect(await meters.rp.introspect(refreshed.access_token)).toMatchObject({ active: true, ...said });
  });
});

describe('a step-up at the request of an API (RFC 9470)', () => {
  /** What the library says of the answer of the API: the parameters of its challenge, or its status. */
  const call = async (api: URL, token: string) => {
    try {
      return { status: (await oidc.fetchProtectedResource(app.rp.configuration, token, api, 'GET')).status };
    } catch (error) {
      if (!(error instanceof oidc.WWWAuthenticateChallengeError)) throw error;
      return error.cause[0]?.parameters ?? {};
    }
  };

  test.each([
    ['a JWT', LIGHTS, 'read'],
    ['an opaque token', METERS, 'meter'],
  ])('goes through the second factor to %s that the API takes', async (_what, resource, scope) => {
    const guard = await world.registerApp({ resource_server: resource });
    const api = await startStrictApi({
      acrValues: ['mfa'],
      maxAge: 300,
      read: async (token) => {
        if (resource === LIGHTS) return (await acceptAccessToken(world, token, LIGHTS)).payload;
        const facts: Record<string, unknown> = await guard.rp.introspect(token);
        if (!facts.active) throw new Error('the token is not active');
        return facts;
      },
    });
    const { agent, identifier } = await arrive();
    await proveByCode(world, agent, identifier);
    const { secret } = await turnOnTotp(agent);
    const request = { scope: `openid ${scope}`, resource };
    const weak = await ask(agent, request);
    const approved = await world.approve(agent, weak.uid);
    const weakTokens = await app.rp.exchange(approved.url, weak.checks, { resource });

    const refused = await call(api.url, weakTokens.access_token);
    expect(refused).toMatchObject({ error: 'insufficient_user_authentication', acr_values: 'mfa' });
    const { acr_values = '', max_age = '' } = refused as Record<string, string>;
    const strong = await ask(agent, { ...request, acr_values, max_age });
    expect(strong.path).toBe('/login');
    expect(refusal(await logIn(agent, strong.uid, identifier))).toEqual([403, 'second_factor_required']);
    const totp = totpCode(secret, new Date());
    const passed = await agent.post(`/interaction/${strong.uid}/second-factor`, { totp });
    const done = await goOn(agent, passed);
    const tokens = await app.rp.exchange(done.url, strong.checks, { resource });
    expect(await call(api.url, tokens.access_token)).toEqual({ status: 200 });
    // The first token stays what it was.
    expect(await call(api.url, weakTokens.access_token)).toMatchObject({ acr_values: 'mfa' });
    await api.close();
  });
});
