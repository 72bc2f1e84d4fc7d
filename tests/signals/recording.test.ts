import { createAccountStatusService } from '@candela/server/account-status';
import { createPhoto } from '@candela/server/testing/pictures';
import { recordEvents } from '@candela/server/testing/recorded-events';
import { insertStream, listSignals } from '@candela/server/testing/signal-streams';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bind, nextPhone, patchAccount, proveByCode, readAccount } from '../api/settings.ts';
import { approvalsOf, type RegisteredApp } from '../oidc/authorization.ts';
import { linkApp } from '../oidc/refresh-link.ts';
import { allowDevice, askForCode, poll, registerDevice } from '../support/device.ts';
import { givePasskey } from '../support/passkeys.ts';
import { hashOf } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A stream of the client, named like it. */
const follow = (clientId: string) =>
  insertStream(world.db, { id: clientId, brand: 'aurelia', client_id: clientId });

/** What the client was told since the last call. */
const heard = async (clientId: string) => {
  const signals = await listSignals(world.db, clientId);
  await world.db.deleteFrom('signal').where('stream_id', '=', clientId).execute();
  return signals.map(({ event, payload, sid }) => {
    const { event_timestamp: _at, initiating_entity: by, ...members } = payload;
    return { event, ...members, ...(by !== undefined && { by }), ...(sid !== null && { sid }) };
  });
};

const endedLinks = (clientId: string) =>
  world.db
    .selectFrom('ended_link')
    .select(['id', 'reason', 'scope'])
    .where('client_id', '=', clientId)
    .execute();

/** A person with a home that is linked to an app which follows. */
const settle = async (metadata: Record<string, unknown> = {}) => {
  const { agent, identifier } = await world.signUp();
  const app = await world.registerApp(metadata);
  await follow(app.clientId);
  const link = await linkApp(world, agent, app);
  return { agent, identifier, app, link, scope: (await link.grant())?.scope };
};

describe('a link', () => {
  test('is told of when it is made, once, and not when it is refreshed', async () => {
    const { app, link, scope } = await settle();
    expect(await heard(app.clientId)).toEqual([{ event: 'link-created', scope, by: 'user' }]);
    expect((await link.requests.refresh(link.first)).status).toBe(200);
    expect(await heard(app.clientId)).toEqual([]);
  });

  test('is none without a refresh token', async () => {
    const { agent } = await world.signUp();
    const web = await world.registerApp({ grant_types: ['authorization_code'] });
    await follow(web.clientId);
    await world.link(agent, web.rp);
    expect(await heard(web.clientId)).toEqual([]);
  });

  test('of a device is told of when the person allows it, once', async () => {
    const { agent } = await world.signUp();
    const device = await registerDevice(world);
    await follow(device.clientId);
    const code = await askForCode(device);
    await allowDevice(world, agent, code);
    const created = { event: 'link-created', by: 'user', scope: expect.stringContaining('openid') };
    expect(await heard(device.clientId)).toEqual([created]);
    expect((await poll(device, code)).status).toBe(200);
    expect(await heard(device.clientId)).toEqual([]);
  });

  const ways: Record<string, (home: Awaited<ReturnType<typeof settle>>) => Promise<unknown>> = {
    withdrawn: async ({ agent, app }) => {
      const [approval] = await approvalsOf(agent, app);
      return agent.delete(`/api/authorizations/${approval?.id}`);
    },
    revoked_by_client: ({ app, link }) => app.rp.revoke(link.first),
    token_theft: async ({ link }) => {
      const second = (await link.requests.refresh(link.first)).json().refresh_token;
      await link.requests.refresh(second);
      await link.pass(61);
      return link.requests.refresh(link.first);
    },
    expired: async ({ link }) => {
      await sql`update authorization_grant set expires_at = now() - interval '1 second'
        where id = ${link.grantId}`.execute(world.db);
      return world.sweep();
    },
    client_disabled: ({ app }) => world.disableClient(app.clientId),
    client_deleted: ({ app }) => world.deleteClient(app.clientId),
    account_disabled: async ({ identifier }) => {
      const statuses = createAccountStatusService({ db: world.db, events: recordEvents() });
      return statuses.disable(identifier, { reason: 'a test', endLinks: true });
    },
  };
  const by: Record<string, string> = {
    withdrawn: 'user',
    revoked_by_client: 'system',
    token_theft: 'policy',
    expired: 'system',
    client_disabled: 'admin',
    client_deleted: 'admin',
    account_disabled: 'admin',
  };

  /** Lets signals wait that carry values of the account, one that carries none, and one of somebody else. */
  const waitWithValues = (streamId: string, accountId: string) =>
    world.db
      .insertInto('signal')
      .values([
        {
          stream_id: streamId,
          account_id: accountId,
          event: 'token-claims-change',
          payload: '{"claims":{}}',
        },
        {
          stream_id: streamId,
          account_id: accountId,
          event: 'identifier-changed',
          payload: '{"new-value":"a@example.com"}',
        },
        { stream_id: streamId, account_id: accountId, event: 'identifier-changed', payload: '{}' },
        { stream_id: streamId, account_id: 'other', event: 'token-claims-change', payload: '{"claims":{}}' },
      ])
      .execute();
  const isOfLink = ({ event }: { event: string }) => event.startsWith('link-');
  const isOfAccount = ({ event }: { event: string }) => /^(identifier|token)-/.test(event);

  test.each(Object.entries(ways))(
    'that ends is told of, and why: %s; what the app may not read any more is not',
    async (reason, endIt) => {
      const home = await settle();
      const { agent, app, link, scope } = home;
      await heard(app.clientId);
      await waitWithValues(app.clientId, (await readAccount(agent)).id);
      await endIt(home);
      expect(await link.isAlive()).toBe(false);
      const all = await heard(app.clientId);
      const told = all.filter(isOfLink);
      // The stream of a client ends with the client.
      const isDeleted = reason === 'client_deleted';
      expect(told).toEqual(isDeleted ? [] : [{ event: 'link-ended', reason, scope, by: by[reason] }]);
      expect(all.filter(isOfAccount)).toEqual(
        isDeleted ? [] : [{ event: 'identifier-changed' }, { event: 'token-claims-change', claims: {} }],
      );
      expect(await endedLinks(app.clientId)).toEqual([{ id: link.grantId, reason, scope }]);
    },
  );

  test('that ends takes nothing from another one of its app', async () => {
    const { agent, app, link } = await settle();
    await linkApp(world, agent, app);
    await heard(app.clientId);
    await waitWithValues(app.clientId, (await readAccount(agent)).id);
    await agent.delete(`/api/authorizations/${link.grantId}`);
    // The address is of a scope that neither has.
    expect((await heard(app.clientId)).filter(isOfAccount)).toEqual([
      { event: 'token-claims-change', claims: {} },
      { event: 'identifier-changed' },
      { event: 'token-claims-change', claims: {} },
    ]);
  });

  test('ends by a code that is presented again, and that is why', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp();
    await follow(app.clientId);
    const { url, checks } = await app.rp.authorizationUrl();
    const page = await agent.navigate(url);
    const { url: callback } = await world.approve(agent, world.interactionOf(page.url));
    await app.rp.exchange(callback, checks);
    await heard(app.clientId);
    const code = callback.searchParams.get('code') ?? '';
    await world.db
      .updateTable('authorization_code')
      .set({ consumed_at: sql`consumed_at - interval '11 seconds'` })
      .where('id_hash', '=', hashOf(code))
      .execute();
    await app.rp.exchange(callback, checks).catch(() => undefined);
    expect(await heard(app.clientId)).toMatchObject([{ event: 'link-ended', reason: 'code_reused' }]);
    expect(await endedLinks(app.clientId)).toMatchObject([{ reason: 'code_reused' }]);
  });
});

describe('a session that ends', () => {
  const claimsOf = async (agent: UserAgent, app: RegisteredApp) =>
    (await world.link(agent, app.rp)).tokens.claims();

  test.each(['the portal', 'an app'])('by %s is told of by the sid that the app knows', async (way) => {
    const { agent, app } = await settle();
    const stranger = await settle();
    const { sid } = { ...(await claimsOf(agent, app)) };
    await Promise.all([heard(app.clientId), heard(stranger.app.clientId)]);
    if (way === 'the portal') {
      expect((await agent.post('/api/sign-out')).status).toBe(204);
    } else {
      const page = await agent.get('/oauth/logout');
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.body) ?? [];
      await agent.request('POST', '/oauth/logout/confirm', { form: { xsrf, logout: 'yes' } });
    }
    const known = sid === undefined ? { sid: expect.any(String) } : { sid };
    expect(await heard(app.clientId)).toEqual([{ event: 'session-revoked', by: 'user', ...known }]);
    expect(await heard(stranger.app.clientId)).toEqual([]);
  });
});

test('the brand’s own app hears of a session that it was not signed in to, by its uid', async () => {
  const own = await world.registerApp({ first_party: true });
  await follow(own.clientId);
  const { agent } = await world.signUp();
  const { id } = await readAccount(agent);
  const { uid } = await world.db
    .selectFrom('session')
    .select('uid')
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  await agent.post('/api/sign-out');
  const [signal] = (await listSignals(world.db, own.clientId)).filter((one) => one.account_id === id);
  expect(signal).toMatchObject({ event: 'session-revoked', sid: uid });
  await world.db.deleteFrom('signal_stream').where('id', '=', own.clientId).execute();
});

describe('an account that changes', () => {
  test('SG1: tells its values to who may know them, and to nobody that it has no dealings with', async () => {
    const { agent, identifier } = await world.signUp();
    const open = await world.registerApp();
    const closed = await world.registerApp();
    const stranger = await settle();
    for (const { clientId } of [open, closed]) await follow(clientId);
    await world.link(agent, open.rp, { scope: 'openid profile phone offline_access' });
    await world.link(agent, closed.rp, { scope: 'openid offline_access' });
    const all = [open.clientId, closed.clientId];
    const drain = async () => Promise.all(all.map(heard));
    await drain();
    await heard(stranger.app.clientId);

    await proveByCode(world, agent, identifier);
    const phone = nextPhone();
    await bind(world, agent, 'phone', phone);
    expect(await drain()).toEqual([
      [{ event: 'identifier-changed', 'new-value': phone }],
      [{ event: 'identifier-changed' }],
    ]);

    const next = nextPhone();
    await proveByCode(world, agent, phone);
    await bind(world, agent, 'phone', next);
    // A replacement is one event.
    expect(await drain()).toEqual([
      [{ event: 'identifier-changed', 'new-value': next }],
      [{ event: 'identifier-changed' }],
    ]);
    await proveByCode(world, agent, next);
    expect((await agent.delete('/api/account/phone')).status).toBeLessThan(300);
    expect(await drain()).toEqual([[{ event: 'identifier-changed' }], [{ event: 'identifier-changed' }]]);

    await patchAccount(agent, { nickname: 'Aurora', locale: 'en' });
    await patchAccount(agent, { nickname: 'Aurora' });
    const claims = { name: 'Aurora', nickname: 'Aurora', preferred_username: 'Aurora', locale: 'en' };
    expect(await drain()).toEqual([[{ event: 'token-claims-change', claims, by: 'user' }], []]);

    const raw = await createPhoto({ width: 64, height: 64 });
    await agent.request('PUT', '/api/account/avatar', { raw, headers: { 'content-type': 'image/jpeg' } });
    const { avatar } = await readAccount(agent);
    const picture = `${world.origin}${avatar}`;
    expect(await drain()).toEqual([[{ event: 'token-claims-change', claims: { picture }, by: 'user' }], []]);
    await agent.delete('/api/account/avatar');
    await agent.delete('/api/account/avatar');
    expect(await drain()).toEqual([
      [{ event: 'token-claims-change', claims: { picture: null }, by: 'user' }],
      [],
    ]);

    await proveByCode(world, agent, identifier);
    const { passkey } = await givePasskey(agent, world.origin);
    const changed = { event: 'credential-change', credential_type: expect.stringMatching(/^fido2-/) };
    expect((await drain())[1]).toMatchObject([{ ...changed, change_type: 'create' }]);
    expect((await agent.delete(`/api/passkeys/${passkey.id}`)).status).toBeLessThan(300);
    expect((await drain())[1]).toMatchObject([{ ...changed, change_type: 'delete' }]);

    expect(await heard(stranger.app.clientId)).toEqual([]);
  });

  test('is told to be disabled and enabled, with its links', async () => {
    const { app, identifier } = await settle();
    const statuses = createAccountStatusService({ db: world.db, events: recordEvents() });
    const disable = () => statuses.disable(identifier, { reason: 'lost', endLinks: false });
    await heard(app.clientId);
    await disable();
    const events = async () => (await heard(app.clientId)).map(({ event }) => event);
    expect(await events()).toEqual([
      'account-disabled',
      'link-suspended',
      'session-revoked',
      'sessions-revoked',
    ]);
    await disable();
    expect(await events()).toEqual([]);
    await statuses.enable(identifier);
    await statuses.enable(identifier);
    expect(await events()).toEqual(['account-enabled', 'link-resumed']);
  });
});

test('a signal goes after 30 days, and a link that ended after 90', async () => {
  const { app, agent } = await settle();
  await agent.delete('/api/authorizations');
  await sql`update signal set created_at = now() - interval '31 days'
    where stream_id = ${app.clientId} and event = 'link-created'`.execute(world.db);
  await world.sweep();
  expect((await listSignals(world.db, app.clientId)).map(({ event }) => event)).toEqual(['link-ended']);
  expect(await endedLinks(app.clientId)).toHaveLength(1);
  await sql`update ended_link set ended_at = now() - interval '91 days'
    where client_id = ${app.clientId}`.execute(world.db);
  await world.sweep();
  expect(await endedLinks(app.clientId)).toEqual([]);
});
