import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { bootOf } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const asks = /<h1>Sign out\?<\/h1>/;
const back = 'https://app.example/';

/** A signed-in person with a link to an app. */
const linked = async () => {
  const { agent, identifier } = await world.signUp();
  const app = await world.registerApp();
  const { tokens } = await world.link(agent, app.rp);
  const isSignedIn = async () => (await agent.get('/api/account')).status === 200;
  return { agent, identifier, app, tokens, isSignedIn, hint: tokens.id_token ?? '' };
};

describe('logout that an app begins', () => {
  test('with its id_token goes through, and comes back with state', async () => {
    const { agent, app, tokens, isSignedIn, hint } = await linked();
    const url = app.rp.endSessionUrl({ id_token_hint: hint, post_logout_redirect_uri: back, state: 's t' });
    const page = await agent.navigate(url);
    expect(page.answer?.body).not.toMatch(asks);
    expect(page.answer?.body).toContain("getElementById('go').click()");
    expect(await isSignedIn()).toBe(true);

    const done = await agent.submit(page, { logout: 'yes' });
    expect(done.url.href).toBe(`${back}?state=s+t`);
    expect(await isSignedIn()).toBe(false);
    expect((await app.rp.introspect(tokens.access_token)).active).toBe(true);
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).access_token).toBeTypeOf('string');
  });

  test('without a hint asks the person first', async () => {
    const { agent, isSignedIn, app } = await linked();
    const url = `/oauth/logout?${new URLSearchParams({ client_id: app.clientId, post_logout_redirect_uri: back })}`;
    const page = await agent.navigate(url);
    expect(page.answer?.status).toBe(200);
    expect(page.answer?.body).toMatch(asks);
    expect(page.answer?.body).not.toContain('.click()');
    expect(await isSignedIn()).toBe(true);
    expect((await agent.submit(page, { logout: 'yes' })).url.href).toBe(back);
    expect(await isSignedIn()).toBe(false);
  });

  test('with the hint of someone else asks as well', async () => {
    const { hint } = await linked();
    const { agent, isSignedIn } = await linked();
    const page = await agent.navigate(`/oauth/logout?id_token_hint=${hint}`);
    expect(page.answer?.body).toMatch(asks);
    expect(await isSignedIn()).toBe(true);
  });

  test('staying signed in keeps the session, its tokens and the link', async () => {
    const { agent, app, tokens, isSignedIn } = await linked();
    const page = await agent.navigate(`/oauth/logout?client_id=${app.clientId}`);
    await agent.submit(page);
    expect(await isSignedIn()).toBe(true);
    expect((await app.rp.introspect(tokens.access_token)).active).toBe(true);
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).access_token).toBeTypeOf('string');
  });

  test('without a place to go ends at a page of ours', async () => {
    const { agent } = await linked();
    const done = await agent.submit(await agent.navigate('/oauth/logout'), { logout: 'yes' });
    expect(done.url.origin).toBe(world.origin);
    expect(done.answer?.status).toBe(200);
    expect(done.answer?.body).toContain('You are signed out');
  });

  test.each([
    ['another path', 'https://app.example/elsewhere'],
    ['another host', 'https://evil.example/'],
    ['another case', 'https://APP.example/'],
    ['no slash', 'https://app.example'],
    ['a query', 'https://app.example/?x=1'],
    ['a fragment', 'https://app.example/#x'],
    ['another scheme', 'http://app.example/'],
  ])('post_logout_redirect_uri is exact: %s is an error page', async (_name, uri) => {
    const { agent, hint, app, isSignedIn } = await linkedOnce;
    const page = await agent.navigate(
      app.rp.endSessionUrl({ id_token_hint: hint, post_logout_redirect_uri: uri }),
    );
    expect(page.url.origin).toBe(world.origin);
    expect(page.answer?.status).toBe(400);
    expect(bootOf(page).error.code).toBe('invalid_request');
    expect(await isSignedIn()).toBe(true);
  });

  test('a forged hint is an error page', async () => {
    const { agent, hint, isSignedIn } = await linkedOnce;
    const [header, payload] = hint.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const forged of [`${header}.${payload}.AAAA`, `${none}.${payload}.`, 'x']) {
      const page = await agent.navigate(`/oauth/logout?id_token_hint=${forged}`);
      expect(page.answer?.status).toBe(400);
    }
    expect(await isSignedIn()).toBe(true);
  });

  test('the confirmation needs the token of its own page', async () => {
    const { agent, isSignedIn } = await linkedOnce;
    await agent.navigate('/oauth/logout');
    const forms = [{ logout: 'yes' }, { logout: 'yes', xsrf: 'x'.repeat(21) }];
    for (const form of forms) {
      const refused = await agent.request('POST', '/oauth/logout/confirm', {
        form,
        headers: { origin: 'https://evil.example' },
      });
      expect(refused.status).toBe(400);
    }
    await agent.get('/oauth/logout?logout=yes');
    expect(await isSignedIn()).toBe(true);
  });

  let linkedOnce: ReturnType<typeof linked>;
  beforeAll(() => {
    linkedOnce = linked();
    return linkedOnce.then(() => undefined);
  });
});
