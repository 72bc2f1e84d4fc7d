import { testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { untilLockWaits } from '../support/waiting-for-lock.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { type RegisteredApp, start } from './authorization.ts';

/** In seconds since the epoch. */
const LONG_AGO = Math.floor(Date.now() / 1000) - 3600;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Ends the requests in this order, each as it read the session before any of them wrote it. */
const endInOrder = async (requests: readonly (() => Promise<Answer>)[]): Promise<Answer[]> => {
  const { asked } = await world.db.transaction().execute(async (trx) => {
    await trx.selectFrom('session').select('uid').forNoKeyUpdate().execute();
    const sent: Promise<Answer>[] = [];
    for (const request of requests) {
      sent.push(request());
      await untilLockWaits(world.db, sent.length);
    }
    return { asked: sent };
  });
  return Promise.all(asked);
};

const codeIn = ({ status, headers }: Answer): string => {
  expect(status).toBe(303);
  return new URL(String(headers.location)).searchParams.get('code') ?? String(headers.location);
};

describe.skipIf(!testDatabaseUrl)('requests of one browser that meet at its session', () => {
  const isSignedIn = async (agent: UserAgent) => (await agent.get('/api/account')).status === 200;
  const cookiesOf = (agent: UserAgent) => agent.jar.getCookieString(world.origin);
  const worksWith = async (cookie: string) =>
    (await world.browser().get('/api/account', { headers: { cookie } })).status === 200;

  /** A browser in which two apps were allowed, and whose last use is long enough ago that each use is written. */
  const usedBefore = async () => {
    const { agent, identifier } = await world.signUp();
    const apps = await Promise.all([world.registerApp(), world.registerApp()]);
    for (const { rp } of apps) await world.link(agent, rp);
    await world.db
      .updateTable('session')
      .set({
        last_accessed_at: new Date(LONG_AGO * 1000),
        payload: sql`payload || jsonb_build_object('loginTs', ${sql.lit(LONG_AGO)})`,
      })
      .execute();
    return { agent, identifier, apps: apps as [RegisteredApp, RegisteredApp] };
  };

  /** Signs in for the app once more; `resume` sends the request that takes the sign-in up. */
  const signInAgain = async (agent: UserAgent, identifier: string, app: RegisteredApp) => {
    const { uid } = await start(world, { agent, app, parameters: { prompt: 'login' } });
    const signedIn = await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    expect(signedIn.status, signedIn.body).toBe(200);
    return { resume: () => agent.get(signedIn.json().returnTo) };
  };

  test('SE1: a silent sign-on that ends after a sign-in brings back neither its cookie nor its time', async () => {
    const { agent, identifier, apps } = await usedBefore();
    const [first, second] = apps;
    const { resume } = await signInAgain(agent, identifier, first);
    const old = await cookiesOf(agent);
    const { url } = await second.rp.authorizationUrl();
    for (const answer of await endInOrder([resume, () => agent.get(url.href)]))
      expect(codeIn(answer)).toMatch(/^[\w-]{43}$/);
    expect([await isSignedIn(agent), await worksWith(old)]).toEqual([true, false]);
    const { id } = (await agent.get('/api/account')).json();
    const rows = await world.db
      .selectFrom('session')
      .select('payload')
      .where('account_id', '=', id)
      .execute();
    expect(rows.map(({ payload }) => Number(payload.loginTs) > LONG_AGO)).toEqual([true]);
  });

  test('SE1: a sign-in that ends after a silent sign-on gives the cookie', async () => {
    const { agent, identifier, apps } = await usedBefore();
    const [first, second] = apps;
    const { resume } = await signInAgain(agent, identifier, first);
    const old = await cookiesOf(agent);
    const { url } = await second.rp.authorizationUrl();
    for (const answer of await endInOrder([() => agent.get(url.href), resume]))
      expect(codeIn(answer)).toMatch(/^[\w-]{43}$/);
    expect([await isSignedIn(agent), await worksWith(old)]).toEqual([true, false]);
  });

  test('of two sign-ins that end at once the later one gives the cookie, since a browser may leave the first', async () => {
    const { agent, identifier, apps } = await usedBefore();
    const [first, second] = apps;
    const one = await signInAgain(agent, identifier, first);
    const other = await signInAgain(agent, identifier, second);
    const old = await cookiesOf(agent);
    const answers = await endInOrder([one.resume, other.resume]);
    for (const answer of answers) expect(codeIn(answer)).toMatch(/^[\w-]{43}$/);
    // Both are under way at once, and either may arrive first.
    const given = answers.map(({ headers }) =>
      [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';', 1)[0]),
    );
    for (const cookies of given) expect(cookies.join()).toContain('_session=');
    const works = await Promise.all([old, ...given.map((cookies) => cookies.join('; '))].map(worksWith));
    expect(works).toEqual([false, false, true]);
  });

  test('a use within the minute sets no cookie that could come after one of a sign-in', async () => {
    const { agent, apps } = await usedBefore();
    const urls = await Promise.all([1, 2].map(async () => (await apps[0].rp.authorizationUrl()).url.href));
    const sets: boolean[] = [];
    for (const url of urls)
      sets.push(String((await agent.get(url)).headers['set-cookie'] ?? '').includes('_session='));
    expect(sets).toEqual([true, false]);
  });
});
