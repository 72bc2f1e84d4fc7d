import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { type RegisteredApp, refusal, start } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

interface Authorization {
  id: string;
  client: { id: string };
  scopes: string[];
}

const approvalsOf = async (agent: UserAgent, app?: RegisteredApp): Promise<Authorization[]> => {
  const { items } = (await agent.get('/api/authorizations')).json();
  return items.filter(({ client }: Authorization) => !app || client.id === app.clientId);
};

const isActive = async ({ rp }: RegisteredApp, token: string | undefined) =>
  (await rp.introspect(token ?? '')).active;

const webApp = () => world.registerApp({ grant_types: ['authorization_code'] });

/** Goes through an authorization request without a question, or fails. */
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
    await expect(app.rp.refresh(cottage.tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
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

  test('an app that does not goes on with the grant of the session', async () => {
    const { agent } = await world.signUp();
    const app = await webApp();
    const first = await world.link(agent, app.rp);
    const second = await silently(agent, app);
    expect(await approvalsOf(agent, app)).toHaveLength(1);
    expect(await isActive(app, first.tokens.access_token)).toBe(true);
    expect(await isActive(app, second.access_token)).toBe(true);
  });

  test('an approval says where it was given and what for', async () => {
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
    });
  });
});

describe('remembered consent', () => {
  test('is silent from another browser of the same person, and asks for what is new', async () => {
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

  test('is another person’s nothing, in the same browser or in theirs', async () => {
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

  test('prompt=consent asks all the same', async () => {
    const { agent } = await world.signUp();
    const app = await webApp();
    await world.link(agent, app.rp);
    expect((await start(world, { agent, app, parameters: { prompt: 'consent' } })).path).toBe('/consent');
  });

  test('prompt=none answers where nothing is to be asked, and refuses where something is', async () => {
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

  test('is forgotten with the approval that is withdrawn', async () => {
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

  test('withdrawing all of them leaves nothing alive, and signs nobody out', async () => {
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

describe('what ends with a session', () => {
  const linkBoth = async (agent: UserAgent) => {
    const hub = await world.registerApp();
    const web = await webApp();
    const link = (await world.link(agent, hub.rp)).tokens;
    const bound = (await world.link(agent, web.rp)).tokens;
    return async () => ({
      bound: await isActive(web, bound.access_token),
      link: await isActive(hub, link.access_token),
      refreshes: await hub.rp.refresh(link.refresh_token ?? '').then(
        () => true,
        () => false,
      ),
    });
  };
  const onlyLinks = { bound: false, link: true, refreshes: true };
  const all = { bound: true, link: true, refreshes: true };

  test('signing out: bound tokens die at once, links stay', async () => {
    const { agent } = await world.signUp();
    const alive = await linkBoth(agent);
    expect(await alive()).toEqual(all);
    await agent.post('/api/sign-out');
    expect(await alive()).toEqual(onlyLinks);
  });

  test('another browser’s session ended: what hangs on it dies, what hangs on this one stays', async () => {
    const { agent: lost, identifier } = await world.signUp();
    const inLost = await linkBoth(lost);
    const { agent } = await world.signIn(identifier);
    const here = await linkBoth(agent);
    const { items } = (await agent.get('/api/sessions')).json();
    const other = items.find((item: { current: boolean }) => !item.current);
    expect((await agent.delete(`/api/sessions/${other.id}`)).status).toBe(204);
    expect(await inLost()).toEqual(onlyLinks);
    expect(await here()).toEqual(all);
    expect(refusal(await lost.get('/api/account'))).toEqual([401, 'not_signed_in']);
  });

  test('all the others, then all of them', async () => {
    const { agent, identifier } = await world.signUp();
    const { agent: other } = await world.signIn(identifier);
    const alive = await linkBoth(agent);
    expect((await agent.delete('/api/sessions?except=current')).status).toBe(204);
    expect((await other.get('/api/account')).status).toBe(401);
    expect(await alive()).toEqual(all);
    expect((await agent.delete('/api/sessions')).status).toBe(204);
    expect((await agent.get('/api/account')).status).toBe(401);
    expect(await alive()).toEqual(onlyLinks);
  });

  test('a code that was not redeemed before its session ended is worth nothing', async () => {
    const { agent } = await world.signUp();
    const app = await webApp();
    const { url, checks } = await app.rp.authorizationUrl();
    const page = await agent.navigate(url);
    const callback = await world.approve(agent, world.interactionOf(page.url));
    await agent.post('/api/sign-out');
    await expect(app.rp.exchange(callback.url, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('signing in as someone else ends the session before, and its bound tokens', async () => {
    const { identifier: other } = await world.signUp();
    const { agent } = await world.signUp();
    const alive = await linkBoth(agent);
    const uid = world.interactionOf((await agent.navigate('/sign-in?prompt=login')).url);
    await world.login(agent, uid, other);
    expect(await alive()).toEqual(onlyLinks);
  });
});

describe('lists', () => {
  test('sessions: the current one first, then the newest, twenty more to a page', async () => {
    const { agent } = await world.signUp();
    const [mine] = (await agent.get('/api/sessions')).json().items;
    expect(mine).toEqual({
      id: expect.any(String),
      current: true,
      createdAt: expect.any(String),
      lastAccessedAt: expect.any(String),
      expiresAt: expect.any(String),
      browser: { name: 'Chrome', version: '140.0.0.0' },
      platform: 'desktop',
      os: { name: 'Windows', version: '10' },
      locale: 'en',
      userAgent: expect.stringContaining('Chrome/140'),
    });
    await sql`insert into session (brand, uid, id_hash, account_id, payload, user_agent, address, locale, created_at, expires_at)
      select brand, 'copy-' || n, 'copy-' || n, account_id, payload, user_agent, address, locale,
        now() + (n / 2) * interval '1 second', expires_at
      from session, generate_series(1, 45) as n where uid = ${mine.id}`.execute(world.db);

    const pages = await pagesOf(agent, '/api/sessions');
    expect(pages.map((page) => page.length)).toEqual([21, 20, 5]);
    const ids = pages.flat().map(({ id }) => id);
    expect(ids[0]).toBe(mine.id);
    expect(new Set(ids).size).toBe(46);
    const times = pages.flat().slice(1).map(({ createdAt }) => Date.parse(createdAt));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test('authorizations: the newest first, twenty to a page', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    const [first] = await approvalsOf(agent, app);
    await sql`insert into authorization_grant (brand, id, account_id, client_id, scope, payload, user_agent, address, locale, created_at, expires_at)
      select brand, 'copy-' || n, account_id, client_id, scope, payload, user_agent, address, locale,
        now() + (n / 2) * interval '1 second', expires_at
      from authorization_grant, generate_series(1, 44) as n where id = ${first?.id}`.execute(world.db);

    const pages = await pagesOf(agent, '/api/authorizations');
    expect(pages.map((page) => page.length)).toEqual([20, 20, 5]);
    const ids = pages.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(45);
    expect(ids.at(-1)).toBe(first?.id);
  });

  const pagesOf = async (agent: UserAgent, path: string) => {
    const pages: { id: string; createdAt: string }[][] = [];
    for (let after = ''; pages.length < 10; ) {
      const { items, next } = (await agent.get(`${path}${after}`)).json();
      pages.push(items);
      if (!next) break;
      after = `?after=${encodeURIComponent(next)}`;
    }
    return pages;
  };

  test.each(['/api/sessions', '/api/authorizations'])('%s refuses a cursor that it did not write', async (path) => {
    const { agent } = await world.signUp();
    const times = ['2026-99-99 00:00:00+00', '2026-02-30 00:00:00+00', '0000-01-01 00:00:00+00', '2026-01-01 24:00:00+00', '2026-01-01 00:00:00+99'];
    const forged = times.map((time) => Buffer.from(JSON.stringify([time, 'a'])).toString('base64url'));
    const cursors = ['x', '..', 'WzEsMl0', 'bnVsbA', "' or 1=1 --", ...forged];
    for (const cursor of cursors) {
      const refused = await agent.get(`${path}?after=${encodeURIComponent(cursor)}`);
      expect([cursor, ...refusal(refused)]).toEqual([cursor, 400, 'invalid_request']);
      expect(refused.json().error.fields).toEqual({ after: 'invalid_request' });
    }
  });

  test('what is someone else’s is not found, exactly as what is nobody’s', async () => {
    const { agent: victim } = await world.signUp();
    const app = await world.registerApp();
    const { tokens } = await world.link(victim, app.rp);
    const [approval] = await approvalsOf(victim, app);
    const [session] = (await victim.get('/api/sessions')).json().items;

    const { agent } = await world.signUp();
    const pairs = [
      [`/api/authorizations/${approval?.id}`, `/api/authorizations/${'r'.repeat(approval?.id.length ?? 0)}`],
      [`/api/sessions/${session.id}`, `/api/sessions/${'r'.repeat(session.id.length)}`],
    ];
    for (const [theirs = '', nobodys = ''] of pairs) {
      const [one, two] = [await agent.delete(theirs), await agent.delete(nobodys)];
      const bodies = [one, two].map((refused) => ({ ...refused.json().error, requestId: '' }));
      expect(one.status).toBe(404);
      expect(two.status).toBe(404);
      expect(bodies[0]).toEqual(bodies[1]);
    }
    expect(await isActive(app, tokens.access_token)).toBe(true);
    expect((await victim.get('/api/account')).status).toBe(200);
    expect(await approvalsOf(agent)).toEqual([]);
  });
});
