import { createHash } from 'node:crypto';
import { activityKinds } from '@candela/contract/rules/activity-kinds';
import { exportedTables } from '@candela/server/data-export';
import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const codeOf = (answer: { status: number; json: () => { error: { code: string } } }) => [
  answer.status,
  answer.json().error.code,
];

const idOf = async (agent: UserAgent): Promise<string> => (await agent.get('/api/account')).json().id;
const stateOf = async (agent: UserAgent) => (await agent.get('/api/export')).json();

/** The entries of the zip that the browser downloads. */
const download = async (agent: UserAgent) => {
  const { bytes } = await agent.get('/api/export/file');
  return unzipSync(bytes ?? Buffer.alloc(0));
};

describe('a file with everything about a person', () => {
  test('LV8: is asked for, told of by mail, downloaded once, and then gone', async () => {
    const { agent, identifier } = await world.signUp();
    expect(await stateOf(agent)).toEqual({ state: 'none' });
    const asked = await agent.post('/api/export');
    expect([asked.status, asked.json().state]).toEqual([202, 'preparing']);
    expect((await agent.post('/api/export')).json()).toEqual(asked.json());
    expect(codeOf(await agent.get('/api/export/file'))).toEqual([404, 'not_found']);

    expect(await world.prepareExports()).toBe(1);
    expect(await world.prepareExports()).toBe(0);
    expect(await world.lastMessageTo(identifier)).toMatchObject({
      purpose: 'export_ready',
      text: expect.stringContaining(`Download it, once, within 24 hours: ${world.origin}/index\n`),
    });
    const ready = await stateOf(agent);
    expect(ready).toMatchObject({ state: 'ready' });
    const hours = (Date.parse(ready.expiresAt) - Date.now()) / 3_600_000;
    expect([hours > 23.9, hours < 24.1]).toEqual([true, true]);

    // A link in a page of another site does not use it up.
    const foreign = { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } };
    expect(codeOf(await agent.get('/api/export/file', foreign))).toEqual([403, 'cross_site']);
    expect((await agent.request('HEAD', '/api/export/file')).status).toBe(405);

    const file = await agent.get('/api/export/file');
    expect([file.status, file.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(file.headers['content-disposition']).toContain('account.zip');
    const entries = unzipSync(file.bytes ?? Buffer.alloc(0));
    expect(Object.keys(entries)).toEqual(['account.json', 'account.html']);
    const data = JSON.parse(strFromU8(entries['account.json'] ?? new Uint8Array()));
    expect(data.account).toMatchObject({ id: await idOf(agent), locale: 'en' });
    expect(data.identifiers).toMatchObject([{ kind: 'email', identifier }]);
    expect(data.sessions).toMatchObject([{ browser: { name: 'Chrome' } }]);
    expect(data.agreements.map(({ id }: { id: string }) => id).toSorted()).toEqual(['privacy', 'terms']);
    const page = strFromU8(entries['account.html'] ?? new Uint8Array());
    expect(page).toContain('<html lang="en">');
    expect(page).toContain(identifier);
    expect(page).not.toContain('<script');

    expect(codeOf(await agent.get('/api/export/file'))).toEqual([404, 'not_found']);
    expect((await stateOf(agent)).state).toBe('none');
    const again = await agent.post('/api/export');
    expect(codeOf(again)).toEqual([429, 'rate_limited']);
    expect(again.json().error.retryAfterSeconds).toBeGreaterThan(86_000);
    expect(world.countEvent('export.downloaded')).toBe(1);
  });

  test('LV9: has no secret, and nothing of others', async () => {
    const { agent } = await world.signUp();
    const other = await world.signUp();
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    await agent.post('/api/export');
    await world.prepareExports();
    const { rows } = await sql<{ sealed: string }>`select sealed from account_export_piece`.execute(world.db);
    expect(rows.map(({ sealed }) => Buffer.from(sealed, 'base64url').includes('account.json'))).toEqual([
      false,
    ]);
    const entries = await download(agent);
    const text = Object.values(entries)
      .map((bytes) => strFromU8(bytes))
      .join();
    expect(text).toContain('Example App');
    expect(text).not.toContain(other.identifier);
    expect(text).not.toMatch(/\$argon2|hash|sealed|secret_|token/i);
    expect(text).not.toContain(createHash('sha256').update(app.clientSecret).digest('base64url'));
  });

  test('tells people what happened in the words of the activity, in their language', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    const id = await idOf(agent);
    const noted = [
      ['sessions_ended', { total: 3 }],
      ['identifier_bound', { contactKind: 'phone', contact: '+44 ••• 0123' }],
      ['passkey_added', { name: 'A <key>' }],
    ] as const;
    for (const [kind, detail] of noted)
      await sql`insert into activity (id, account_id, kind, detail)
        values (${kind}, ${id}, ${kind}, ${JSON.stringify(detail)}::jsonb)`.execute(world.db);
    expect((await agent.request('PATCH', '/api/account', { json: { locale: 'ru' } })).status).toBe(200);
    await agent.post('/api/export');
    await world.prepareExports();
    const entries = await download(agent);
    const page = strFromU8(entries['account.html'] ?? new Uint8Array());
    for (const sentence of [
      'Аккаунт создан',
      '<dd>адрес эл. почты</dd>',
      'Example App: доступ открыт',
      'Выполнен выход в 3 браузерах',
      '+44\u00a0•••\u00a00123',
      'Добавлен ключ доступа: A &lt;key&gt;',
    ])
      expect(page).toContain(sentence);
    for (const kind of activityKinds) expect(page).not.toContain(`<dd>${kind}</dd>`);
    const { activity } = JSON.parse(strFromU8(entries['account.json'] ?? new Uint8Array()));
    expect(activity.map(({ kind }: { kind: string }) => kind)).toContain('sessions_ended');
  });

  test('LV10: goes to one of 20 that ask at once', async () => {
    const { agent } = await world.signUp();
    await agent.post('/api/export');
    await world.prepareExports();
    const answers = await Promise.all(Array.from({ length: 20 }, () => agent.get('/api/export/file')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(19);
  });

  test('LV11: of an account that is disabled meanwhile is not stored; its sessions have ended', async () => {
    const { agent } = await world.signUp();
    await agent.post('/api/export');
    const id = await idOf(agent);
    await sql`update account set status = 'disabled' where id = ${id}`.execute(world.db);
    expect(await world.prepareExports()).toBe(0);
    const { rows } = await sql`select 1 from account_export where account_id = ${id}`.execute(world.db);
    expect(rows).toEqual([]);
    expect(codeOf(await agent.post('/api/export'))).toEqual([401, 'not_signed_in']);
  });

  test('LV12: is gone after 24 hours', async () => {
    const { agent } = await world.signUp();
    await agent.post('/api/export');
    await world.prepareExports();
    const id = await idOf(agent);
    await sql`update account_export set expires_at = now() - interval '1 second' where account_id = ${id}`.execute(
      world.db,
    );
    expect(codeOf(await agent.get('/api/export/file'))).toEqual([404, 'not_found']);
    await world.sweep();
    const { rows } = await sql`select 1 from account_export_piece where account_id = ${id}`.execute(world.db);
    expect(rows).toEqual([]);
    expect((await agent.post('/api/export')).status).toBe(202);
  });

  test('LV9: each table that names accounts is in the file, or left out for a reason', async () => {
    /** What is not the person’s to take, or says nothing of them. */
    const leftOut = [
      // Protocol rows that stand for sessions and authorizations, which are there.
      'access_token',
      'authorization_code',
      'backchannel_logout',
      'oidc_model',
      'refresh_token',
      // Proofs and challenges under way, good for minutes.
      'passkey_challenge',
      'pending_sign_in',
      'provider_arrival',
      'spent_ticket',
      // Secrets, and random values that say nothing.
      'recovery_code',
      'user_handle',
      // The file itself; the notice of a sign-in, which the activity has; the picture, which is a file of its own.
      'account_export_piece',
      'avatar',
      'sign_in_notice',
      // What apps are told of the activity.
      'signal',
      // What staff were about to do and saw, for minutes; what they did is in the activity.
      'caller_check',
      'desk_approval',
      'desk_session',
      'shown_contact',
      // Who looked and acted, which is about staff; the activity has what is the person’s to know.
      'staff_record',
      // Links that take back what was added, which the activity has.
      'addition',
    ];
    const { rows } = await sql<{ name: string }>`
      select distinct table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name like '%account_id'`.execute(world.db);
    const known = [...exportedTables.filter((name) => name !== 'account'), ...leftOut];
    expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });
});
