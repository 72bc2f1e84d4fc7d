import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { encodePart, readJwt } from '../support/token.ts';
import type { Arrival } from '../support/user-agent.ts';
import { bootOf, wayToStay } from './authorization.ts';

const back = 'https://app.example/';
const question = /<h1>Sign out\?<\/h1>/;

let world: SecureWorld;
beforeAll(async () => {
  world = await createSecureWorld();
});
afterAll(() => world.close());

/** Expects a page that names the fault, leads to no address of the request, and offers to sign out. */
const expectWayOut = ({ url, answer }: Arrival, description: string | RegExp) => {
  expect([url.origin, answer?.status]).toEqual([world.origin, 400]);
  const body = answer?.body ?? '';
  expect(body).toContain('You are still signed in');
  const [, error, , described] =
    /<details>.*<code>(\w+)<\/code>(.|\n)*?<p lang="en">(.*?)<\/p>/.exec(body) ?? [];
  expect(['invalid_request', 'invalid_client']).toContain(error);
  expect(described).toMatch(description);
  const targets = [...body.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, target = '']) => target);
  expect(targets.map((target) => new URL(target, world.origin).href)).toEqual([
    `${world.origin}/oauth/logout/confirm`,
    `${world.origin}/index`,
    `${world.origin}/license`,
    `${world.origin}/privacy`,
  ]);
  expect(String(answer?.headers['content-security-policy'])).toMatch(/form-action 'self'(?:;|$)/);
};

const linked = async () => {
  const { agent } = await world.signUp();
  const app = await world.registerApp();
  const { tokens } = await world.link(agent, app.rp);
  const hint = tokens.id_token ?? '';
  const isSignedIn = async () => (await agent.get('/api/account')).status === 200;
  const ask = (parameters: Record<string, string>) =>
    agent.navigate(`/oauth/logout?${new URLSearchParams(parameters)}`);
  /** Requests a logout, and confirms it if asked. */
  const signOut = async (parameters: Record<string, string>) =>
    agent.submit(await ask(parameters), { logout: 'yes' });
  /** The tokens of a link outlive the session in which it was made. */
  const expectLinked = async () => {
    expect((await app.rp.introspect(tokens.access_token)).active).toBe(true);
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).access_token).toBeTypeOf('string');
  };
  return { agent, app, hint, isSignedIn, ask, signOut, expectLinked };
};

describe('the checks of RP-Initiated Logout, by their names at the OpenID Foundation (OA14)', () => {
  test('oidcc-rp-initiated-logout: returns with state, and the next prompt=none is login_required', async () => {
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

  test('the session that ended by it is in the activity, once', async () => {
    const { agent, hint, signOut } = await linked();
    const { id } = (await agent.get('/api/account')).json();
    await signOut({ id_token_hint: hint, post_logout_redirect_uri: back });
    const noted = await world.db
      .selectFrom('activity')
      .select(['kind', 'brand', 'user_agent'])
      .where('account_id', '=', id)
      .where('kind', '=', 'session_ended')
      .execute();
    expect(noted).toEqual([{ kind: 'session_ended', brand: 'aurelia', user_agent: expect.any(String) }]);
    expect(noted[0]?.user_agent).not.toBe('');
  });

  test('oidcc-rp-initiated-logout-no-state: returns without state', async () => {
    const { hint, signOut } = await linked();
    expect((await signOut({ id_token_hint: hint, post_logout_redirect_uri: back })).url.href).toBe(back);
  });

  test('an id_token is a hint also after its client changed the algorithm, and is one of no other client', async () => {
    const { agent, app, hint, signOut } = await linked();
    const { clientId: client_id, clientSecret: client_secret, redirectUri } = app;
    const metadata = { client_id, client_secret, client_name: 'Example App', redirect_uris: [redirectUri] };
    await world.registerClients([
      { ...metadata, post_logout_redirect_uris: [back], id_token_signed_response_alg: 'ES256' },
    ]);
    expect(readJwt(hint).header.alg).toBe('RS256');
    const { url } = await app.rp.authorizationUrl({ prompt: 'none', id_token_hint: hint });
    expect((await agent.navigate(url)).url.searchParams.get('error')).toBeNull();
    const other = await world.registerApp({ id_token_signed_response_alg: 'ES256' });
    const foreign = await other.rp.authorizationUrl({ prompt: 'none', id_token_hint: hint });
    expect((await agent.navigate(foreign.url)).url.searchParams.get('error')).toBe('invalid_request');
    expect((await signOut({ id_token_hint: hint, post_logout_redirect_uri: back })).url.href).toBe(back);
  });

  test.each([
    ['oidcc-rp-initiated-logout-no-id-token-hint', { post_logout_redirect_uri: back, state: 'x' }],
    ['oidcc-rp-initiated-logout-no-params', {}],
    ['oidcc-rp-initiated-logout-only-state', { state: 'x' }],
  ])('%s: asks, and then ends at a page of ours', async (_name, parameters) => {
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

  test('oidcc-rp-initiated-logout-discovery-endpoint-verification: the endpoint is at the issuer', async () => {
    const metadata = (await world.browser().get('/.well-known/openid-configuration')).json();
    expect(metadata.end_session_endpoint).toBe(`${world.origin}/oauth/logout`);
  });

  test('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri, oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri: a page with a way to sign out, and no link to the address', async () => {
    const { agent, hint, ask, isSignedIn, expectLinked } = await linked();
    let page: Arrival | undefined;
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
      page = await ask({ id_token_hint: hint, post_logout_redirect_uri: uri, state: 'x' });
      expectWayOut(page, 'post_logout_redirect_uri not registered');
    }
    expect(await isSignedIn()).toBe(true);
    if (!page) throw new Error('nothing was asked');
    const done = await agent.submit(page, { logout: 'yes' });
    expect(done.url.href).toBe(`${world.origin}/oauth/logout/success`);
    expect(await isSignedIn()).toBe(false);
    await expectLinked();
  });

  test('oidcc-rp-initiated-logout-modified-id-token-hint, oidcc-rp-initiated-logout-bad-id-token-hint: a page with a way to sign out', async () => {
    const { agent, hint, ask, isSignedIn } = await linked();
    const told = world.countEvent('logout.refused', 'invalid_request');
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
      expectWayOut(page, /id_token_hint/);
    }
    const mixed = await ask({ id_token_hint: hint, client_id: other.clientId });
    expectWayOut(mixed, 'client_id does not match');
    expect(world.countEvent('logout.refused', 'invalid_request') - told).toBe(wrong.length + 1);
    expect(await isSignedIn()).toBe(true);
    await agent.submit(mixed, { logout: 'yes' });
    expect(await isSignedIn()).toBe(false);
  });

  test('an unknown client, a parameter that is too long, and a form of another page also get a way to sign out', async () => {
    const { agent, ask, isSignedIn } = await linked();
    expectWayOut(await ask({ client_id: 'nobody' }), 'client is invalid');
    expectWayOut(await ask({ id_token_hint: 'x'.repeat(5_000) }), 'id_token_hint is longer than 4096 bytes');
    const question = await ask({});
    await ask({});
    const stale = await agent.submit(question, { logout: 'yes' });
    expectWayOut(stale, 'xsrf token invalid');
    expect(await isSignedIn()).toBe(true);
    await agent.submit(stale, { logout: 'yes' });
    expect(await isSignedIn()).toBe(false);
  });

  test('a browser without a session gets the fault, and no question', async () => {
    const stranger = world.browser();
    for (const query of ['client_id=nobody', `id_token_hint=${'x'.repeat(5_000)}`]) {
      const page = await stranger.navigate(`/oauth/logout?${query}`);
      expect(page.answer?.status).toBe(400);
      expect(bootOf(page).error.code).toMatch(/invalid_request|unknown_client/);
    }
  });

  test('OA14: the hint of another person asks', async () => {
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

  test('OA14: the question names the app by its client_id, and leads back to the app', async () => {
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

  test('OA14: an expired id_token still identifies the session', async () => {
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

  test('OA14: the id_token of another client leads to no address of this client', async () => {
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

  test('OA14: the parameters of a POST stand in no address, and the logout ends where the app requested', async () => {
    const { agent, hint, isSignedIn } = await linked();
    const form = { id_token_hint: hint, post_logout_redirect_uri: back, state: 'a state' };
    // The form comes from the app’s site and brings no cookie along.
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

  test('OA14: a value sealed elsewhere, or too long ago, is refused', async () => {
    const { agent, hint, isSignedIn } = await linked();
    const posted = await world.browser().request('POST', '/oauth/logout', { form: { id_token_hint: hint } });
    const location = String(posted.headers.location);
    const changed = `${location.slice(0, -4)}AAAA`;
    expectWayOut(await agent.navigate(changed), 'the posted request is over');
    expect((await agent.get('/oauth/logout?posted=x')).status).toBe(400);
    // The monotonic clock continues the time of PostgreSQL; the embedded database uses the time of the process.
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

  test('OA14: a posted value is bounded, and has no NUL', async () => {
    const post = (form: Record<string, string>) => world.browser().request('POST', '/oauth/logout', { form });
    expect((await post({ id_token_hint: 'a'.repeat(3_000), state: 'b'.repeat(3_000) })).status).toBe(413);
    const longest = await post({ id_token_hint: 'a'.repeat(4_000), state: 'b'.repeat(1_000) });
    expect(longest.status).toBe(303);
    expect(String(longest.headers.location).length).toBeLessThan(7_500);
    expect((await post({ state: 'a\0b' })).status).toBe(400);
  });

  test('SE11: the browser’s data of the account are cleared with its session', async () => {
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
