import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { isActive, refusal } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const webApp = () => world.registerApp({ grant_types: ['authorization_code'] });

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
