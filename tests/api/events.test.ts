import { createLogger } from '@candela/server/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

const lines: Record<string, unknown>[] = [];
let world: World;
beforeAll(async () => {
  const info = (line: Record<string, unknown>) => void lines.push(line);
  world = await createWorld({ logger: Object.assign(createLogger('silent'), { info }) });
});
afterAll(() => world.close());

/** The logged events of an account with one of these names, since the last call. */
const eventsOf = (accountId: string, names: readonly string[]) =>
  lines
    .splice(0)
    .filter((line) => line.accountId === accountId && names.includes(String(line.event)))
    .map(({ requestId, ...line }) => line);
const idOf = async (agent: UserAgent): Promise<string> => (await agent.get('/api/account')).json().id;

test('ending sessions logs an event with the account and the number of sessions', async () => {
  const { agent, identifier } = await world.signUp();
  const accountId = await idOf(agent);
  const said = () => eventsOf(accountId, ['session.ended', 'sessions.ended']);
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

test('each withdrawn authorization logs an event with its client', async () => {
  const { agent, identifier } = await world.signUp();
  const accountId = await idOf(agent);
  const said = () => eventsOf(accountId, ['authorization.withdrawn']);
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

test('every line has the reference of the request’s response', async () => {
  const { agent } = await world.signUp();
  const answer = await agent.post('/api/sign-out');
  expect(lines.findLast(({ event }) => event === 'session.ended')).toMatchObject({
    requestId: answer.headers['x-request-id'],
  });
});

test('each refused request of a sign-in, a program or a sign-out is one line, with the reference of its response', async () => {
  const app = await world.registerApp();
  const browser = world.browser();
  const { clientId } = app;
  const authorize = `/oauth/authorize?client_id=${clientId}&response_type=code`;
  const elsewhere = `${authorize}&redirect_uri=https%3A%2F%2Fapp.example%2Felsewhere`;
  const long = `id_token_hint=${'x'.repeat(5_000)}`;
  const post = (path: string, form: Record<string, string>) =>
    browser.request('POST', path, { form, headers: { origin: '' } });
  const asked: [string, string, () => Promise<Answer>][] = [
    ['authorization.refused', 'invalid_redirect_uri', () => browser.get(elsewhere)],
    ['authorization.refused', 'invalid_client', () => browser.get('/oauth/authorize?client_id=nobody')],
    ['authorization.refused', 'invalid_request', () => browser.get(`${authorize}&state=%00`)],
    ['authorization.refused', 'too_large', () => post('/oauth/authorize', { state: 's'.repeat(9_000) })],
    ['authorization.refused', 'invalid_client', () => post('/oauth/par', { client_id: 'nobody' })],
    ['token.refused', 'invalid_client', () => post('/oauth/token', { client_id: 'nobody' })],
    ['introspection.refused', 'invalid_client', () => post('/oauth/introspect', { client_id: clientId })],
    ['revocation.refused', 'invalid_client', () => post('/oauth/revoke', { client_id: clientId })],
    ['interaction.refused', 'interaction_expired', () => browser.get('/interaction/gone')],
    ['logout.refused', 'invalid_client', () => browser.get('/oauth/logout?client_id=nobody')],
    ['logout.refused', 'invalid_request', () => browser.get(`/oauth/logout?${long}`)],
  ];
  for (const [event, reason, ask] of asked) {
    lines.splice(0);
    const answer = await ask();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const told = lines.filter((line) => String(line.event).endsWith('.refused'));
    const requestId = answer.headers['x-request-id'];
    expect(told).toEqual([expect.objectContaining({ event, reason, requestId, brand: 'aurelia' })]);
  }
  expect(JSON.stringify(lines)).not.toContain('xxxxx');
});
