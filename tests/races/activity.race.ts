import { testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, RACE_TIMEOUT, ROUNDS, skipped } from './rounds.ts';

/** Tries of one person from one place before a code is asked for. */
const TRIES = 8;

describe.skipIf(!testDatabaseUrl)(`activity at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  const begin = async (agent: UserAgent) => cluster.interactionOf((await agent.navigate('/login')).url);
  const idOf = async (agent: UserAgent): Promise<string> => (await agent.get('/api/account')).json().id;

  test(
    'AC4: parallel refusals of a browser are one row with their count',
    async () => {
      const people = await inParallel(() => cluster.signUp(), ROUNDS);
      const { rows: before } = await sql<{
        hour: string;
      }>`select date_trunc('hour', now())::text as hour`.execute(cluster.db);
      for (const { identifier } of people)
        await inParallel(async () => {
          const agent = cluster.browser();
          const uid = await begin(agent);
          await agent.post(`/interaction/${uid}/login`, { identifier, password: 'wrong-password-1' });
        }, TRIES);
      for (const { agent } of people) {
        const refused = () =>
          cluster.db
            .selectFrom('activity')
            .innerJoin('activity_count', 'activity_id', 'id')
            .select('count')
            .where('account_id', '=', sql<string>`${id}`)
            .where('kind', '=', 'sign_in_refused')
            .execute();
        const id = await idOf(agent);
        await expect
          .poll(async () => (await refused()).reduce((sum, { count }) => sum + count, 0), { timeout: 60_000 })
          .toBe(TRIES);
        const { rows: now } = await sql<{
          hour: string;
        }>`select date_trunc('hour', now())::text as hour`.execute(cluster.db);
        expect((await refused()).length).toBeLessThanOrEqual(now[0]?.hour === before[0]?.hour ? 1 : 2);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'AC8: one notice tells of parallel sign-ins in one browser never seen',
    async () => {
      const accounts: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const { agent, identifier } = await cluster.signUp();
        const first = cluster.browser();
        // The browser gets its id before anybody is signed in.
        await first.post('/api/codes', { identifier, purpose: 'login' });
        const device = (await first.jar.getCookies(cluster.origin)).filter(({ key }) =>
          key.includes('device'),
        );
        expect(device.length).toBeGreaterThan(0);
        const sameBrowser = await inParallel(async () => {
          const tab = cluster.browser();
          for (const cookie of device) await tab.jar.setCookie(cookie.toString(), cluster.origin);
          return { tab, uid: await begin(tab) };
        }, TRIES);
        await Promise.all(sameBrowser.map(({ tab, uid }) => cluster.login(tab, uid, identifier)));
        accounts.push(await idOf(agent));
      }
      const ofAccounts = () =>
        cluster.db.selectFrom('sign_in_notice').select('account_id').where('account_id', 'in', accounts);
      const undecided = async () => (await ofAccounts().where('decided_at', 'is', null).execute()).length;
      await expect.poll(undecided, { timeout: 60_000 }).toBe(0);
      const sent = await ofAccounts().where('sent', '=', true).execute();
      expect(sent.map(({ account_id }) => account_id).toSorted()).toEqual(accounts.toSorted());
    },
    RACE_TIMEOUT,
  );
});
