import { openTestDatabases } from '@candela/server/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, PASSWORD, type World } from '../support/world.ts';

describe.each(openTestDatabases())('the authorization code flow on $name', ({ open }) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ connection: await open() });
  });
  afterAll(() => world.close());

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

    // Approving is not authenticating: the time of the sign-in travels on, and auth_time with it.
    const { payload } = await world.db
      .selectFrom('interaction')
      .select('payload')
      .where('destroyed_at', 'is', null)
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

  test('a phone registers as well, in whatever spelling', async () => {
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
