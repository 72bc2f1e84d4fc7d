import type { Activity } from '@candela/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start } from '../oidc/authorization.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { bind, nextPhone, putPassword, readAccount } from './settings.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const strange = () => world.browser({ userAgent: FIREFOX, headers: { 'time-zone': 'Asia/Shanghai' } });

const read = async (agent: UserAgent, query = ''): Promise<{ items: Activity[]; next?: string }> => {
  const answer = await agent.get(`/api/activity${query}`);
  expect(answer.status, answer.body).toBe(200);
  return answer.json();
};
const kindsOf = ({ items }: { items: Activity[] }) => items.map(({ kind }) => kind);
const find = ({ items }: { items: Activity[] }, kind: string) => {
  const found = items.find((item) => item.kind === kind);
  if (!found) throw new Error(`no ${kind} among ${items.map((item) => item.kind)}`);
  return found;
};
const tryPassword = async (identifier: string, agent = strange(), password = 'wrong-password-1') => {
  const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
  return agent.post(`/interaction/${uid}/login`, { identifier, password });
};
const dispute = (agent: UserAgent, id: string) => agent.post(`/api/activity/${id}/dispute`);
const isSignedIn = async (agent: UserAgent) => (await agent.get('/api/account')).status === 200;
const noticesTo = async (to: string) =>
  (await world.messages()).filter((message) => message.to === to && message.purpose === 'new_browser');
const tokenOf = (text: string | undefined) => /\/not-me#([\w-]+)/.exec(text ?? '')?.[1] ?? '';

describe('what happened to an account', () => {
  test('AC1: everything that changes it is noted where it happens, newest first, with the browser', async () => {
    const { agent, identifier } = await world.signUp();
    expect(kindsOf(await read(agent)).toSorted()).toEqual(['registered', 'sign_in']);
    const { rp } = await world.registerApp();
    await world.link(agent, rp);
    const given = (await read(agent)).items[0];
    expect(given).toMatchObject({ kind: 'approval_given', client: { name: 'Example App' }, current: true });
    const [authorization] = (await agent.get('/api/authorizations')).json().items;
    expect((await agent.delete(`/api/authorizations/${authorization.id}`)).status).toBe(204);
    const phone = nextPhone();
    await bind(world, agent, 'phone', phone);
    await putPassword(agent, 'starlight88');
    const other = strange();
    const { uid } = await start(world, { agent: other, parameters: { prompt: 'login' } });
    await world.login(other, uid, identifier, 'starlight88');
    const sessions = (await agent.get('/api/sessions')).json().items;
    expect(sessions.map(({ timeZone }: { timeZone?: string }) => timeZone)).toEqual([
      undefined,
      'Asia/Shanghai',
    ]);
    expect((await agent.delete('/api/sessions?except=current')).status).toBe(204);
    expect(await isSignedIn(other)).toBe(false);
    const list = await read(agent);
    expect(kindsOf(list).slice(-2).toSorted()).toEqual(['registered', 'sign_in']);
    expect(kindsOf(list).slice(0, -2)).toEqual([
      'sessions_ended',
      'new_browser',
      'password_changed',
      'identifier_bound',
      'approval_withdrawn',
      'approval_given',
    ]);
    expect(find(list, 'new_browser')).toMatchObject({
      browser: { name: 'Firefox' },
      os: { name: 'Linux' },
      timeZone: 'Asia/Shanghai',
      detail: { method: 'password' },
      disputable: true,
    });
    expect(find(list, 'password_changed')).toMatchObject({ browser: { name: 'Chrome' }, disputable: false });
    expect(find(list, 'sessions_ended').detail).toEqual({ total: 1 });
  });

  test('AC2: nothing in it names a whole phone number, e-mail address or IP address', async () => {
    const { agent, identifier } = await world.signUp();
    const phone = nextPhone();
    await bind(world, agent, 'phone', phone);
    const { body } = await agent.get('/api/activity');
    expect(body).toContain('identifier_bound');
    for (const whole of [phone, identifier, '127.0.0.1']) expect(body).not.toContain(whole);
  });

  test('a group of kinds, page by page', async () => {
    const { agent } = await world.signUp();
    const { id } = await readAccount(agent);
    await sql`insert into activity (id, account_id, kind, created_at)
      select 'paged-' || ${id} || n, ${id}, case n % 2 when 0 then 'password_changed' else 'sign_in' end,
        now() - make_interval(hours => n) from generate_series(1, 60) as n`.execute(world.db);
    const seen: Activity[] = [];
    let after = '';
    do {
      const page = await read(agent, `?kind=keys${after && `&after=${encodeURIComponent(after)}`}`);
      seen.push(...page.items);
      after = page.next ?? '';
    } while (after);
    expect(seen).toHaveLength(30);
    expect(new Set(seen.map((item) => item.id)).size).toBe(30);
    expect(seen.map(({ at }) => at)).toEqual(
      seen
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    for (const bad of ['?kind=nothing', '?after=nonsense', '?other=1'])
      expect((await agent.get(`/api/activity${bad}`)).status).toBe(400);
    expect((await world.browser().get('/api/activity')).status).toBe(401);
  });

  test('AC3: it is kept for 180 days, and gone after them', async () => {
    const { agent } = await world.signUp();
    const { id } = await readAccount(agent);
    await sql`insert into activity (id, account_id, kind, created_at) values
      ('old', ${id}, 'password_changed', now() - interval '181 days'),
      ('young', ${id}, 'password_changed', now() - interval '179 days')`.execute(world.db);
    expect((await read(agent)).items.map((item) => item.id)).not.toContain('old');
    await world.sweep();
    const left = await world.db
      .selectFrom('activity')
      .select('id')
      .where('id', 'in', ['old', 'young'])
      .execute();
    expect(left).toEqual([{ id: 'young' }]);
  });

  test.each(['Mars/Phobos', 'Europe/Berlin; x', '../etc', 'x'.repeat(200), '+03:00'])(
    'the time zone %j is not one, and is left out',
    async (zone) => {
      const { agent } = await world.signUp(undefined, world.browser({ headers: { 'time-zone': zone } }));
      for (const item of (await read(agent)).items) expect(item.timeZone).toBeUndefined();
    },
  );
});

describe('refused sign-ins', () => {
  test('AC4: those of one browser stand once an hour with a count, whoever guesses how often', async () => {
    const { agent, identifier } = await world.signUp();
    const guesser = strange();
    for (let tries = 0; tries < 3; tries += 1)
      expect((await tryPassword(identifier, guesser)).json().error.code).toBe('invalid_credentials');
    await world.tellSignIns();
    await tryPassword(identifier);
    await world.tellSignIns();
    const refused = (await read(agent)).items.filter(({ kind }) => kind === 'sign_in_refused');
    expect(refused.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(4);
    expect(refused.length).toBeLessThanOrEqual(2);
    expect(refused[0]).toMatchObject({ browser: { name: 'Firefox' }, disputable: false });
    const { id } = await readAccount(agent);
    for (let n = 0; n < 30; n += 1)
      await tryPassword(
        identifier,
        world.browser({ userAgent: `Browser${n}/1.0`, headers: { 'time-zone': 'Europe/Berlin' } }),
      );
    await world.tellSignIns();
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from activity
      where account_id = ${id} and kind = 'sign_in_refused'`.execute(world.db);
    expect(rows[0]?.n).toBeLessThanOrEqual(16);
  });

  test('one of an identifier without an account is written nowhere', async () => {
    const before = await world.db.selectFrom('activity').select('id').execute();
    await tryPassword('nobody-here@example.com');
    await world.tellSignIns();
    expect(await world.db.selectFrom('activity').select('id').execute()).toHaveLength(before.length);
  });
});

describe('“this wasn’t me”', () => {
  test('AC5: ends the session, and answers what it touched', async () => {
    const { agent, identifier } = await world.signUp();
    const { agent: intruder } = await world.signIn(identifier, strange());
    const { rp } = await world.registerApp();
    await world.link(intruder, rp);
    const row = find(await read(agent), 'new_browser');
    const answer = await dispute(agent, row.id);
    expect(answer.status, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({
      sessionEnded: true,
      touched: [{ kind: 'approval_given', client: { name: 'Example App' } }],
    });
    expect(await isSignedIn(intruder)).toBe(false);
    expect(await isSignedIn(agent)).toBe(true);
    const after = await read(agent);
    expect(find(after, 'new_browser')).toMatchObject({ disputable: false, disputedAt: expect.any(String) });
    expect(after.items[0]?.kind).toBe('disputed');
    // Said again, it is said once.
    expect((await dispute(agent, row.id)).json().sessionEnded).toBe(false);
    expect(kindsOf(await read(agent)).filter((kind) => kind === 'disputed')).toHaveLength(1);
  });

  test('what this browser did, what did nothing and what is another account’s is not found', async () => {
    const { agent, identifier } = await world.signUp();
    await tryPassword(identifier);
    await world.tellSignIns();
    const own = await read(agent);
    const stranger = await world.signUp();
    await world.signIn(stranger.identifier, strange());
    const theirs = find(await read(stranger.agent), 'new_browser');
    for (const id of [find(own, 'sign_in').id, find(own, 'sign_in_refused').id, theirs.id, 'nothing'])
      expect((await dispute(agent, id)).status).toBe(404);
  });
});

describe('a sign-in in a browser never seen', () => {
  test('AC6: is told once, by mail, with a link that ends its session, once', async () => {
    const { agent, identifier } = await world.signUp();
    await world.tellSignIns();
    expect(await noticesTo(identifier)).toEqual([]);
    const phone = nextPhone();
    await bind(world, agent, 'phone', phone);
    const { agent: intruder } = await world.signIn(identifier, strange());
    await world.tellSignIns();
    const [notice, ...others] = await noticesTo(identifier);
    expect(others).toEqual([]);
    expect(await noticesTo(phone)).toEqual([]);
    expect(notice?.text).toContain('Firefox on Linux');
    expect(notice?.text).toContain('China');
    const token = tokenOf(notice?.text);

    const anybody = world.browser();
    const look = await anybody.post('/api/not-me/look', { token });
    expect(look.json()).toMatchObject({ browser: { name: 'Firefox' }, timeZone: 'Asia/Shanghai' });
    expect(await isSignedIn(intruder)).toBe(true);
    expect((await anybody.post('/api/not-me', { token })).json()).toEqual({
      sessionEnded: true,
      tookBack: false,
    });
    expect(await isSignedIn(intruder)).toBe(false);
    expect(await isSignedIn(agent)).toBe(true);
    for (const path of ['/api/not-me/look', '/api/not-me'])
      expect((await anybody.post(path, { token })).status).toBe(404);
    // The browser is forgotten with it: its next sign-in is one of a browser never seen, and told after an hour.
    await world.signIn(identifier, intruder);
    expect(kindsOf(await read(agent)).filter((kind) => kind === 'new_browser')).toHaveLength(2);
    await world.tellSignIns();
    expect(await noticesTo(identifier)).toHaveLength(1);
  });

  test('a browser that signed in before is known, by a code as by a password', async () => {
    const { agent, identifier } = await world.signUp();
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    await world.login(agent, uid, identifier);
    const laptop = strange();
    await world.signIn(identifier, laptop);
    await world.tellSignIns();
    await laptop.post('/api/sign-out', {});
    await world.signIn(identifier, laptop);
    await world.tellSignIns();
    expect(kindsOf(await read(agent)).filter((kind) => kind === 'new_browser')).toHaveLength(1);
    expect(await noticesTo(identifier)).toHaveLength(1);
  });

  test('AC7: a sign-in that was begun and left does not make a browser known', async () => {
    const { agent, identifier } = await world.signUp();
    const intruder = strange();
    expect((await tryPassword(identifier, intruder, PASSWORD)).status).toBe(200);
    expect(kindsOf(await read(agent))).not.toContain('new_browser');
    await world.signIn(identifier, intruder);
    await world.tellSignIns();
    expect(kindsOf(await read(agent))).toContain('new_browser');
    expect(await noticesTo(identifier)).toHaveLength(1);
  });

  test('where there is no e-mail address an SMS tells it; ten a day at most', async () => {
    const phone = nextPhone();
    await world.signUp(phone);
    for (let n = 0; n < 12; n += 1) {
      await world.signIn(phone, strange());
      await world.tellSignIns();
    }
    const told = await noticesTo(phone);
    expect(told).toHaveLength(10);
    expect(told[0]?.channel).toBe('sms');
    expect(tokenOf(told[0]?.text)).toHaveLength(43);
  });
});
