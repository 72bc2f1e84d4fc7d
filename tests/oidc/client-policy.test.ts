import { createRegistrations } from '@candela/server/testing/registrations';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerPlatform } from '../support/platform.ts';
import { hashOf } from '../support/token.ts';
import { createWorld, type World } from '../support/world.ts';
import { approvalsOf, bootOf, refusal, start } from './authorization.ts';

const redirectUri = 'https://app.example/callback';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const register = (metadata: Record<string, unknown> = {}) =>
  registerPlatform(world, {
    metadata: {
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
    },
    redirectUri,
    authentication: 'basic',
  });

test('lifetimes are as registered, and expires_in shows them', async () => {
  const { agent } = await world.signUp();
  const app = await register({ require_pkce: false, access_token_ttl: 400, refresh_token_ttl: 7200 });
  const { body } = await app.exchange(await app.authorize(agent));
  expect(body.expires_in).toBe(400);
  const secondsLeft = async (table: 'access_token' | 'refresh_token', token: string) =>
    world.db
      .selectFrom(table)
      .select(sql<number>`extract(epoch from expires_at - now())::int`.as('seconds'))
      .where('id_hash', '=', hashOf(token))
      .executeTakeFirstOrThrow();
  for (const { access_token: accessToken, refresh_token: refreshToken } of [
    body,
    (await app.refresh(body.refresh_token)).body,
  ]) {
    const access = await secondsLeft('access_token', accessToken);
    const refresh = await secondsLeft('refresh_token', refreshToken);
    expect(access.seconds).toBeGreaterThan(380);
    expect(access.seconds).toBeLessThanOrEqual(400);
    expect(refresh.seconds).toBeGreaterThan(7180);
    expect(refresh.seconds).toBeLessThanOrEqual(7200);
  }
});

test('a changed registration takes effect with the next request, without a restart', async () => {
  const { agent } = await world.signUp();
  const app = await register({ require_pkce: false });
  const tokens = await app.link(agent);
  expect(tokens.expires_in).toBe(3600);
  await world.registerClients([{ ...app.registration, access_token_ttl: 600 }]);
  expect((await app.refresh(tokens.refresh_token)).body.expires_in).toBe(600);
});

test('a client without the refresh_token grant type gets no refresh token, whatever it requests', async () => {
  const { agent } = await world.signUp();
  const app = await register({ grant_types: ['authorization_code'], require_pkce: false });
  const tokens = await app.link(agent, { scope: 'openid offline_access', prompt: 'consent' });
  expect(tokens).toHaveProperty('access_token');
  expect(tokens).not.toHaveProperty('refresh_token');
});

const registerHub = () => register({ require_pkce: false });
type Hub = Awaited<ReturnType<typeof registerHub>>;

const disable = ({ registration }: Hub) => world.registerClients([{ ...registration, disabled: true }]);
const enable = ({ registration }: Hub) => world.registerClients([{ ...registration, disabled: false }]);
/** Another process on the same database. */
const elsewhere = () => createRegistrations(world.db, { secretKeys: world.config.secretKeys });

const countOf = async (table: 'authorization_grant' | 'access_token' | 'refresh_token', { clientId }: Hub) =>
  (await world.db.selectFrom(table).select('brand').where('client_id', '=', clientId).execute()).length;

describe('a disabled client', () => {
  test('is unknown: people see an error page, and its requests for tokens are invalid_client', async () => {
    const hub = await registerHub();
    const { agent } = await world.signUp();
    const callback = await hub.authorize(agent);
    await disable(hub);
    const arrived = await agent.navigate(hub.authorizationUrl());
    expect([arrived.answer?.status, arrived.url.origin]).toEqual([400, world.origin]);
    expect(bootOf(arrived).error.code).toBe('unknown_client');
    const { status, body } = await hub.exchange(callback);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect((await hub.introspect('anything')).error).toBe('invalid_client');
  });

  test('has no link and no token, and is on no list; other apps stay', async () => {
    const [hub, other] = [await registerHub(), await registerHub()];
    const { agent } = await world.signUp();
    const tokens = await hub.link(agent);
    const kept = await other.link(agent);
    await disable(hub);
    expect(await hub.use(tokens.access_token)).toBe(401);
    const { status, body } = await hub.refresh(tokens.refresh_token);
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    for (const table of ['authorization_grant', 'access_token', 'refresh_token'] as const)
      expect([table, await countOf(table, hub)]).toEqual([table, 0]);
    expect((await approvalsOf(agent)).map(({ client }) => client.id)).toEqual([other.clientId]);
    expect((await agent.get('/api/account')).status).toBe(200);
    expect(await other.use(kept.access_token)).toBe(200);
    expect((await other.refresh(kept.refresh_token)).status).toBe(200);
  });

  test('cannot be approved on a page opened before', async () => {
    const app = await world.registerApp();
    const { agent } = await world.signUp();
    const { uid, path } = await start(world, { agent, app });
    expect(path).toBe('/consent');
    await elsewhere().setDisabled(app.clientId, true);
    await expect
      .poll(async () => refusal(await agent.post(`/interaction/${uid}/consent`, {})), { timeout: 1_000 })
      .toEqual([410, 'interaction_expired']);
    expect(await approvalsOf(agent)).toEqual([]);
  });

  test('is unknown within a second to other processes too', async () => {
    const hub = await registerHub();
    const { agent } = await world.signUp();
    const tokens = await hub.link(agent);
    expect(await hub.use(tokens.access_token)).toBe(200);
    expect(await elsewhere().setDisabled(hub.clientId, true)).toBe(true);
    expect(await hub.use(tokens.access_token)).toBe(401);
    await expect
      .poll(async () => (await hub.refresh(tokens.refresh_token)).body.error, {
        timeout: 1_000,
        interval: 50,
      })
      .toBe('invalid_client');
  });

  test('stays disabled when its registration is applied again, unless the registration enables it', async () => {
    const hub = await registerHub();
    await elsewhere().setDisabled(hub.clientId, true);
    await world.registerClients([hub.registration]);
    expect((await hub.refresh('anything')).status).toBe(401);
    await enable(hub);
    expect((await hub.refresh('anything')).body.error).toBe('invalid_grant');
  });

  test('starts afresh once it is enabled: no link returns, and people are asked again', async () => {
    const hub = await registerHub();
    const { agent } = await world.signUp();
    const tokens = await hub.link(agent);
    await disable(hub);
    await enable(hub);
    expect((await hub.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect(await hub.use(tokens.access_token)).toBe(401);
    expect((await agent.navigate(hub.authorizationUrl())).url.pathname).toBe('/consent');
    expect((await hub.refresh((await hub.link(agent)).refresh_token)).status).toBe(200);
  });

  test('gains nothing from a process that has not yet read the change', async () => {
    const hub = await registerHub();
    const { agent } = await world.signUp();
    await hub.link(agent);
    await sql`create temporary table late as select * from authorization_grant where client_id = ${hub.clientId}`.execute(
      world.db,
    );
    await disable(hub);
    await sql`insert into authorization_grant select * from late`.execute(world.db);
    expect(await approvalsOf(agent)).toEqual([]);
    await enable(hub);
    expect(await countOf('authorization_grant', hub)).toBe(0);
  });

  test('has no link left, even with more links than one batch deletes', async () => {
    const hub = await registerHub();
    const { agent } = await world.signUp();
    await hub.link(agent);
    await sql`insert into authorization_grant
        (brand, id, account_id, client_id, scope, payload, user_agent, address, locale, expires_at)
      select brand, id || n, account_id, client_id, scope, payload, user_agent, address, locale, expires_at
      from authorization_grant, generate_series(1, 5100) as n where client_id = ${hub.clientId}`.execute(
      world.db,
    );
    await disable(hub);
    expect(await countOf('authorization_grant', hub)).toBe(0);
  });

  test('stays enabled if its file enables it at every start', async () => {
    const hub = await registerHub();
    const { agent } = await world.signUp();
    const tokens = await hub.link(agent);
    await enable(hub);
    expect((await hub.refresh(tokens.refresh_token)).status).toBe(200);
  });

  test('must exist', async () => {
    await expect(elsewhere().setDisabled('nobody', true)).rejects.toThrow('not_found');
  });
});
