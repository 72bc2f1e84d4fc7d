import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRelyingParty } from '../support/relying-party.ts';
import { createWorld, type World } from '../support/world.ts';
import { bootOf, start } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** An app on someone's machine, answered at `redirectUri`. */
const nativeApp = async (registered: string[], redirectUri: string, more: Record<string, unknown> = {}) => {
  const clientId = `native-${randomBytes(4).toString('hex')}`;
  await world.registerClients([
    { client_id: clientId, client_name: 'Native', preset: 'native', redirect_uris: registered, ...more },
  ]);
  const rp = await createRelyingParty({ issuer: world.origin, clientId, redirectUri });
  return { clientId, clientSecret: '', redirectUri, rp };
};

describe('OA1: a native app (RFC 8252)', () => {
  test.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback'],
    ['http://127.0.0.1:4000/callback', 'http://127.0.0.1:49152/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1/callback'],
    ['http://[::1]/callback', 'http://[::1]:61234/callback'],
    ['com.example.app:/callback', 'com.example.app:/callback'],
    ['https://app.example/native', 'https://app.example/native'],
  ])('registered at %s signs in at %s and refreshes', async (registered, redirectUri) => {
    const app = await nativeApp([registered], redirectUri);
    const { agent } = await world.signUp();
    const { tokens, callback } = await world.link(agent, app.rp);
    expect(callback.href.startsWith(redirectUri)).toBe(true);
    expect(tokens.refresh_token).toEqual(expect.any(String));
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).access_token).toEqual(expect.any(String));
  });

  test.each([
    'http://localhost:51004/callback',
    'http://127.0.0.1:51004/other',
    'http://127.0.0.1:51004/callback/',
    'http://127.0.0.1:51004/callback?x=1',
    'http://127.0.0.1:51004/callback#x',
    'http://user@127.0.0.1:51004/callback',
    'http://127.0.0.1:x/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.2/callback',
    'http://127.1/callback',
    'http://2130706433/callback',
    'http://[::1]:51004/callback',
    'http://[0:0:0:0:0:0:0:1]:51004/callback',
    'https://127.0.0.1:51004/callback',
    'com.example.other:/callback',
  ])('registered at 127.0.0.1 is not answered at %s', async (redirectUri) => {
    const app = await nativeApp(['http://127.0.0.1/callback'], redirectUri);
    const { url } = await app.rp.authorizationUrl();
    const page = await world.browser().navigate(url);
    expect([page.answer?.status, page.url.origin]).toEqual([400, world.origin]);
    expect(bootOf(page).error.code).toBe('redirect_uri_mismatch');
  });

  test('redeems a code only at the very address that the code went to', async () => {
    const app = await nativeApp(['http://127.0.0.1/callback'], 'http://127.0.0.1:51004/callback');
    const { agent } = await world.signUp();
    const { uid, checks } = await start(world, { agent, app });
    const { url } = await world.approve(agent, uid);
    const elsewhere = new URL(url);
    elsewhere.port = '51005';
    await expect(app.rp.exchange(elsewhere, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('cannot do without PKCE', async () => {
    const app = await nativeApp(['http://127.0.0.1/callback'], 'http://127.0.0.1:51004/callback');
    const { url } = await app.rp.authorizationUrl();
    url.searchParams.delete('code_challenge');
    url.searchParams.delete('code_challenge_method');
    const { agent } = await world.signUp();
    const arrived = await agent.navigate(url);
    expect(arrived.url.searchParams.get('error')).toBe('invalid_request');
  });

  test('may be answered at any port by the pages that lead to it', async () => {
    const app = await nativeApp(['http://127.0.0.1/callback'], 'http://127.0.0.1:51004/callback', {
      post_logout_redirect_uris: ['http://127.0.0.1/bye'],
    });
    const { agent } = await world.signUp();
    const parameters = { client_id: app.clientId, post_logout_redirect_uri: 'http://127.0.0.1:51004/bye' };
    const page = await agent.get(`/oauth/logout?${new URLSearchParams(parameters)}`);
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(/form-action [^;]*http:\/\/127\.0\.0\.1:\*/);
  });
});

test('OA1: the port of a web app on this machine is fixed', async () => {
  const app = await world.registerApp(
    { redirect_uris: ['http://127.0.0.1:4000/callback'] },
    { redirectUri: 'http://127.0.0.1:4001/callback' },
  );
  const page = await world.browser().navigate((await app.rp.authorizationUrl()).url);
  expect([page.answer?.status, bootOf(page).error.code]).toEqual([400, 'redirect_uri_mismatch']);
});
