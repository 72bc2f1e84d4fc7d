import { createLogger } from '@candela/server/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

const lines: Record<string, unknown>[] = [];
let world: World;
beforeAll(async () => {
  const info = (line: Record<string, unknown>) => void lines.push(line);
  world = await createWorld({ logger: Object.assign(createLogger('silent'), { info }) });
});
afterAll(() => world.close());

/** What the server said of an account since this was called last, of the events asked for. */
const saidOf = (accountId: string, names: readonly string[]) =>
  lines
    .splice(0)
    .filter((line) => line.accountId === accountId && names.includes(String(line.event)))
    .map(({ requestId, ...line }) => line);
const idOf = async (agent: UserAgent): Promise<string> => (await agent.get('/api/account')).json().id;

test('ending sessions is told with the account and how many there were', async () => {
  const { agent, identifier } = await world.signUp();
  const accountId = await idOf(agent);
  const said = () => saidOf(accountId, ['session.ended', 'sessions.ended']);
  for (let others = 0; others < 3; others += 1) await world.signIn(identifier);
  const { items } = (await agent.get('/api/sessions')).json();
  said();

  expect((await agent.delete(`/api/sessions/${items[1].id}`)).status).toBe(204);
  expect(said()).toEqual([{ event: 'session.ended', accountId, brand: 'aurelia' }]);
  expect((await agent.delete(`/api/sessions/${items[1].id}`)).status).toBe(404);
  expect(said()).toEqual([]);
  await agent.delete('/api/sessions?except=current');
  expect(said()).toEqual([{ event: 'sessions.ended', accountId, brand: 'aurelia', count: 2 }]);
  await agent.post('/api/sign-out');
  expect(said()).toEqual([{ event: 'session.ended', accountId, brand: 'aurelia' }]);
});

test('withdrawing an authorization is told with its client, each by itself', async () => {
  const { agent, identifier } = await world.signUp();
  const accountId = await idOf(agent);
  const said = () => saidOf(accountId, ['authorization.withdrawn']);
  const apps = [await world.registerApp(), await world.registerApp(), await world.registerApp()];
  for (const app of apps) await world.link(agent, app.rp);
  said();

  const { items } = (await agent.get('/api/authorizations')).json();
  const id = items.find(({ client }: { client: { id: string } }) => client.id === apps[0]?.clientId).id;
  await agent.delete(`/api/authorizations/${id}`);
  const event = { event: 'authorization.withdrawn', accountId, brand: 'aurelia' };
  expect(said()).toEqual([{ ...event, clientId: apps[0]?.clientId }]);
  expect((await agent.delete(`/api/authorizations/${id}`)).status).toBe(404);
  expect(said()).toEqual([]);
  await agent.delete('/api/authorizations');
  expect(lines.some((line) => JSON.stringify(line).includes(identifier))).toBe(false);
  expect(
    said()
      .map(({ clientId }) => clientId)
      .sort(),
  ).toEqual(
    apps
      .slice(1)
      .map(({ clientId }) => clientId)
      .sort(),
  );
});

test('every line names the request that its answer names', async () => {
  const { agent } = await world.signUp();
  const answer = await agent.post('/api/sign-out');
  expect(lines.findLast(({ event }) => event === 'session.ended')).toMatchObject({
    requestId: answer.headers['x-request-id'],
  });
});
