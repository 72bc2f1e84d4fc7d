import { createDeliveredSignals } from '@candela/server/delivered-signals';
import { insertStream } from '@candela/server/testing/signal-streams';
import { sql } from 'kysely';
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

/** An app with a stream of its own, and a person who is linked to it. */
const linkReceiver = async () => {
  const { world } = receivers;
  const receiver = await receivers.register(optional);
  const streamId = receiver.clientId;
  await insertStream(world.db, { id: streamId, brand: 'aurelia', client_id: streamId });
  const { agent } = await world.signUp();
  await world.link(agent, receiver.rp, { scope: SCOPE });
  return { world, receiver, streamId, agent };
};

test('SG1: what waits, and is of a scope that was taken away, is not told, and not told again', async () => {
  const { world, receiver, streamId, agent } = await linkReceiver();
  const accountId: string = (await agent.get('/api/account')).json().id;
  const changed = { accountId, event: 'identifier-changed' };
  const [name = '', bare, email, told = ''] = await receivers.addSignals(streamId, [
    { accountId, event: 'token-claims-change', payload: { claims: { name: 'Aurora' } } },
    changed,
    { ...changed, payload: { 'new-value': 'new@example.com' } },
    { accountId, event: 'token-claims-change', payload: { claims: { name: 'Ada' } } },
  ]);
  const settle = () =>
    world.db.updateTable('signal').set({ settled_at: new Date() }).where('jti', '=', told).execute();
  const { replayOne } = createDeliveredSignals({ db: world.db });
  const waiting = async () => {
    const rows = await receivers.rowsOf(streamId);
    return rows
      .filter(({ settled_at, event }) => !settled_at && !event.startsWith('link-'))
      .map(({ jti }) => jti);
  };
  await settle();
  await narrow(agent, receiver, ['openid', 'profile', 'offline_access']);
  expect(email).toBeDefined();
  expect(await waiting()).toEqual([name, bare]);
  await replayOne(streamId, told);
  expect(await waiting()).toEqual([name, bare, told]);
  await settle();
  await narrow(agent, receiver, ['openid', 'offline_access']);
  expect(await waiting()).toEqual([bare]);
  await expect(replayOne(streamId, told)).rejects.toMatchObject({ code: 'not_found' });
  expect(await waiting()).toEqual([bare]);
});

test('SG1: what is of a scope that was taken out of the registration is not told', async () => {
  const { world, streamId, agent } = await linkReceiver();
  const toldOf = async (nickname: string, scope: string) => {
    await sql`update client set metadata = jsonb_set(metadata, '{scope}', to_jsonb(${scope}::text))
      where id = ${streamId}`.execute(world.db);
    expect((await agent.patch('/api/account', { nickname })).status).toBe(200);
    const rows = await receivers.rowsOf(streamId);
    return rows.filter(({ event }) => event === 'token-claims-change').length;
  };
  expect(await toldOf('Aurora', 'openid profile')).toBe(1);
  expect(await toldOf('Ada', 'openid')).toBe(1);
  expect(await toldOf('Augusta', 'openid profile')).toBe(2);
});

test('SG1: what waits, and is of a scope that is taken out of the registration, is not told, and not told again', async () => {
  const { world, receiver, streamId, agent } = await linkReceiver();
  const accountId: string = (await agent.get('/api/account')).json().id;
  const changed = { accountId, event: 'identifier-changed' };
  const [bare = '', _waiting, told = ''] = await receivers.addSignals(streamId, [
    changed,
    { ...changed, payload: { 'new-value': 'new@example.com' } },
    { ...changed, payload: { 'new-value': 'old@example.com' } },
  ]);
  const ofAccount = world.db.updateTable('signal').where('account_id', '=', accountId);
  await ofAccount.set({ settled_at: new Date() }).where('jti', '=', told).execute();
  const { clientId: client_id, clientSecret: client_secret } = receiver;
  await world.registerApp({ ...optional, client_id, client_secret, scope: 'openid profile' });
  const rows = await receivers.rowsOf(streamId);
  const waiting = rows.filter(({ settled_at, event }) => !settled_at && event === 'identifier-changed');
  expect(waiting.map(({ jti }) => jti)).toEqual([bare]);
  await expect(createDeliveredSignals({ db: world.db }).replayOne(streamId, told)).rejects.toMatchObject({
    code: 'not_found',
  });
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
