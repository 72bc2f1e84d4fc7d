import { insertStream, listSignals } from '@candela/server/testing/signal-streams';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otherCode, proveByCode } from '../api/settings.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { answer, isActive, refusal, start } from './authorization.ts';
import { linkApp } from './refresh-link.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const leave = (agent: UserAgent) => agent.delete('/api/account');
const keep = (agent: UserAgent) => agent.post('/api/account/keep');

const idOf = async (agent: UserAgent): Promise<string> => (await agent.get('/api/account')).json().id;

/** Lets the grace of an account be over. */
const passGrace = async (id: string): Promise<void> => {
  await sql`update account set leaving_at = now() - interval '1 second' where id = ${id}`.execute(world.db);
};

const exists = async (id: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from account where id = ${id}`.execute(world.db);
  return rows.length > 0;
};

/** Every table of the schema. */
const tables = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(world.db);
  return rows.map(({ name }) => name);
};

/** Tables that name an account: by a column of that name. */
const tablesOfAccounts = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select distinct table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name like '%account_id' order by 1`.execute(world.db);
  return rows.map(({ name }) => name);
};

/** The tables with a row that has one of the texts in any of its columns. */
const tablesWith = async (texts: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const table of await tables()) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} as each
      where ${sql.join(
        texts.map((text) => sql`strpos(each::text, ${text}) > 0`),
        sql` or `,
      )} limit 1`.execute(world.db);
    if (rows.length > 0) found.push(table);
  }
  return found;
};

/** A row of an account in a table, whatever its columns are: those that must have a value get one of their type. */
const insertAnything = async (table: string, accountId: string): Promise<void> => {
  const session = await world.db
    .selectFrom('session')
    .select('uid')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const { rows } = await sql<{ name: string; type: string }>`
    select column_name as name, udt_name as type from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and column_name <> 'account_id'
      and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`.execute(world.db);
  const values: Record<string, unknown> = {
    text: 'phone',
    int4: 1,
    int8: 1,
    bool: true,
    jsonb: '{}',
    timestamptz: new Date(Date.now() + 3_600_000),
    bytea: Buffer.from('x'),
    uuid: '00000000-0000-4000-8000-000000000000',
  };
  const own: Record<string, unknown> = {
    purpose: 'register',
    handle: `handle of ${accountId}`,
    client_id: 'anything',
    ...(table === 'account_export_piece' && { number: 1 }),
    stream_id: 'stream',
    event: 'token-claims-change',
    staff_id: accountId,
    asked_by: accountId,
    ...(table === 'desk_session' && { brand: 'aurelia', session_uid: session?.uid }),
  };
  const columns = ['account_id', ...rows.map(({ name }) => name)];
  const row = [accountId, ...rows.map(({ name, type }) => own[name] ?? values[type])];
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values (${sql.join(row)}) on conflict do nothing`.execute(world.db);
};

/**
 * What ends by itself, and is not looked for by account: apps that are still to be told, and requests that were answered,
 * for the way back to their app, within a day; signals of what happened to the account, within 30. The record of what
 * staff did keeps the id, and no contact: nobody takes an entry out of it.
 */
const TRANSIENT = ['backchannel_logout', 'interaction', 'signal', 'staff_record'];

/** Made by the flows of the test, with what they belong to. */
const BY_FLOWS = [
  'access_token',
  'account_identifier',
  'agreement_acceptance',
  'authorization_code',
  'authorization_grant',
  'client_member',
  'developer',
  'device_account',
  'password',
  'refresh_token',
  'remembered_consent',
  'session',
];

describe('a person who leaves', () => {
  test('LV1: is signed out everywhere, is told by when to come back, and apps get nothing meanwhile', async () => {
    const { agent, identifier } = await world.signUp();
    const link = await linkApp(world, agent, await world.registerApp());
    const web = await world.registerApp({ grant_types: ['authorization_code'] });
    const bound = (await world.link(agent, web.rp)).tokens.access_token;
    const other = (await world.signIn(identifier)).agent;

    const left = await leave(agent);
    expect(left.status).toBe(200);
    const days = (Date.parse(left.json().endsAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(13.99);
    expect(days).toBeLessThan(14.01);
    expect(left.headers['clear-site-data']).toContain('storage');
    for (const one of [agent, other])
      expect(refusal(await one.get('/api/account'))).toEqual([401, 'not_signed_in']);
    expect(await world.lastMessageTo(identifier)).toMatchObject({ purpose: 'deletion_requested' });
    expect((await world.lastMessageTo(identifier)).text).toContain('/index');

    expect(await isActive(web, bound)).toBe(false);
    expect(await isActive(link.app, link.tokens.access_token)).toBe(false);
    const refused = await link.requests.refresh(link.first);
    expect([refused.status, refused.json()]).toEqual([503, { error: 'temporarily_unavailable' }]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await link.isAlive()).toBe(true);
  });

  test('LV2: signs in to keep the account, and loses no link', async () => {
    const { agent, identifier } = await world.signUp();
    const brief = { refresh_token_ttl: 7 * 86_400 };
    const link = await linkApp(world, agent, await world.registerApp(brief));
    await leave(agent);
    // Nobody could use it meanwhile.
    await link.pass(13 * 86_400);
    const back = (await world.signIn(identifier)).agent;
    const { leavingAt } = (await back.get('/api/account')).json();
    expect(Date.parse(leavingAt)).toBeGreaterThan(Date.now());
    await proveByCode(world, back, identifier);
    expect(refusal(await leave(back))).toEqual([409, 'deletion_pending']);
    expect((await link.requests.refresh(link.first)).status).toBe(503);

    expect((await keep(back)).status).toBe(204);
    expect((await keep(back)).status).toBe(204);
    expect((await back.get('/api/account')).json()).not.toHaveProperty('leavingAt');
    expect((await link.requests.refresh(link.first)).status).toBe(200);
    const told = (await world.messages()).filter(({ to }) => to === identifier).map(({ purpose }) => purpose);
    expect(told.slice(-3)).toEqual(['deletion_requested', 'step-up', 'deletion_cancelled']);
    expect(world.countEvent('account.deletion_cancelled')).toBeGreaterThan(0);
  });

  test('LV3: is asked before an app gets anything, and goes on to it once the account is kept', async () => {
    const { agent, identifier } = await world.signUp();
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    await leave(agent);

    const back = world.browser();
    const { uid, checks } = await start(world, { agent: back, app });
    const arrived = await world.login(back, uid, identifier);
    expect(arrived.url.pathname).toBe('/leaving');
    const silent = await app.rp.authorizationUrl({ prompt: 'none' });
    const refused = await back.navigate(silent.url);
    expect(refused.url.searchParams.get('error')).toBe('interaction_required');

    const asking = world.interactionOf(arrived.url);
    expect((await keep(back)).status).toBe(204);
    const reached = await answer(back, `/interaction/${asking}/continue`, {});
    expect(reached.url.host).toBe('app.example');
    expect(await app.rp.exchange(reached.url, checks)).toHaveProperty('access_token');
  });

  test('may give the app up instead, and nothing is issued', async () => {
    const { agent, identifier } = await world.signUp();
    await leave(agent);
    const back = world.browser();
    const { uid } = await start(world, { agent: back });
    const asked = await world.login(back, uid, identifier);
    const reached = await answer(back, `/interaction/${world.interactionOf(asked.url)}/abort`);
    expect(reached.url.searchParams.get('error')).toBe('access_denied');
  });

  test('needs a fresh proof', async () => {
    const { agent } = await world.signUp();
    await sql`update session set payload = payload || '{"loginTs": 1}' where account_id = ${await idOf(agent)}`.execute(
      world.db,
    );
    expect(refusal(await leave(agent))).toEqual([403, 'step_up_required']);
  });
});

describe('when the grace is over', () => {
  test('LV4: nothing of the person is left in any table', async () => {
    const { agent, identifier } = await world.signUpDeveloper();
    const id = await idOf(agent);
    const app = await world.registerApp();
    await linkApp(world, agent, app);
    await start(world, { agent, app, parameters: { prompt: 'consent' } });
    const made = await agent.post('/api/clients', {
      preset: 'web',
      name: 'Lamp Diary',
      redirect_uris: ['https://diary.example/callback'],
    });
    expect(made.status, made.body).toBe(201);
    const clientId = made.json().client.client_id;
    await world.receiveCode(world.browser(), identifier, 'login');
    const stream = { id: 'stream', brand: 'aurelia', client_id: app.clientId };
    await insertStream(world.db, stream);
    await insertAnything('staff', id);
    // Every table that names accounts has a row, or the test says which flow makes it.
    for (const table of await tablesOfAccounts()) {
      if (BY_FLOWS.includes(table) || ['oidc_model', 'backchannel_logout'].includes(table)) continue;
      await insertAnything(table, id);
    }
    const before = await tablesWith([id]);
    expect(
      (await tablesOfAccounts()).filter((table) => !before.includes(table)),
      'give each new table of accounts a row, or an exception with its reason',
    ).toEqual(['backchannel_logout', 'oidc_model'].filter((table) => !before.includes(table)));

    await leave((await world.signIn(identifier)).agent);
    await world.carryOutLeavings();
    expect(await exists(id)).toBe(true);
    // Wrong passwords in a row count for 30 days.
    const stranger = world.browser();
    const { uid } = await start(world, { agent: stranger });
    const guessed = { identifier, password: 'wrong77' };
    expect((await stranger.post(`/interaction/${uid}/login`, guessed)).status).toBe(401);
    expect(await tablesWith([id])).toContain('rate_limit');
    await passGrace(id);
    expect(await world.carryOutLeavings()).toBe(1);

    // Apps are told that the account is gone, and of the link; nothing that they were told before is kept.
    const told = (await listSignals(world.db, 'stream')).map(({ event }) => event);
    expect(told).toEqual(expect.arrayContaining(['account-purged', 'link-ended']));
    expect(told).not.toContain('token-claims-change');
    const left = await tablesWith([id, identifier]);
    expect(left.filter((table) => !TRANSIENT.includes(table))).toEqual([]);
    expect(await world.carryOutLeavings()).toBe(0);

    // The history of the client stays, of nobody that can be named.
    const { rows: changes } = await sql<{ actor_id: string }>`
      select actor_id from client_change where client_id = ${clientId}`.execute(world.db);
    expect(changes.map(({ actor_id }) => actor_id)).toEqual([expect.stringMatching(/^deleted-/)]);
    const { rows: members } = await sql`select 1 from client_member where client_id = ${clientId}`.execute(
      world.db,
    );
    expect([members, await world.findClient(clientId)]).toEqual([[], expect.anything()]);
    expect(world.countEvent('account.deleted')).toBe(1);
    // The last message says so; once it is sent, nothing is left of it either.
    const last = await world.lastMessageTo(identifier);
    expect(last).toMatchObject({ purpose: 'account_deleted', locale: 'en' });
    expect(last.text).toContain(`${world.origin}/register`);
    const { rows: waiting } = await sql`select 1 from message`.execute(world.db);
    expect(waiting).toEqual([]);

    // The identifier is free.
    const again = await world.signUp(identifier);
    expect(await idOf(again.agent)).not.toBe(id);
  });

  test('LV4: no count of wrong codes of its contacts is left, of 30 days', async () => {
    const { agent, identifier } = await world.signUp();
    const id = await idOf(agent);
    await world.db.deleteFrom('rate_limit').execute();
    const stranger = world.browser();
    const { uid } = await start(world, { agent: stranger });
    const code = otherCode(await world.receiveCode(stranger, identifier, 'login'));
    const wrong = await stranger.post(`/interaction/${uid}/login`, { identifier, code });
    expect(refusal(wrong)).toEqual([401, 'code_incorrect']);
    const lasting = async () => {
      const { rows } = await sql<{ key: string }>`
        select key from rate_limit where expires_at > now() + interval '25 hours'`.execute(world.db);
      return rows.map(({ key }) => key);
    };
    expect(await lasting()).toEqual([expect.stringMatching(/^code\.row /)]);
    expect((await leave(agent)).status).toBe(200);
    await passGrace(id);
    expect(await world.carryOutLeavings()).toBe(1);
    expect(await lasting()).toEqual([]);
  });

  test('LV5: its links die, and an account that was kept stays', async () => {
    const { agent, identifier } = await world.signUp();
    const id = await idOf(agent);
    const link = await linkApp(world, agent, await world.registerApp());
    await leave(agent);
    const back = (await world.signIn(identifier)).agent;
    await passGrace(id);
    // Until it is carried out, nothing is lost.
    expect((await keep(back)).status).toBe(204);
    expect([await world.carryOutLeavings(), await exists(id)]).toEqual([0, true]);

    await leave(back);
    await passGrace(id);
    expect([await world.carryOutLeavings(), await exists(id)]).toEqual([1, false]);
    const refused = await link.requests.refresh(link.first);
    expect([refused.status, refused.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(refusal(await back.get('/api/account'))).toEqual([401, 'not_signed_in']);
  });
});
