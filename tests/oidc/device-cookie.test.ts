import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
}, 60_000);
afterAll(() => world.close());

const deviceOf = async (agent: Awaited<ReturnType<World['signUp']>>['agent']) =>
  (await agent.jar.getCookies(world.origin)).find(({ key }) => key === '_device');

test('a browser keeps its id, and each sign-in extends the cookie', async () => {
  const { agent, identifier } = await world.signUp();
  const first = await deviceOf(agent);
  await agent.post('/api/sign-out');
  await agent.jar.setCookie(`_device=${first?.value}; Max-Age=3600; Path=/; HttpOnly`, world.origin);
  await world.signIn(identifier, agent);
  const second = await deviceOf(agent);
  expect(second?.value).toBe(first?.value);
  expect(second?.expiryTime()).toBeGreaterThan(Date.now() + 399 * 86_400_000);
});

test('a fresh browser has an id before its page asks for several things at once, whose answers would give it two', async () => {
  const agent = world.browser();
  const uid = world.interactionOf((await agent.navigate('/login')).url);
  expect(await deviceOf(agent)).toBeUndefined();
  await world.details(agent, uid);
  const given = (await deviceOf(agent))?.value;
  expect(given).toBeDefined();
  await Promise.all([
    agent.post(`/interaction/${uid}/passkey/options`, {}),
    agent.post(`/interaction/${uid}/login`, { identifier: 'nobody@example.com', password: 'a wrong one' }),
  ]);
  expect((await deviceOf(agent))?.value).toBe(given);
});
