import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { createWorld, type World } from '../support/world.ts';

const redirectUri = 'https://social.yandex.net/broker/redirect';

let world: World;
let alice: Platform;
beforeAll(async () => {
  world = await createWorld();
  alice = await registerPlatform(world, {
    metadata: { preset: 'alice', scope: 'openid profile' },
    redirectUri,
    authentication: 'body',
  });
});
afterAll(() => world.close());

/** https://yandex.ru/dev/dialogs/alice/doc/auth/authorization-code-grant.html, November 2026. */
test.each([
  ['no action group', ''],
  ['an action group of its own', 'home:lights'],
  ['action groups that are separated as its console separates them', 'home:lights&home:scenes'],
])('Alice links an account with %s, and gets the registered scopes', async (_name, scope) => {
  const { agent } = await world.signUp();
  const callback = await alice.authorize(agent, { scope, state: 'as-it-was' });
  expect([callback.origin + callback.pathname, callback.searchParams.get('state')]).toEqual([
    redirectUri,
    'as-it-was',
  ]);
  const { status, text, body } = await alice.exchange(callback);
  expect(status).toBe(200);
  expect(text.length).toBeLessThanOrEqual(5_000);
  expect(body.scope).toBe('openid profile');
  for (const token of [body.access_token, body.refresh_token])
    expect(token.length).toBeLessThanOrEqual(2_048);
  expect(Number.isInteger(body.expires_in) && body.expires_in >= 360).toBe(true);
  expect(await alice.use(body.access_token)).toBe(200);
  expect((await alice.refresh(body.refresh_token)).status).toBe(200);
});

/** https://yandex.ru/dev/dialogs/smart-home/doc/en/reference/unlink, November 2026: the token is to be revoked. */
test('Alice ends a link by its access token; another app’s access token ends alone', async () => {
  const { agent } = await world.signUp();
  const [ended, kept] = [await alice.link(agent), await alice.link(agent)];
  expect((await alice.revoke(ended.access_token, 'access_token')).status).toBe(200);
  const { status, text } = await alice.refresh(ended.refresh_token);
  expect([status, text]).toEqual([400, '{"error":"invalid_grant"}']);
  expect(await alice.use(kept.access_token)).toBe(200);

  const other = await registerPlatform(world, {
    metadata: { preset: 'home-assistant' },
    redirectUri: 'https://my.home-assistant.io/redirect/oauth',
    authentication: 'body',
  });
  const linked = await other.link(agent);
  await alice.revoke(linked.access_token, 'access_token');
  expect(await other.use(linked.access_token)).toBe(200);
  await other.revoke(linked.access_token, 'access_token');
  expect((await other.refresh(linked.refresh_token)).status).toBe(200);
});

test('Alice gets no scope that it is not registered for, whatever its console says', async () => {
  const { agent } = await world.signUp();
  const callback = await alice.authorize(agent, { scope: 'openid email' });
  const { body } = await alice.exchange(callback);
  expect(body.scope).toBe('openid');
  const refreshed = await alice.post('/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
    scope: 'openid email',
  });
  expect([refreshed.status, refreshed.body.scope]).toEqual([200, 'openid']);
  expect((await alice.exchange(await alice.authorize(agent, { scope: 'email' }))).body.scope).toBe(
    'openid profile',
  );
});
