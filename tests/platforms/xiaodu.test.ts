import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { createWorld, type World } from '../support/world.ts';

const redirectUri = 'https://xiaodu.baidu.com/saiya/auth/0123456789abcdef0123456789abcdef';

let world: World;
let xiaodu: Platform;
beforeAll(async () => {
  world = await createWorld();
  xiaodu = await registerPlatform(world, {
    metadata: { preset: 'xiaodu', redirect_uris: [redirectUri] },
    redirectUri,
    authentication: 'body',
  });
});
afterAll(() => world.close());

/** https://dueros.baidu.com/didp/doc/dueros-bot-platform/dbp-account-linking/account-linking.md, November 2026. */
test('Xiaodu links an account at the address of its skill', async () => {
  const { agent } = await world.signUp();
  const callback = await xiaodu.authorize(agent, { scope: 'all', state: 'as-it-was' });
  expect([callback.origin + callback.pathname, callback.searchParams.get('state')]).toEqual([
    redirectUri,
    'as-it-was',
  ]);
  const { status, body } = await xiaodu.exchange(callback);
  expect([status, await xiaodu.use(body.access_token)]).toEqual([200, 200]);
  expect((await xiaodu.refresh(body.refresh_token)).status).toBe(200);
});

test('Xiaodu is not answered at the address of another skill', async () => {
  const { agent } = await world.signUp();
  const other = redirectUri.replace('0123', '3210');
  const { answer } = await agent.navigate(xiaodu.authorizationUrl({ redirect_uri: other }));
  expect(answer?.status).toBe(400);
});
