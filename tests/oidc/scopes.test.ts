import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowDevice, askForCode, poll, registerDevice } from '../support/device.ts';
import { createSigningKey, signRequest } from '../support/signer.ts';
import { basic } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { answer, type RegisteredApp } from './authorization.ts';
import { createRequests, errorOf, LIGHTS, resources, SCENES } from './resources.ts';

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

/** The parameters of a request of the app; undefined leaves one out. */
const asked = async (of: RegisteredApp, changes: Record<string, string | undefined>) => {
  const { url, checks } = await of.rp.authorizationUrl({ scope: 'read' });
  const parameters = Object.entries({ ...Object.fromEntries(url.searchParams), ...changes });
  return {
    checks,
    form: Object.fromEntries(parameters.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
};

const open = (browser: UserAgent, form: Record<string, string>) =>
  browser.navigate(`/oauth/authorize?${new URLSearchParams(form)}`);

const push = (of: RegisteredApp, form: Record<string, string>): Promise<Answer> =>
  world.browser().request('POST', '/oauth/par', { form, headers: { origin: '', ...basic(of) } });

describe('a request that asks for nothing that can be granted', () => {
  const nothing = [
    ['no scope', { scope: undefined }, 'openid'],
    ['an empty scope', { scope: '' }, 'openid'],
    ['an unknown scope', { scope: 'ifttt' }, 'openid'],
    ['offline_access alone', { scope: 'offline_access' }, 'openid'],
    ['it with prompt=consent', { scope: 'offline_access', prompt: 'consent' }, 'openid offline_access'],
    ['an API without a scope', { scope: undefined, resource: LIGHTS }, 'read switch'],
    ['an API with another API’s scope', { scope: 'play nonsense', resource: LIGHTS }, 'read switch'],
    ['an API with offline_access', { scope: 'offline_access', resource: LIGHTS }, 'read switch'],
  ] as const;

  test.each(nothing)('gets a default that the person sees: %s', async (_, changes, scope) => {
    const app = await world.registerApp();
    const { form, checks } = await asked(app, changes);
    const arrived = await open(agent, form);
    const uid = world.interactionOf(arrived.url);
    const { scopes } = await world.details(agent, uid);
    const names = scopes.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...new Set([...scope.split(' '), 'offline_access'])]);
    const { url } = await answer(agent, `/interaction/${uid}/consent`, {});
    const tokens = await app.rp.exchange(url, checks);
    expect(tokens.scope, 'RFC 6749 section 3.3: it is told').toBe(scope);
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).scope).toBe(scope);
  });

  test('gets of each API what the registration allows', async () => {
    const narrow = await world.registerApp({ scope: 'openid read' });
    const { approve } = requests;
    const { exchange } = await approve({ app: narrow, scope: 'nonsense', resource: [LIGHTS, SCENES] });
    expect((await exchange({ resource: SCENES })).scope).toBe('read');
  });

  test('is pushed, signed or remembered as any other', async () => {
    const key = await createSigningKey();
    const signing = await world.registerApp({ jwks: { keys: [{ ...key.jwk, kid: 'ec', use: 'sig' }] } });
    const { form } = await asked(signing, { scope: undefined });
    const named = { clientId: signing.clientId, audience: world.origin };
    const request = await signRequest(key, named, form, { kid: 'ec' });
    const client = { client_id: signing.clientId };
    const pushed = await push(signing, form);
    expect(pushed.status, pushed.body).toBe(201);
    const byUri = await open(agent, { ...client, request_uri: pushed.json().request_uri });
    await answer(agent, `/interaction/${world.interactionOf(byUri.url)}/consent`, {});
    for (const again of [{ ...client, request }, form])
      expect((await open(agent, again)).url.searchParams.has('code')).toBe(true);
  });

  const unable = [
    ['no scope', { scope: 'read' }, { scope: undefined }, /^send a scope that this client is registered for/],
    ['an unknown scope', { scope: 'read' }, { scope: 'nonsense' }, /^send a scope/],
    [
      'an API without an allowed scope',
      { scope: 'openid' },
      { scope: undefined, resource: LIGHTS },
      /^send a/,
    ],
    ['an API’s scope without the API', {}, { scope: 'read nonsense' }, /^scope is of an API: .* as resource/],
  ] as const;

  test.each(unable)('is invalid_scope at once, without a default: %s', async (_, metadata, changes, says) => {
    const narrow = await world.registerApp(metadata);
    const { form } = await asked(narrow, changes);
    const { url } = await open(world.browser(), form);
    expect(url.origin).toBe('https://app.example');
    expect(url.searchParams.get('error')).toBe('invalid_scope');
    expect(url.searchParams.get('error_description')).toMatch(says);
    const pushed = await push(narrow, form);
    expect([pushed.status, pushed.json().error]).toEqual([400, 'invalid_scope']);
    const device = await registerDevice(world, metadata);
    const { scope, resource } = form;
    const wish = { ...(scope && { scope }), ...(resource && { resource }) };
    const refused = await device.post('/oauth/device_authorization', wish);
    expect([refused.status, refused.json().error]).toEqual([400, 'invalid_scope']);
    expect(refused.json().error_description).toMatch(says);
  });

  test('connects a device, which is told what it got', async () => {
    const device = await registerDevice(world);
    for (const [wish, scope] of [
      [{}, 'openid'],
      [{ scope: 'offline_access' }, 'openid offline_access'],
      [{ resource: LIGHTS }, 'read switch'],
    ] as const) {
      const asked = await device.post('/oauth/device_authorization', wish);
      expect(asked.status, asked.body).toBe(200);
      const url = await allowDevice(world, agent, asked.json());
      expect(url.search).toBe('?outcome=connected');
      expect((await poll(device, asked.json())).json().scope).toBe(scope);
    }
  });
});

describe('a refresh that repeats the scope of the authorization request', () => {
  const everything = 'openid email read nonsense address offline_access';

  test.each(['overlap', 'static', 'rotate'])('drops what was dropped there: mode %s', async (mode) => {
    const lamp = await world.registerApp({ refresh_mode: mode, optional_scopes: 'email' });
    const request = { app: lamp, scope: everything, resource: [LIGHTS, SCENES] };
    const scopes = ['openid', 'offline_access', `${LIGHTS}#read`, `${SCENES}#read`];
    const { exchange } = await requests.approve(request, { scopes });
    const first = await exchange();
    expect(first.scope).toBe('openid');
    const again = await lamp.rp.refresh(first.refresh_token ?? '', { scope: everything });
    expect(again.scope).toBe('openid');
    const ofApi = { scope: everything, resource: SCENES };
    expect((await lamp.rp.refresh(again.refresh_token ?? '', ofApi)).scope).toBe('read');
  });

  test('drops a scope of an API that was left out, not named or not allowed', async () => {
    const lamp = await world.registerApp({ optional_scopes: 'switch', scope: 'openid read switch' });
    const scope = 'openid read switch play';
    const scopes = ['openid', 'offline_access', `${LIGHTS}#read`];
    const { exchange } = await requests.approve(
      { app: lamp, scope, resource: [LIGHTS, SCENES] },
      {
        scopes: [...scopes, `${SCENES}#read`],
      },
    );
    const { refresh_token: token = '' } = await exchange();
    expect((await lamp.rp.refresh(token, { scope, resource: LIGHTS })).scope).toBe('read');
    const ofAccount = await requests.approve({ scope, resource: [] });
    const tokens = await ofAccount.exchange();
    expect((await ofAccount.app.rp.refresh(tokens.refresh_token ?? '', { scope })).scope).toBe('openid');
  });

  test('is one without scope where nothing else was sent', async () => {
    const { app, exchange } = await requests.approve({ scope: 'openid profile', resource: [] });
    const { refresh_token: token = '' } = await exchange();
    for (const scope of ['offline_access', 'ifttt'])
      expect((await app.rp.refresh(token, { scope })).scope).toBe('openid profile');
  });

  test('keeps a device connected', async () => {
    const device = await registerDevice(world);
    const scope = 'openid offline_access nonsense';
    const code = await askForCode(device, { scope });
    await allowDevice(world, agent, code);
    const { refresh_token } = (await poll(device, code)).json();
    const again = await device.post('/oauth/token', { grant_type: 'refresh_token', refresh_token, scope });
    expect([again.status, again.json().scope]).toEqual([200, 'openid offline_access']);
  });

  test.each([
    ['of the account', 'openid email'],
    ['of the API', 'openid switch offline_access'],
  ])('is invalid_scope for one that was never asked for: %s', async (_, scope) => {
    const { app, exchange } = await requests.approve({ scope: 'openid read', resource: [LIGHTS] });
    const { refresh_token: token = '' } = await exchange();
    const refused = await app.rp.refresh(token, { scope }).catch((error) => error);
    expect([refused.error, refused.error_description]).toEqual([
      'invalid_scope',
      'scope names what the authorization request never asked for: send that scope again, or none',
    ]);
    expect(await errorOf(app.rp.refresh(token))).toBe('none');
  });
});

describe('a scope that is taken out of the registration', () => {
  const claims = JSON.stringify({ userinfo: { phone_number: null }, id_token: { nickname: null } });

  test.each([
    ['of an app', { refresh_mode: 'overlap' }],
    ['of an app whose refresh tokens stay', { refresh_mode: 'static' }],
    ['of a platform', { preset: 'home-assistant' }],
  ])('OA39: is in no token that is issued afterwards, and comes back with it: %s', async (_, metadata) => {
    const redirectUri = 'https://hub.example/auth/external/callback';
    const grants = { grant_types: ['authorization_code', 'refresh_token'] };
    const hub = { ...metadata, ...grants, redirect_uris: [redirectUri] };
    const app = await world.registerApp({ ...hub, scope: 'openid profile email phone' }, { redirectUri });
    const register = (scope: string) =>
      world.registerClients([
        {
          ...hub,
          scope,
          client_id: app.clientId,
          client_secret: app.clientSecret,
          client_name: 'Example App',
        },
      ]);
    const { tokens } = await world.link(agent, app.rp, { scope: 'openid email', claims });
    let { refresh_token: token = '' } = tokens;
    const refresh = async () => {
      const refreshed = await app.rp.refresh(token);
      token = refreshed.refresh_token ?? token;
      const told = { ...refreshed.claims(), ...(await app.rp.userinfo(refreshed.access_token)) };
      const names = ['email', 'nickname'].filter((name) => name in told);
      return [refreshed.scope?.replace(' offline_access', ''), ...names];
    };
    expect(await refresh()).toEqual(['openid email', 'email', 'nickname']);
    await register('openid');
    expect(await refresh()).toEqual(['openid']);
    await register('openid email');
    expect(await refresh()).toEqual(['openid email', 'email']);
    await register('profile');
    const refused = await app.rp.refresh(token).catch((error) => error);
    expect([refused.error, refused.error_description]).toEqual([
      'invalid_scope',
      'the registration allows none of these scopes any more',
    ]);
    await register('openid email phone profile');
    expect(await refresh()).toEqual(['openid email', 'email', 'nickname']);
  });

  test('OA39: is in no token of a code that was issued before, and comes back to its link', async () => {
    const app = await world.registerApp({ scope: 'openid email profile' });
    const register = (scope: string) =>
      world.registerApp({ scope, client_id: app.clientId, client_secret: app.clientSecret });
    const { url, checks } = await app.rp.authorizationUrl({ scope: 'openid email', claims });
    const { url: answered } = await world.approve(
      agent,
      world.interactionOf((await agent.navigate(url)).url),
    );
    await register('openid');
    const tokens = await app.rp.exchange(answered, checks);
    expect(tokens.scope).toBe('openid');
    expect(tokens.claims()).not.toHaveProperty('email');
    expect(tokens.claims()).not.toHaveProperty('nickname');
    await register('openid email profile');
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).claims()).toMatchObject({
      email: expect.any(String),
      nickname: expect.any(String),
    });
  });

  test('OA39: is in no token of a device that was approved before', async () => {
    const device = await registerDevice(world);
    const code = await askForCode(device, { scope: 'openid profile' });
    await allowDevice(world, agent, code);
    await registerDevice(world, { client_id: device.clientId, scope: 'openid' });
    expect((await poll(device, code)).json().scope).toBe('openid');
  });
});
