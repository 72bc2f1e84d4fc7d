import { createLeavingService } from '@candela/server/leaving';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { recordEvents } from '@candela/server/testing/recorded-events';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { PASSWORD } from '../support/world.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, linkHomes, MEETINGS, PARALLEL, RACE_TIMEOUT, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`an account that leaves at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  const messages = { add: async () => ({ start: async () => undefined }) };
  const leavings = () =>
    createLeavingService({
      db: cluster.db,
      brands: [],
      events: recordEvents(),
      messages,
      keyOf: (text) => text,
      now: () => new Date(),
    });

  /** A sign-in by the right password, to its end; answers the browser, and the status of the answer. */
  const signIn = async (identifier: string) => {
    const agent = cluster.browser();
    const { url } = await agent.navigate('/login');
    const answer = await agent.post(`/interaction/${cluster.interactionOf(url)}/login`, {
      identifier,
      password: PASSWORD,
    });
    if (answer.status === 200) await agent.navigate(answer.json().returnTo);
    return { agent, status: answer.status };
  };

  const passGrace = (id: string) =>
    sql`update account set leaving_at = now() - interval '1 second' where id = ${id}`.execute(cluster.db);

  /** The rows that name an account, in the tables of accounts, sessions, grants and tokens. */
  const rowsOf = async (id: string): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select (
      (select count(*) from account where id = ${id}) + (select count(*) from session where account_id = ${id})
      + (select count(*) from authorization_grant where account_id = ${id})
      + (select count(*) from refresh_token where account_id = ${id})
      + (select count(*) from access_token where account_id = ${id})
      + (select count(*) from activity where account_id = ${id}))::int as count`.execute(cluster.db);
    return rows[0]?.count ?? -1;
  };

  test(
    'LV6: against sign-ins and refreshes, leaving lets nothing through, and deletion leaves no row behind',
    async () => {
      const app = await cluster.registerApp();
      const tokens = createTokenRequests(cluster, app);
      for (let round = 0; round < MEETINGS; round += 1) {
        const { agent, identifier } = await cluster.signUp();
        const { id } = (await agent.get('/api/account')).json();
        const links = await linkHomes(cluster, { agent, app }, 3);
        const refresh = async (index: number) => tokens.refresh(links[index % links.length] ?? '');

        const left = await inParallel(async (index) => {
          if (index === (round * 7) % PARALLEL) return `left ${(await agent.delete('/api/account')).status}`;
          if (index % 12 === 5) return `sign-in ${(await signIn(identifier)).status}`;
          const { status, json } = await refresh(index);
          return status === 200 ? { token: String(json().access_token) } : `refresh ${status}`;
        });
        const said = tally(left.filter((answer) => typeof answer === 'string'));
        const expected = ['left 200', 'sign-in 200', 'sign-in 410', 'refresh 503'];
        expect(Object.keys(said).filter((each) => !expected.includes(each))).toEqual([]);
        expect(said['left 200']).toBe(1);
        for (const answer of left)
          if (typeof answer === 'object') expect(await tokens.isActive(answer.token)).toBe(false);
        expect((await refresh(0)).status).toBe(503);

        await passGrace(id);
        const ended = await inParallel(async (index) => {
          if (index % 16 === 3) return `deleted ${await leavings().carryOut()}`;
          if (index % 12 === 5) return `sign-in ${(await signIn(identifier)).status}`;
          return `refresh ${(await refresh(index)).status}`;
        });
        const ends = [
          'deleted 0',
          'deleted 1',
          'sign-in 200',
          'sign-in 401',
          'sign-in 404',
          'sign-in 410',
          'refresh 503',
          'refresh 400',
        ];
        expect(Object.keys(tally(ended)).filter((each) => !ends.includes(each))).toEqual([]);
        await leavings().carryOut();
        expect(await rowsOf(id)).toBe(0);
        expect((await refresh(0)).status).toBe(400);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'LV6: an account is kept or deleted when its time comes, and never both',
    async () => {
      for (let round = 0; round < MEETINGS; round += 1) {
        const { agent, identifier } = await cluster.signUp();
        const { id } = (await agent.get('/api/account')).json();
        await agent.delete('/api/account');
        const back = (await signIn(identifier)).agent;
        await passGrace(id);
        const answers = await inParallel(async (index) =>
          index % 2 === 0
            ? `kept ${(await back.post('/api/account/keep')).status}`
            : `deleted ${await leavings().carryOut()}`,
        );
        const said = tally(answers);
        const isGone = (await rowsOf(id)) === 0;
        // The processes delete in the background too.
        expect(said['deleted 1'] ?? 0).toBeLessThanOrEqual(isGone ? 1 : 0);
        const expected = isGone ? ['kept 401', 'deleted 0', 'deleted 1'] : ['kept 204', 'deleted 0'];
        expect(Object.keys(said).filter((each) => !expected.includes(each))).toEqual([]);
      }
    },
    RACE_TIMEOUT,
  );
});
