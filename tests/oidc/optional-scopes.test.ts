import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { answer, approvalsOf, refusal, start } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const SCOPE = 'openid profile email';
const choosy = (metadata: Record<string, unknown> = {}) =>
  world.registerApp({ optional_scopes: 'profile email', ...metadata });

/** Approves only `scopes`, and says what the app got. */
const approveOnly = async (app: Awaited<ReturnType<typeof choosy>>, scopes: string[]) => {
  const { agent, identifier } = await world.signUp();
  const { uid, checks } = await start(world, { agent, app, parameters: { scope: SCOPE } });
  const { url } = await answer(agent, `/interaction/${uid}/consent`, { scopes });
  const tokens = await app.rp.exchange(url, checks);
  return { agent, identifier, tokens };
};

describe('permissions that the app lets people leave out', () => {
  test('are told as such, and the others are not', async () => {
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent, app: await choosy(), parameters: { scope: SCOPE } });
    expect((await world.details(agent, uid)).scopes).toEqual([
      { name: 'openid', granted: false, optional: false },
      { name: 'profile', granted: false, optional: true },
      { name: 'email', granted: false, optional: true },
      { name: 'offline_access', granted: false, optional: false },
    ]);
  });

  test('what is left out is not told to the app, by any token', async () => {
    const app = await choosy();
    const { agent, tokens } = await approveOnly(app, ['openid', 'profile', 'offline_access']);
    expect(tokens.scope).toBe('openid profile');
    const claims = await app.rp.userinfo(tokens.access_token);
    expect(claims).toHaveProperty('nickname');
    expect(claims).not.toHaveProperty('email');
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    expect(refreshed.scope).toBe('openid profile');
    expect(await app.rp.userinfo(refreshed.access_token)).not.toHaveProperty('email');
    const [approval] = await approvalsOf(agent, app);
    expect(approval?.scopes).toEqual(['openid', 'profile', 'offline_access']);
  });

  test('are not asked for again at each sign-in, and still not given', async () => {
    const app = await choosy();
    const { agent, identifier } = await approveOnly(app, ['openid', 'offline_access']);
    for (const browser of [agent, (await world.signIn(identifier)).agent]) {
      const { url, checks } = await app.rp.authorizationUrl({ scope: SCOPE });
      const arrived = await browser.navigate(url);
      expect(arrived.url.origin).toBe('https://app.example');
      expect((await app.rp.exchange(arrived.url, checks)).scope).toBe('openid');
    }
  });

  test('are asked for where the app asks to be approved anew, and then remembered as given', async () => {
    const app = await choosy();
    const { agent } = await approveOnly(app, ['openid', 'profile', 'offline_access']);
    const again = await start(world, { agent, app, parameters: { scope: SCOPE, prompt: 'consent' } });
    expect((await world.details(agent, again.uid)).scopes).toContainEqual({
      name: 'email',
      granted: false,
      optional: true,
    });
    const { url } = await answer(agent, `/interaction/${again.uid}/consent`, {});
    expect((await app.rp.exchange(url, again.checks)).scope).toBe(SCOPE);
    const { url: next, checks } = await app.rp.authorizationUrl({ scope: SCOPE });
    expect((await app.rp.exchange((await agent.navigate(next)).url, checks)).scope).toBe(SCOPE);
  });

  test('are asked for again once the app insists on them', async () => {
    const app = await choosy();
    const { agent } = await approveOnly(app, ['openid', 'profile', 'offline_access']);
    await world.registerApp({ client_id: app.clientId, client_secret: app.clientSecret });
    await expect
      .poll(
        async () => {
          const { url } = await app.rp.authorizationUrl({ scope: SCOPE });
          return (await agent.navigate(url)).url.pathname;
        },
        { timeout: 5_000, interval: 200 },
      )
      .toBe('/consent');
  });

  test.each([
    ['openid', ['profile', 'email', 'offline_access']],
    ['staying connected', ['openid', 'profile', 'email']],
    ['nothing at all', []],
    ['what was not asked', ['openid', 'profile', 'email', 'offline_access', 'phone']],
  ])('an answer about %s is refused, and the question stays open', async (_, scopes) => {
    const app = await choosy();
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent, app, parameters: { scope: SCOPE } });
    const refused = await agent.post(`/interaction/${uid}/consent`, { scopes });
    expect([...refusal(refused), refused.json().error.fields]).toEqual([
      400,
      'invalid_request',
      { scopes: 'invalid_request' },
    ]);
    expect(await approvalsOf(agent, app)).toEqual([]);
    expect((await world.details(agent, uid)).prompt).toBe('consent');
  });

  test.each(['openid', 'profile offline_access'])('a client cannot make “%s” optional', async (scopes) => {
    await expect(choosy({ optional_scopes: scopes })).rejects.toThrow(/openid or offline_access/);
  });
});

describe('what people are told of an app', () => {
  test('its policies are led to on https only', async () => {
    const app = await world.registerApp({
      policy_uri: 'https://app.example/privacy',
      tos_uri: 'http://app.example/terms',
    });
    const { agent } = await world.signUp();
    const { uid } = await start(world, { agent, app });
    const { client } = await world.details(agent, uid);
    expect(client.policyUri).toBe('https://app.example/privacy');
    expect(client).not.toHaveProperty('tosUri');
  });

  test('it is verified where the brand says so', async () => {
    const { agent } = await world.signUp();
    for (const [metadata, verified] of [
      [{}, false],
      [{ verified: true }, true],
      [{ verified: false }, false],
    ] as const) {
      const { uid } = await start(world, { agent, app: await world.registerApp(metadata) });
      expect((await world.details(agent, uid)).client.verified).toBe(verified);
    }
  });
});
