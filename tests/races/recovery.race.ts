import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import { fourProcesses } from './four-processes.ts';
import {
  inParallel,
  linkHomes,
  MEETINGS,
  outcomeOf,
  PARALLEL,
  RACE_TIMEOUT,
  ROUNDS,
  skipped,
  tally,
} from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`codes and new passwords at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  const proveRecovery = async (agent: UserAgent, identifier: string): Promise<string> => {
    const code = await cluster.receiveCode(agent, identifier, 'recover');
    const answer = await agent.post('/api/recovery/verify', { identifier, code });
    expect(answer.status, answer.body).toBe(200);
    return answer.json().ticket;
  };
  const begin = async (agent = cluster.browser()) => {
    const { url } = await agent.navigate('/login');
    return { agent, uid: cluster.interactionOf(url) };
  };
  const countSessions = async (accountId: string) =>
    (await cluster.db.selectFrom('session').select('uid').where('account_id', '=', accountId).execute())
      .length;

  /** Accounts without an identifier. */
  const orphans = () =>
    cluster.db
      .selectFrom('account')
      .leftJoin('account_identifier', 'account_identifier.account_id', 'account.id')
      .select('account.id')
      .where('account_identifier.value', 'is', null)
      .execute();

  test(
    'R1: a right code used in parallel is used once',
    async () => {
      const { identifier } = await cluster.signUp();
      for (let round = 0; round < ROUNDS; round += 1) {
        const agent = cluster.browser();
        const code = await cluster.receiveCode(agent, identifier, 'recover');
        const answers = await inParallel(() => agent.post('/api/recovery/verify', { identifier, code }));
        expect(tally(answers.map(outcomeOf))).toEqual({ 200: 1, code_expired: PARALLEL - 1 });
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'R2: a phone number registered in parallel and in several spellings makes one account',
    async () => {
      const before = await orphans();
      for (let round = 0; round < ROUNDS; round += 1) {
        const number = `139${(10_000_000 + round).toString()}`;
        const spellings = [`+86${number}`, `+86 ${number}`, `+86-${number}`, `+86 (${number})`];
        const people = await Promise.all(
          spellings.map(async (identifier) => ({ identifier, ...(await begin()) })),
        );
        for (const person of people) {
          const { agent, identifier } = person;
          const code = await cluster.receiveCode(agent, identifier, 'register', `+86${number}`);
          const body = { identifier, code, purpose: 'register' };
          const proven = await agent.post(`/interaction/${person.uid}/verify`, body);
          Object.assign(person, { ticket: proven.json().ticket });
        }
        const { agreements } = await cluster.details(
          people[0]?.agent ?? cluster.browser(),
          people[0]?.uid ?? '',
        );
        const accepted = agreements.map(({ id, version }: { id: string; version: string }) => ({
          id,
          version,
        }));
        const answers = await Promise.all(
          people.flatMap(({ agent, uid, ...body }) =>
            Array.from({ length: 3 }, () =>
              agent.post(`/interaction/${uid}/register`, {
                ...body,
                password: PASSWORD,
                agreements: accepted,
              }),
            ),
          ),
        );
        const outcomes = tally(answers.map(outcomeOf));
        expect(outcomes[200]).toBe(1);
        expect(
          Object.keys(outcomes).filter(
            (code) => !['200', 'identifier_taken', 'ticket_invalid', 'interaction_expired'].includes(code),
          ),
        ).toEqual([]);
        const owners = await cluster.db
          .selectFrom('account_identifier')
          .select('account_id')
          .where('value', '=', `+86${number}`)
          .execute();
        expect(owners).toHaveLength(1);
      }
      expect(await orphans()).toEqual(before);
    },
    RACE_TIMEOUT,
  );

  test(
    'R8: a sign-in with the old password beside a password change leaves no session',
    async () => {
      const { identifier } = await cluster.signUp();
      const { account_id: accountId } = await cluster.db
        .selectFrom('account_identifier')
        .select('account_id')
        .where('value', '=', identifier)
        .executeTakeFirstOrThrow();
      let password = PASSWORD;
      const seen: (string | number)[] = [];
      for (let round = 0; round < MEETINGS; round += 1) {
        const changer = cluster.browser();
        const ticket = await proveRecovery(changer, identifier);
        const browsers = await inParallel(() => begin(), 12);
        // Half of the sign-ins have an answer already and are about to resume.
        const early = await Promise.all(
          browsers.slice(0, 6).map(async ({ agent, uid }) => {
            const answer = await agent.post(`/interaction/${uid}/login`, { identifier, password });
            return { agent, returnTo: answer.json().returnTo as string };
          }),
        );
        const next = `starlight${round}x`;
        const change = changer.post('/api/recovery/password', { ticket, password: next });
        const resumed = early.map(async ({ agent, returnTo }, index) => {
          await new Promise((resolve) => setTimeout(resolve, index * 8));
          return (await agent.navigate(returnTo)).url.pathname;
        });
        const late = browsers.slice(6).map(async ({ agent, uid }) => {
          const answer = await agent.post(`/interaction/${uid}/login`, { identifier, password });
          if (answer.status >= 400) return outcomeOf(answer);
          return (await agent.navigate(answer.json().returnTo)).url.pathname;
        });
        expect((await change).status).toBe(204);
        seen.push(...(await Promise.all(resumed)), ...(await Promise.all(late)));
        expect(await countSessions(accountId)).toBe(0);
        for (const { agent } of browsers) expect((await agent.get('/api/account')).status).toBe(401);
        password = next;
        await cluster.db.deleteFrom('rate_limit').where('key', 'like', 'password.%').execute();
      }
      const known = ['/index', '/login', '/middle', '/error', 'invalid_credentials'];
      expect(seen.filter((outcome) => !known.includes(`${outcome}`))).toEqual([]);
      const { agent, uid } = await begin();
      await cluster.login(agent, uid, identifier, password);
      expect((await agent.get('/api/account')).status).toBe(200);
    },
    RACE_TIMEOUT,
  );

  test(
    'R7: links refreshed or made beside a new password that withdraws all do not survive',
    async () => {
      const { identifier } = await cluster.signUp();
      const app = await cluster.registerApp();
      const tokens = createTokenRequests(cluster, app);
      let password = PASSWORD;
      for (let round = 0; round < MEETINGS; round += 1) {
        const { agent, uid } = await begin();
        await cluster.login(agent, uid, identifier, password);
        const links = await linkHomes(cluster, { agent, app }, 3);
        const requests = await inParallel(() => app.rp.authorizationUrl(), 10);
        const cookie = await agent.jar.getCookieString(cluster.origin);
        const changer = cluster.browser();
        const ticket = await proveRecovery(changer, identifier);
        password = `starlight${round}y`;
        const answers = await inParallel(async (index) => {
          if (index === (round * 7) % 40)
            return changer.post('/api/recovery/password', { ticket, password, withdrawAuthorizations: true });
          if (index === (round * 7 + 11) % 40) return agent.delete('/api/authorizations');
          if (index % 4 === 3) {
            const url = String(requests[index >> 2]?.url);
            return cluster.browser().get(url, { headers: { cookie } });
          }
          return tokens.refresh(links[index % links.length] ?? '');
        }, 40);
        const statuses = tally(answers.map(({ status }) => status));
        const expected = ['200', '204', '303', '400', '401', '410'];
        expect(Object.keys(statuses).filter((status) => !expected.includes(status))).toEqual([]);
        for (const table of [
          'authorization_grant',
          'refresh_token',
          'access_token',
          'authorization_code',
        ] as const) {
          const rows = cluster.db.selectFrom(table).select('brand').where('client_id', '=', app.clientId);
          expect(await rows.execute(), table).toEqual([]);
        }
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'R10: five of many parallel wrong tries are compared',
    async () => {
      const { identifier } = await cluster.signUp();
      for (let round = 0; round < ROUNDS; round += 1) {
        const agent = cluster.browser();
        const code = await cluster.receiveCode(agent, identifier, 'recover');
        const wrong = code === '000000' ? '000001' : '000000';
        const verify = (tried: string) => agent.post('/api/recovery/verify', { identifier, code: tried });
        const answers = await inParallel(() => verify(wrong));
        expect(tally(answers.map(outcomeOf))).toEqual({ code_incorrect: 5, code_exhausted: PARALLEL - 5 });
        expect(outcomeOf(await verify(code))).toBe('code_exhausted');
      }
    },
    RACE_TIMEOUT,
  );
});
