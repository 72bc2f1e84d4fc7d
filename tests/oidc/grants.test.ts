import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { approvalsOf, isActive, type RegisteredApp, start } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const webApp = () => world.registerApp({ grant_types: ['authorization_code'] });

/** Goes through an authorization request without a page, or fails. */
const silently = async (agent: UserAgent, app: RegisteredApp, parameters: Record<string, string> = {}) => {
  const { url, checks } = await app.rp.authorizationUrl(parameters);
  const arrived = await agent.navigate(url);
  expect(arrived.url.origin, arrived.url.href).toBe(new URL(app.redirectUri).origin);
  return app.rp.exchange(arrived.url, checks);
};

describe('one approval is one grant', () => {
  test('an account links an app twice, and withdraws one link without the other', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp();
    const kitchen = await world.link(agent, app.rp, { prompt: 'consent' });
    const cottage = await world.link(agent, app.rp, { prompt: 'consent' });
    const [newest, oldest, ...more] = await approvalsOf(agent, app);
    expect(more).toEqual([]);
    expect(newest?.id).not.toBe(oldest?.id);

    expect((await agent.delete(`/api/authorizations/${newest?.id}`)).status).toBe(204);
    expect((await approvalsOf(agent, app)).map(({ id }) => id)).toEqual([oldest?.id]);
    expect(await isActive(app, cottage.tokens.access_token)).toBe(false);
    await expect(app.rp.refresh(cottage.tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(app.rp.userinfo(cottage.tokens.access_token)).rejects.toThrow();
    expect(await isActive(app, kitchen.tokens.access_token)).toBe(true);
    expect((await app.rp.refresh(kitchen.tokens.refresh_token ?? '')).access_token).toBeTypeOf('string');
  });

  test('an app that stays connected gets a grant of its own from each silent sign-in', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    await silently(agent, app);
    expect(await approvalsOf(agent, app)).toHaveLength(2);
  });

  test('an app without offline access keeps using the grant of the session', async () => {
    const { agent } = await world.signUp();
    const app = await webApp();
    const first = await world.link(agent, app.rp);
    const second = await silently(agent, app);
    expect(await approvalsOf(agent, app)).toHaveLength(1);
    expect(await isActive(app, first.tokens.access_token)).toBe(true);
    expect(await isActive(app, second.access_token)).toBe(true);
  });

  test('an approval shows where it was given, and its scopes', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp();
    await world.link(agent, app.rp, { scope: 'openid email' });
    const [approval] = await approvalsOf(agent, app);
    expect(approval).toEqual({
      id: expect.stringMatching(/^[\w-]{20,}$/),
      createdAt: expect.any(String),
      lastAccessedAt: expect.any(String),
      expiresAt: expect.any(String),
      browser: { name: 'Chrome', version: '140.0.0.0' },
      platform: 'desktop',
      os: { name: 'Windows', version: '10' },
      locale: 'en',
      userAgent: expect.stringContaining('Chrome/140'),
      grantMode: 'authorization_code',
      client: {
        id: app.clientId,
        name: 'Example App',
        uri: 'https://app.example/',
        host: 'app.example',
        verified: false,
      },
      scopes: ['openid', 'email', 'offline_access'],
      link: {
        since: approval?.createdAt,
        lastRefreshAt: expect.any(String),
        refreshes7d: 0,
        state: 'working',
      },
    });
  });
});

describe('remembered consent', () => {
  test('is silent in another browser of the same person, and asks for new scopes', async () => {
    const { agent, identifier } = await world.signUp();
    const app = await webApp();
    await world.link(agent, app.rp, { scope: 'openid profile' });

    const { agent: phone } = await world.signIn(identifier);
    const tokens = await silently(phone, app, { scope: 'openid profile' });
    expect(await isActive(app, tokens.access_token)).toBe(true);
    expect(await approvalsOf(phone, app)).toHaveLength(2);

    const grown = await start(world, { agent: phone, app, parameters: { scope: 'openid profile email' } });
    expect(grown.path).toBe('/consent');
    expect((await world.details(phone, grown.uid)).scopes).toEqual([
      { name: 'openid', granted: true, optional: false },
      { name: 'profile', granted: true, optional: false },
      { name: 'email', granted: false, optional: false },
    ]);
  });

  test('does not apply to another person, in the same browser or in theirs', async () => {
    const { agent } = await world.signUp();
    const app = await webApp();
    await world.link(agent, app.rp);
    const { agent: other } = await world.signUp();
    expect((await start(world, { agent: other, app })).path).toBe('/consent');
    await agent.post('/api/sign-out');
    await world.signUp(undefined, agent);
    expect((await start(world, { agent, app })).path).toBe('/consent');
  });

  test.each([
    ['a loopback redirect', 'http://127.0.0.1/callback'],
    ['a redirect to a scheme of its own', 'com.example.app:/callback'],
  ])('is never for a public app with %s', async (_name, redirectUri) => {
    const { agent, identifier } = await world.signUp();
    const app = await world.registerApp(
      {
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
      },
      { redirectUri },
    );
    await world.link(agent, app.rp);
    const { agent: second } = await world.signIn(identifier);
    expect((await start(world, { agent: second, app })).path).toBe('/consent');
  });

  test('does not prevent prompt=consent from asking', async () => {
    const { agent } = await world.signUp();
    const app = await webApp();
    await world.link(agent, app.rp);
    expect((await start(world, { agent, app, parameters: { prompt: 'consent' } })).path).toBe('/consent');
  });

  test('lets prompt=none succeed if there is nothing to ask, and refuses it otherwise', async () => {
    const { agent } = await world.signUp();
    const app = await webApp();
    const refused = await agent.navigate((await app.rp.authorizationUrl({ prompt: 'none' })).url);
    expect(refused.url.searchParams.get('error')).toBe('consent_required');
    expect(refused.url.searchParams.get('iss')).toBe(world.origin);
    await world.link(agent, app.rp);
    await silently(agent, app, { prompt: 'none' });
    const stranger = await world.browser().navigate((await app.rp.authorizationUrl({ prompt: 'none' })).url);
    expect(stranger.url.searchParams.get('error')).toBe('login_required');
  });

  test('is forgotten when the approval is withdrawn', async () => {
    const { agent, identifier } = await world.signUp();
    const app = await webApp();
    const { tokens } = await world.link(agent, app.rp);
    const [approval] = await approvalsOf(agent, app);
    await agent.delete(`/api/authorizations/${approval?.id}`);
    expect(await isActive(app, tokens.access_token)).toBe(false);
    expect((await start(world, { agent, app })).path).toBe('/consent');
    const { agent: second } = await world.signIn(identifier);
    expect((await start(world, { agent: second, app })).path).toBe('/consent');
  });

  test('is forgotten when all approvals are withdrawn, which revokes all tokens and signs nobody out', async () => {
    const { agent } = await world.signUp();
    const hub = await world.registerApp();
    const web = await webApp();
    const links = [await world.link(agent, hub.rp), await world.link(agent, web.rp)];
    expect((await agent.delete('/api/authorizations')).status).toBe(204);
    expect(await approvalsOf(agent)).toEqual([]);
    expect(await isActive(hub, links[0]?.tokens.access_token)).toBe(false);
    expect(await isActive(web, links[1]?.tokens.access_token)).toBe(false);
    expect((await agent.get('/api/account')).status).toBe(200);
    expect((await start(world, { agent, app: web })).path).toBe('/consent');
  });
});

describe('what a consent is bound to', () => {
  test('the consent page names the host of the redirect URI, not the first registered host', async () => {
    const other = 'https://other.example/callback';
    const { rp } = await world.registerApp(
      { redirect_uris: ['https://app.example/callback', other] },
      { redirectUri: other },
    );
    const { agent } = await world.signUp();
    const { url } = await rp.authorizationUrl();
    const consent = await agent.navigate(url);
    const { client } = await world.details(agent, world.interactionOf(consent.url));
    expect(client.host).toBe('other.example');
  });

  test('a browser signed in as someone else can neither read nor answer the consent page', async () => {
    const { rp } = await world.registerApp();
    const [lena, max] = [await world.signUp(), await world.signUp()];
    const { url } = await rp.authorizationUrl();
    const consent = await lena.agent.navigate(url);
    const uid = world.interactionOf(consent.url);
    for (const cookie of await max.agent.jar.getCookies(world.origin)) {
      if (cookie.key.startsWith('_session')) await lena.agent.jar.setCookie(cookie, world.origin);
    }
    expect((await lena.agent.get(`/interaction/${uid}/details`)).status).toBe(410);
    expect((await lena.agent.post(`/interaction/${uid}/consent`, {})).status).toBe(410);
  });

  test('an app that newly requests offline access is asked about again', async () => {
    const app = await world.registerApp({ grant_types: ['authorization_code'] });
    const { agent } = await world.signUp();
    await world.link(agent, app.rp);
    await world.registerApp({ client_id: app.clientId, client_secret: app.clientSecret });

    // Longer than a process caches a client.
    await expect
      .poll(
        async () => {
          const { url } = await app.rp.authorizationUrl();
          return (await agent.navigate(url)).url.pathname;
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe('/consent');
  });
});
