import { insertStream } from '@candela/server/testing/signal-streams';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalsOf, type RegisteredApp } from '../oidc/authorization.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PUSH, type Receivers, startReceivers } from './receivers.ts';

const LINK_NARROWED = 'urn:candela:event-type:link-narrowed';
const SCOPE = 'openid profile email';

let receivers: Receivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers?.close());

const narrow = async (agent: UserAgent, app: RegisteredApp, scopes: string[]) => {
  const [approval] = await approvalsOf(agent, app);
  return agent.patch(`/api/authorizations/${approval?.id}`, { scopes });
};

const optional = { optional_scopes: 'profile email' };

test('a link that is narrowed is told to its app, with the scopes before and after', async () => {
  const { world } = receivers;
  const receiver = await receivers.register(optional);
  receivers.replyAt(receiver.path, (answer) => answer.writeHead(202).end());
  const { stream_id: id } = await receivers.createStream(receiver, {
    delivery: { method: PUSH, endpoint_url: receiver.endpoint },
    events_requested: [LINK_NARROWED],
  });
  const { agent } = await world.signUp();
  const { tokens } = await world.link(agent, receiver.rp, { scope: SCOPE });
  expect((await narrow(agent, receiver, ['openid', 'profile', 'offline_access'])).status).toBe(200);
  const [{ body } = { body: '' }] = await receivers.untilReceived(receiver.path);
  const { events, sub_id } = await receivers.readSet(body, receiver.clientId);
  expect(events).toEqual({
    [LINK_NARROWED]: {
      scope: 'openid profile',
      previous_scope: SCOPE,
      initiating_entity: 'user',
      event_timestamp: expect.any(Number),
    },
  });
  expect(sub_id).toMatchObject({ sub: tokens.claims()?.sub });

  // What changes nothing and what is refused tells nothing.
  for (const scopes of [['openid', 'profile', 'offline_access'], ['openid', 'email', 'offline_access'], []])
    await narrow(agent, receiver, scopes);
  expect(await receivers.rowsOf(id)).toHaveLength(1);
});

test('the brand’s own service hears of it by its webhook, and no other app does', async () => {
  const { world } = receivers;
  const { agent: developer } = await world.signUpDeveloper();
  const drafted = { preset: 'web', name: 'Device Cloud', redirect_uris: ['https://cloud.example/callback'] };
  const { client_id: cloud } = (await developer.post('/api/clients', drafted)).json().client;
  const path = `/api/clients/${cloud}/stream`;
  const endpointUrl = `https://${receivers.host}/cloud`;
  const json = { deliveryMethod: 'webhook', endpointUrl, events: ['link-narrowed'] };
  expect((await developer.request('PUT', path, { json })).status).toBe(200);
  const { secret } = (await developer.post(`${path}/secret`)).json();
  await world.db.updateTable('client').set({ first_party: true }).where('id', '=', cloud).execute();
  receivers.replyAt('/cloud', (answer) => answer.writeHead(204).end());

  const [app, other] = [await world.registerApp(optional), await world.registerApp(optional)];
  await insertStream(world.db, { id: other.clientId, brand: 'aurelia', client_id: other.clientId });
  const { agent } = await world.signUp();
  for (const { rp } of [app, other]) await world.link(agent, rp, { scope: SCOPE });
  await narrow(agent, app, ['openid', 'offline_access']);
  const [received] = await receivers.untilReceived('/cloud');
  const headers = received?.request.headers as Record<string, string>;
  expect(new Webhook(secret).verify(received?.body ?? '', headers)).toMatchObject({
    type: 'link-narrowed',
    data: { scope: 'openid', previous_scope: SCOPE, client_id: app.clientId },
  });
  const told = (await receivers.rowsOf(other.clientId)).map(({ event }) => event);
  expect(told).toEqual(['link-created']);
});

test('SG1: what waits, and is of a scope that was taken away, is not told', async () => {
  const { world } = receivers;
  const receiver = await receivers.register(optional);
  await insertStream(world.db, { id: receiver.clientId, brand: 'aurelia', client_id: receiver.clientId });
  const { agent } = await world.signUp();
  await world.link(agent, receiver.rp, { scope: SCOPE });
  const accountId: string = (await agent.get('/api/account')).json().id;
  const changed = { accountId, event: 'identifier-changed' };
  const [name, , email] = await receivers.addSignals(receiver.clientId, [
    { accountId, event: 'token-claims-change', payload: { claims: { name: 'Aurora' } } },
    changed,
    { ...changed, payload: { 'new-value': 'new@example.com' } },
  ]);
  const waiting = async () => (await receivers.rowsOf(receiver.clientId)).map(({ jti }) => jti);
  await narrow(agent, receiver, ['openid', 'profile', 'offline_access']);
  expect(await waiting()).toContain(name);
  expect(await waiting()).not.toContain(email);
  await narrow(agent, receiver, ['openid', 'offline_access']);
  expect(await waiting()).not.toContain(name);
  const kept = (await receivers.rowsOf(receiver.clientId)).map(({ event }) => event);
  expect(kept).toContain('identifier-changed');
});

test('an approval that is no link tells nothing', async () => {
  const { world } = receivers;
  const app = await world.registerApp({ ...optional, grant_types: ['authorization_code'] });
  await insertStream(world.db, { id: app.clientId, brand: 'aurelia', client_id: app.clientId });
  const { agent } = await world.signUp();
  await world.link(agent, app.rp, { scope: SCOPE });
  expect((await narrow(agent, app, ['openid'])).status).toBe(200);
  expect(await receivers.rowsOf(app.clientId)).toEqual([]);
});
