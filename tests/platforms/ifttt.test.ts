import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { createWorld, type World } from '../support/world.ts';

const redirectUri = 'https://ifttt.com/channels/our_lights/authorize';

let world: World;
let ifttt: Platform;
beforeAll(async () => {
  world = await createWorld();
  ifttt = await registerPlatform(world, {
    metadata: { preset: 'ifttt', service_id: 'our_lights' },
    redirectUri,
    authentication: 'body',
  });
});
afterAll(() => world.close());

/** https://ifttt.com/docs/api_reference#authentication, November 2026. */
test('IFTTT links an account with scope=ifttt, and knows its person', async () => {
  const { agent } = await world.signUp();
  const callback = await ifttt.authorize(agent, { scope: 'ifttt', state: 'as-it-was' });
  expect([callback.origin + callback.pathname, callback.searchParams.get('state')]).toEqual([
    redirectUri,
    'as-it-was',
  ]);
  const { status, body } = await ifttt.exchange(callback);
  expect([status, body.token_type, await ifttt.use(body.access_token)]).toEqual([200, 'Bearer', 200]);
  expect((await ifttt.refresh(body.refresh_token)).status).toBe(200);
});

test('IFTTT: a refused code is 400, a wrong access token 401, and a person who declines is access_denied', async () => {
  const { agent } = await world.signUp();
  const nowhere = new URL(`${redirectUri}?code=unknown`);
  expect((await ifttt.exchange(nowhere)).status).toBe(400);
  expect(await ifttt.use('unknown')).toBe(401);
  const { url } = await agent.navigate(ifttt.authorizationUrl({ scope: 'ifttt' }));
  const answer = await agent.post(`/interaction/${world.interactionOf(url)}/abort`, undefined);
  const declined = await agent.navigate(answer.json().returnTo);
  expect(declined.url.searchParams.get('error')).toBe('access_denied');
});
