import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { approvalsOf, isActive, refusal } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('lists', () => {
  test('sessions: the current one first, then the newest, twenty more to a page', async () => {
    const { agent } = await world.signUp();
    const [mine] = (await agent.get('/api/sessions')).json().items;
    expect(mine).toEqual({
      id: expect.any(String),
      current: true,
      createdAt: expect.any(String),
      lastAccessedAt: expect.any(String),
      expiresAt: expect.any(String),
      browser: { name: 'Chrome', version: '140.0.0.0' },
      platform: 'desktop',
      os: { name: 'Windows', version: '10' },
      locale: 'en',
      userAgent: expect.stringContaining('Chrome/140'),
    });
    await sql`insert into session (brand, uid, id_hash, account_id, payload, user_agent, address, locale, created_at, expires_at)
      select brand, 'copy-' || n, 'copy-' || n, account_id, payload, user_agent, address, locale,
        now() + (n / 2) * interval '1 second', expires_at
      from session, generate_series(1, 45) as n where uid = ${mine.id}`.execute(world.db);

    const pages = await pagesOf(agent, '/api/sessions');
    expect(pages.map((page) => page.length)).toEqual([21, 20, 5]);
    const ids = pages.flat().map(({ id }) => id);
    expect(ids[0]).toBe(mine.id);
    expect(new Set(ids).size).toBe(46);
    const times = pages
      .flat()
      .slice(1)
      .map(({ createdAt }) => Date.parse(createdAt));
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  test('authorizations: the newest first, twenty to a page', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    const [first] = await approvalsOf(agent, app);
    await sql`insert into authorization_grant (brand, id, account_id, client_id, scope, payload, user_agent, address, locale, created_at, expires_at)
      select brand, 'copy-' || n, account_id, client_id, scope, payload, user_agent, address, locale,
        now() + (n / 2) * interval '1 second', expires_at
      from authorization_grant, generate_series(1, 44) as n where id = ${first?.id}`.execute(world.db);

    const pages = await pagesOf(agent, '/api/authorizations');
    expect(pages.map((page) => page.length)).toEqual([20, 20, 5]);
    const ids = pages.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(45);
    expect(ids.at(-1)).toBe(first?.id);
  });

  const pagesOf = async (agent: UserAgent, path: string) => {
    const pages: { id: string; createdAt: string }[][] = [];
    for (let after = ''; pages.length < 10; ) {
      const { items, next } = (await agent.get(`${path}${after}`)).json();
      pages.push(items);
      if (!next) break;
      after = `?after=${encodeURIComponent(next)}`;
    }
    return pages;
  };

  test.each(['/api/sessions', '/api/authorizations'])(
    '%s refuses a cursor that it did not write',
    async (path) => {
      const { agent } = await world.signUp();
      const times = [
        '2026-99-99 00:00:00+00',
        '2026-02-30 00:00:00+00',
        '0000-01-01 00:00:00+00',
        '2026-01-01 24:00:00+00',
        '2026-01-01 00:00:00+99',
      ];
      const forged = times.map((time) => Buffer.from(JSON.stringify([time, 'a'])).toString('base64url'));
      const cursors = ['x', '..', 'WzEsMl0', 'bnVsbA', "' or 1=1 --", ...forged];
      for (const cursor of cursors) {
        const refused = await agent.get(`${path}?after=${encodeURIComponent(cursor)}`);
        expect([cursor, ...refusal(refused)]).toEqual([cursor, 400, 'invalid_request']);
        expect(refused.json().error.fields).toEqual({ after: 'invalid_request' });
      }
    },
  );

  test('an id of another account is not found, exactly like an unknown id', async () => {
    const { agent: victim } = await world.signUp();
    const app = await world.registerApp();
    const { tokens } = await world.link(victim, app.rp);
    const [approval] = await approvalsOf(victim, app);
    const [session] = (await victim.get('/api/sessions')).json().items;

    const { agent } = await world.signUp();
    const pairs = [
      [`/api/authorizations/${approval?.id}`, `/api/authorizations/${'r'.repeat(approval?.id.length ?? 0)}`],
      [`/api/sessions/${session.id}`, `/api/sessions/${'r'.repeat(session.id.length)}`],
    ];
    for (const [theirs = '', nobodys = ''] of pairs) {
      const [one, two] = [await agent.delete(theirs), await agent.delete(nobodys)];
      const bodies = [one, two].map((refused) => ({ ...refused.json().error, requestId: '' }));
      expect(one.status).toBe(404);
      expect(two.status).toBe(404);
      expect(bodies[0]).toEqual(bodies[1]);
    }
    expect(await isActive(app, tokens.access_token)).toBe(true);
    expect((await victim.get('/api/account')).status).toBe(200);
    expect(await approvalsOf(agent)).toEqual([]);
  });
});

const windows11 = {
  'sec-ch-ua': '"Google Chrome";v="140", "Not=A?Brand";v="24", "Chromium";v="140"',
  'sec-ch-ua-full-version-list':
    '"Google Chrome";v="140.0.7339.81", "Not=A?Brand";v="24.0.0.0", "Chromium";v="140.0.7339.81"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'sec-ch-ua-platform-version': '"15.0.0"',
};

/** A browser that sends these headers with every request. */
const sending = (headers: Record<string, string>): UserAgent => world.browser({ headers });

const signUpFrom = async (headers: Record<string, string>) => {
  const { agent } = await world.signUp(undefined, sending(headers));
  const [session] = (await agent.get('/api/sessions')).json().items;
  return { agent, session };
};

describe('client hints of browsers', () => {
  test('are requested by every page', async () => {
    const { answer } = await world.browser().navigate('/login');
    expect(answer?.headers['accept-ch']).toBe('Sec-CH-UA-Full-Version-List, Sec-CH-UA-Platform-Version');
  });

  test('are shown with the session and with its authorizations', async () => {
    const { agent, session } = await signUpFrom(windows11);
    const told = {
      browser: { name: 'Chrome', version: '140.0.7339.81' },
      platform: 'desktop',
      os: { name: 'Windows', version: '11' },
    };
    expect(session).toMatchObject(told);
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    expect((await approvalsOf(agent, app))[0]).toMatchObject(told);
  });

  test('are removed when the browser sends none any more', async () => {
    const headers: Record<string, string> = { ...windows11 };
    const { agent } = await signUpFrom(headers);
    for (const name of Object.keys(headers)) delete headers[name];
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    expect((await agent.get('/api/sessions')).json().items[0].os).toEqual({ name: 'Windows', version: '10' });
  });

  test.each([
    ['markup', { 'sec-ch-ua-platform': '"<script>alert(1)</script>"', 'sec-ch-ua-platform-version': '"13"' }],
    ['SQL', { 'sec-ch-ua-platform': `"'; drop table session --"`, 'sec-ch-ua': `"' or 1=1";v="1"` }],
    ['names of prototypes', { 'sec-ch-ua': '"__proto__";v="1", "constructor";v="2"' }],
    ['nonsense', { 'sec-ch-ua': ';;;,,,"', 'sec-ch-ua-platform': '\\', 'sec-ch-ua-mobile': '?2' }],
    ['far too much', { 'sec-ch-ua': Array(300).fill('"Google Chrome";v="1"').join(', ') }],
  ])('%s in them signs in like anybody, and is not believed', async (_, headers) => {
    const { session } = await signUpFrom(headers);
    expect(session).toMatchObject({
      browser: { name: 'Chrome', version: '140.0.0.0' },
      platform: 'desktop',
      os: { name: 'Windows', version: '10' },
    });
    const { client_hints } = await world.db
      .selectFrom('session')
      .select('client_hints')
      .where('uid', '=', session.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(client_hints).length).toBeLessThan(1_500);
  });
});
