import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { encodePart, readJwt } from '../support/token.ts';
import { bootOf, wayToStay } from './authorization.ts';

const back = 'https://app.example/';
const question = /<h1>Sign out\?<\/h1>/;

let world: SecureWorld;
beforeAll(async () => {
  world = await createSecureWorld();
});
afterAll(() => world.close());

const linked = async () => {
  const { agent } = await world.signUp();
  const app = await world.registerApp();
  const { tokens } = await world.link(agent, app.rp);
  const hint = tokens.id_token ?? '';
  const isSignedIn = async () => (await agent.get('/api/account')).status === 200;
  const ask = (parameters: Record<string, string>) =>
    agent.navigate(`/oauth/logout?${new URLSearchParams(parameters)}`);
  /** Asks, and says yes where the person is asked. */
  const signOut = async (parameters: Record<string, string>) =>
    agent.submit(await ask(parameters), { logout: 'yes' });
  /** Tokens of a link outlive the session that it was made in. */
  const expectLinked = async () => {
    expect((await app.rp.introspect(tokens.access_token)).active).toBe(true);
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).access_token).toBeTypeOf('string');
  };
  return { agent, app, hint, isSignedIn, ask, signOut, expectLinked };
};

describe('the checks of RP-Initiated Logout, by their names at the OpenID Foundation (OA14)', () => {
  test('oidcc-rp-initiated-logout: comes back with state, and the next prompt=none is login_required', async () => {
    const { agent, app, hint, ask, isSignedIn, expectLinked } = await linked();
    const page = await ask({ id_token_hint: hint, post_logout_redirect_uri: back, state: 'a state' });
    expect(page.answer?.body).not.toMatch(question);
    expect(page.answer?.body).toContain("getElementById('go').click()");
    expect(await isSignedIn()).toBe(true);
    const done = await agent.submit(page, { logout: 'yes' });
    expect(done.url.href).toBe(`${back}?state=a+state`);
    await expectLinked();
    const { url } = await app.rp.authorizationUrl({ prompt: 'none' });
    expect((await agent.navigate(url)).url.searchParams.get('error')).toBe('login_required');
  });

  test('oidcc-rp-initiated-logout-no-state: comes back without one', async () => {
    const { hint, signOut } = await linked();
    expect((await signOut({ id_token_hint: hint, post_logout_redirect_uri: back })).url.href).toBe(back);
  });

  test.each([
    ['no-id-token-hint', { post_logout_redirect_uri: back, state: 'x' }],
    ['no-params', {}],
    ['only-state', { state: 'x' }],
  ])('oidcc-rp-initiated-logout-%s: asks, and then ends at a page of ours', async (_name, parameters) => {
    const { ask, signOut, isSignedIn } = await linked();
    const page = await ask(parameters as Record<string, string>);
    expect(page.answer?.body).toMatch(question);
    expect(page.answer?.body).not.toContain('.click()');
    expect(await isSignedIn()).toBe(true);
    const done = await signOut(parameters as Record<string, string>);
    expect(done.url.origin).toBe(world.origin);
    expect(done.answer?.body).toContain('You are signed out');
    expect(await isSignedIn()).toBe(false);
  });

  test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri: ends at a page of ours', async () => {
    const { hint, signOut, isSignedIn } = await linked();
    const done = await signOut({ id_token_hint: hint, state: 'x' });
    expect(done.url.origin).toBe(world.origin);
    expect(await isSignedIn()).toBe(false);
  });

  test('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri, -query-added-to-post-logout-redirect-uri: a page, and still signed in', async () => {
    const { hint, ask, isSignedIn } = await linked();
    for (const uri of [
      'https://app.example/random',
      'https://APP.example/',
      'https://app.example',
      `${back}?foo=bar`,
      `${back}#x`,
      'http://app.example/',
      'https://evil.example/',
      'javascript:x',
    ]) {
      const page = await ask({ id_token_hint: hint, post_logout_redirect_uri: uri, state: 'x' });
      expect(page.url.origin).toBe(world.origin);
      expect(page.answer?.status).toBe(400);
      expect(bootOf(page).error.code).toBe('invalid_request');
    }
    expect(await isSignedIn()).toBe(true);
  });

  test('oidcc-rp-initiated-logout-modified-id-token-hint, -bad-id-token-hint: a page, and still signed in', async () => {
    const { hint, ask, isSignedIn } = await linked();
    const [header, payload = '', signature = ''] = hint.split('.');
    const claims = readJwt(hint).payload;
    const other = await world.registerApp();
    const wrong = [
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${encodePart({ ...claims, sub: 'another' })}.${signature}`,
      `${header}.${encodePart({ ...claims, aud: other.clientId })}.${signature}`,
      `${encodePart({ alg: 'none' })}.${payload}.`,
      'bad',
    ];
    for (const id_token_hint of wrong) {
      const page = await ask({ id_token_hint, post_logout_redirect_uri: back });
      expect(page.answer?.status).toBe(400);
    }
    const mixed = await ask({ id_token_hint: hint, client_id: other.clientId });
    expect(mixed.answer?.status).toBe(400);
    expect(await isSignedIn()).toBe(true);
  });

  test('OA14: the hint of someone else asks', async () => {
    const { hint } = await linked();
    const { ask, isSignedIn } = await linked();
    expect((await ask({ id_token_hint: hint })).answer?.body).toMatch(question);
    expect(await isSignedIn()).toBe(true);
  });

  test('OA14: staying signed in keeps the session, its tokens and the link', async () => {
    const { agent, app, ask, isSignedIn, expectLinked } = await linked();
    expect(wayToStay(await ask({}))).toBe('/index');
    const way = wayToStay(await ask({ client_id: app.clientId }));
    expect(way).toBe('https://app.example/');
    await agent.navigate(way);
    expect(await isSignedIn()).toBe(true);
    await expectLinked();
  });

  test('OA14: the question knows the app by its client_id, and leads back to it', async () => {
    const { app, ask, agent, isSignedIn } = await linked();
    const page = await ask({ client_id: app.clientId, post_logout_redirect_uri: back });
    expect(page.answer?.body).toMatch(question);
    expect((await agent.submit(page, { logout: 'yes' })).url.href).toBe(back);
    expect(await isSignedIn()).toBe(false);
  });

  test('OA14: the answer needs the token of its own page', async () => {
    const { agent, ask, isSignedIn } = await linked();
    await ask({});
    for (const form of [{ logout: 'yes' }, { logout: 'yes', xsrf: 'x'.repeat(21) }]) {
      const headers = { origin: 'https://evil.example' };
      const refused = await agent.request('POST', '/oauth/logout/confirm', { form, headers });
      expect(refused.status).toBe(400);
    }
    expect(await isSignedIn()).toBe(true);
  });

  test('OA14: an id_token that has expired still tells whose session it is', async () => {
    const { hint, ask, signOut, isSignedIn } = await linked();
    vi.useFakeTimers({ now: Date.now() + 2 * 3_600_000, toFake: ['Date'] });
    try {
      const parameters = { id_token_hint: hint, post_logout_redirect_uri: back };
      expect((await ask(parameters)).answer?.body).not.toMatch(question);
      expect((await signOut(parameters)).url.href).toBe(back);
      expect(await isSignedIn()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  test('OA14: the id_token of another client leads to none of this client’s addresses', async () => {
    const { hint, ask } = await linked();
    await world.registerApp({ post_logout_redirect_uris: ['https://other.example/'] });
    const page = await ask({ id_token_hint: hint, post_logout_redirect_uri: 'https://other.example/' });
    expect(page.answer?.status).toBe(400);
  });

  test('OA14: an image on another site signs nobody out, with or without a hint', async () => {
    const { agent, hint, isSignedIn } = await linked();
    const asImage = {
      headers: {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'image',
        accept: 'image/avif,image/webp,*/*',
      },
    };
    for (const query of ['', `?id_token_hint=${hint}`, '?logout=yes']) {
      await agent.get(`/oauth/logout${query}`, asImage);
      await agent.get(`/oauth/logout/confirm${query}`, asImage);
      expect(await isSignedIn()).toBe(true);
    }
  });

  test('OA14: what an app posts stands in no address, and ends where it asked', async () => {
    const { agent, hint, isSignedIn } = await linked();
    const form = { id_token_hint: hint, post_logout_redirect_uri: back, state: 'a state' };
    // A form of the app's site brings no cookie along.
    const posted = await world.browser().request('POST', '/oauth/logout', {
      form,
      headers: { origin: 'https://app.example', 'sec-fetch-site': 'cross-site', accept: 'text/html' },
    });
    expect(posted.status).toBe(303);
    const location = String(posted.headers.location);
    for (const part of [...hint.split('.'), 'app.example', 'state']) expect(location).not.toContain(part);
    const page = await agent.navigate(location);
    expect(page.answer?.body).not.toMatch(question);
    const done = await agent.submit(page, { logout: 'yes' });
    expect(done.url.href).toBe(`${back}?state=a+state`);
    expect(await isSignedIn()).toBe(false);
  });

  test('OA14: what nobody here sealed, or too long ago, is refused', async () => {
    const { agent, hint, isSignedIn } = await linked();
    const posted = await world.browser().request('POST', '/oauth/logout', { form: { id_token_hint: hint } });
    const location = String(posted.headers.location);
    const changed = `${location.slice(0, -4)}AAAA`;
    expect((await agent.get(changed)).status).toBe(400);
    expect((await agent.get('/oauth/logout?posted=x')).status).toBe(400);
    // The database's time is counted on by the monotonic clock, the embedded one has the process's.
    const monotonic = performance.now.bind(performance);
    const counted = vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + 61_000);
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ['Date'] });
    try {
      expect((await agent.get(location)).status).toBe(400);
    } finally {
      vi.useRealTimers();
      counted.mockRestore();
    }
    expect(await isSignedIn()).toBe(true);
  });

  test('OA14: what is posted is bounded, and has no NUL', async () => {
    const post = (form: Record<string, string>) => world.browser().request('POST', '/oauth/logout', { form });
    expect((await post({ id_token_hint: 'a'.repeat(3_000), state: 'b'.repeat(3_000) })).status).toBe(413);
    const longest = await post({ id_token_hint: 'a'.repeat(4_000), state: 'b'.repeat(1_000) });
    expect(longest.status).toBe(303);
    expect(String(longest.headers.location).length).toBeLessThan(7_500);
    expect((await post({ state: 'a\0b' })).status).toBe(400);
  });

  test('SE11: what the browser holds of the account goes with its session', async () => {
    const { agent, ask } = await linked();
    const page = await ask({});
    const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(page.answer?.body ?? '') ?? [];
    const confirm = (form: Record<string, string>) =>
      agent.request('POST', '/oauth/logout/confirm', { form, headers: { origin: 'null' } });
    expect((await confirm({ logout: 'yes', xsrf: 'x' })).headers['clear-site-data']).toBeUndefined();
    expect((await confirm({ logout: 'yes', xsrf })).headers['clear-site-data']).toBe('"cache", "storage"');
  });

  test('OA14: a form of another site signs nobody out', async () => {
    const { agent, hint, isSignedIn } = await linked();
    for (const path of ['/oauth/logout', '/oauth/logout/confirm']) {
      await agent.request('POST', path, {
        form: { logout: 'yes', id_token_hint: hint },
        headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      });
      expect(await isSignedIn()).toBe(true);
    }
  });
});
