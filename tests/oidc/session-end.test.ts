import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { isActive, refusal } from './authorization.ts';

const DAY_MS = 24 * 3600 * 1000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const webApp = () => world.registerApp({ grant_types: ['authorization_code'] });

describe('the end of a session', () => {
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

  test('signing out: bound tokens end at once, links stay', async () => {
    const { agent } = await world.signUp();
    const alive = await linkBoth(agent);
    expect(await alive()).toEqual(all);
    await agent.post('/api/sign-out');
    expect(await alive()).toEqual(onlyLinks);
  });

  test('ending another browser’s session: its tokens end, and the tokens of this session stay', async () => {
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

  test('ending all other sessions, then all', async () => {
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

  test('a code not redeemed before its session ended is invalid', async () => {
    const { agent } = await world.signUp();
    const app = await webApp();
    const { url, checks } = await app.rp.authorizationUrl();
    const page = await agent.navigate(url);
    const callback = await world.approve(agent, world.interactionOf(page.url));
    await agent.post('/api/sign-out');
    await expect(app.rp.exchange(callback.url, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('signing in as someone else ends the earlier session, and its bound tokens', async () => {
    const { identifier: other } = await world.signUp();
    const { agent } = await world.signUp();
    const alive = await linkBoth(agent);
    const uid = world.interactionOf((await agent.navigate('/sign-in?prompt=login')).url);
    await world.login(agent, uid, other);
    expect(await alive()).toEqual(onlyLinks);
  });
});

interface Listed {
  id: string;
  current: boolean;
  createdAt: string;
  expiresAt: string;
}

const listed = async (agent: UserAgent): Promise<Listed[]> => (await agent.get('/api/sessions')).json().items;

const own = async (agent: UserAgent): Promise<Listed> => {
  const [current] = await listed(agent);
  if (!current?.current) throw new Error('the own session does not come first');
  return current;
};

/** Makes one session older. */
const pass = (uid: string, days: number) =>
  sql`update session set created_at = created_at - ${days} * interval '1 day',
    last_accessed_at = last_accessed_at - ${days} * interval '1 day',
    expires_at = expires_at - ${days} * interval '1 day' where uid = ${uid}`.execute(world.db);

const signOn = async (agent: UserAgent) => {
  const app = await world.registerApp({ grant_types: ['authorization_code'] });
  const { url } = await app.rp.authorizationUrl({ prompt: 'none' });
  const arrived = await agent.navigate(url);
  return arrived.url.searchParams.get('error');
};

const expectUnusable = async (agent: UserAgent, uid: string, identifier: string) => {
  expect(refusal(await agent.get('/api/account'))).toEqual([401, 'not_signed_in']);
  expect(refusal(await agent.get('/api/sessions'))).toEqual([401, 'not_signed_in']);
  expect(refusal(await agent.delete(`/api/sessions/${uid}`))).toEqual([401, 'not_signed_in']);
  const page = await agent.get('/index');
  expect([page.status, page.headers.location]).toEqual([303, '/sign-in?return_to=%2Findex']);
  expect(await signOn(agent)).toBe('login_required');
  const { agent: elsewhere } = await world.signIn(identifier);
  expect((await listed(elsewhere)).map(({ id }) => id)).not.toContain(uid);
};

describe('SE4: a session ends', () => {
  test('14 days after it was last used to sign in somewhere', async () => {
    const { agent, identifier } = await world.signUp();
    const { id } = await own(agent);
    await pass(id, 13.9);
    // A sign-on in the meantime extends the session.
    expect(await signOn(agent)).toBe('consent_required');
    await pass(id, 13.9);
    expect((await agent.get('/api/account')).status).toBe(200);
    await pass(id, 0.2);
    await expectUnusable(agent, id, identifier);
  });

  test('90 days after it began, regardless of its use', async () => {
    const { agent, identifier } = await world.signUp();
    const { id } = await own(agent);
    for (let day = 0; day < 80; day += 10) {
      await pass(id, 10);
      expect(await signOn(agent)).toBe('consent_required');
    }
    const { createdAt, expiresAt } = await own(agent);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeLessThanOrEqual(90 * DAY_MS);
    await pass(id, 9.9);
    expect((await agent.get('/api/account')).status).toBe(200);
    expect(await signOn(agent)).toBe('consent_required');
    await pass(id, 0.2);
    await expectUnusable(agent, id, identifier);
  });

  test('then too, even if its row has a later end', async () => {
    const { agent } = await world.signUp();
    const { id } = await own(agent);
    await sql`update session set created_at = now() - interval '89 days', expires_at = now() + interval '14 days'
      where uid = ${id}`.execute(world.db);
    const { createdAt, expiresAt } = await own(agent);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * DAY_MS);
    await sql`update session set created_at = now() - interval '91 days' where uid = ${id}`.execute(world.db);
    expect(refusal(await agent.get('/api/account'))).toEqual([401, 'not_signed_in']);
  });
});

describe('SE5: the cookie of an ended session is invalid', () => {
  test.each([
    ['signing out', (agent: UserAgent) => agent.post('/api/sign-out')],
    [
      'ending it by its id',
      async (agent: UserAgent) => agent.delete(`/api/sessions/${(await own(agent)).id}`),
    ],
    ['ending all', (agent: UserAgent) => agent.delete('/api/sessions')],
  ])('after %s', async (_name, end) => {
    const { agent } = await world.signUp();
    const cookie = await agent.jar.getCookieString(world.origin);
    expect((await agent.get('/api/account')).status).toBe(200);
    const answer = await end(agent);
    expect(answer.status).toBe(204);
    expect(String(answer.headers['set-cookie'])).toMatch(/_session=;.*expires=Thu, 01 Jan 1970/);
    const thief = world.browser();
    const replayed = await thief.get('/api/account', { headers: { cookie } });
    expect(refusal(replayed)).toEqual([401, 'not_signed_in']);
    const { url } = await (await world.registerApp()).rp.authorizationUrl({ prompt: 'none' });
    const silent = await thief.get(url.href, { headers: { cookie } });
    expect(String(silent.headers.location)).toContain('error=login_required');
  });
});
