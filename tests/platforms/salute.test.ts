import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { createWorld, type World } from '../support/world.ts';

const redirectUri = 'https://gateway.iot.sberdevices.ru/gateway/v1/binder/backward';

let world: World;
let salute: Platform;
beforeAll(async () => {
  world = await createWorld();
  salute = await registerPlatform(world, {
    metadata: { preset: 'salute' },
    redirectUri,
    authentication: 'body',
  });
});
afterAll(() => world.close());

/** https://developers.sber.ru/docs/en/smarthome/c2c/link-accounts, November 2026. */
test('Salute links an account; its refresh token lasts five times as long as the access token at least', async () => {
  const { agent } = await world.signUp();
  const callback = await salute.authorize(agent, { scope: '', state: 'as-it-was' });
  expect([callback.origin + callback.pathname, callback.searchParams.get('state')]).toEqual([
    redirectUri,
    'as-it-was',
  ]);
  const { status, body } = await salute.exchange(callback);
  expect([status, await salute.use(body.access_token)]).toEqual([200, 200]);
  const { expires_at: end } = await world.db
    .selectFrom('refresh_token')
    .select('expires_at')
    .where('client_id', '=', salute.clientId)
    .executeTakeFirstOrThrow();
  expect(end.getTime() - Date.now()).toBeGreaterThan(5_000 * body.expires_in);
  expect((await salute.refresh(body.refresh_token)).status).toBe(200);
});

test('Salute is not answered at an address below its own', async () => {
  const { agent } = await world.signUp();
  const { answer } = await agent.navigate(salute.authorizationUrl({ redirect_uri: `${redirectUri}/x` }));
  expect(answer?.status).toBe(400);
});
