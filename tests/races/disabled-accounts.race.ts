import { createAccountStatusService } from '@candela/server/account-status';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { recordEvents } from '@candela/server/testing/recorded-events';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { PASSWORD } from '../support/world.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, linkHomes, MEETINGS, PARALLEL, RACE_TIMEOUT, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`an account disabled at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  /** A sign-in by the right password, to its end; answers where the browser has arrived, or the status of a refusal. */
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

  test(
    'PL22: no sign-in and no token of that moment is good afterwards, and every link lives on',
    async () => {
      const statuses = createAccountStatusService({ db: cluster.db, events: recordEvents() });
      const app = await cluster.registerApp();
      const web = await cluster.registerApp({ grant_types: ['authorization_code'] });
      const [tokens, introspection] = [createTokenRequests(cluster, app), createTokenRequests(cluster, web)];
      for (let round = 0; round < MEETINGS; round += 1) {
        const { agent, identifier } = await cluster.signUp();
        const { id } = (await agent.get('/api/account')).json();
        const links = await linkHomes(cluster, { agent, app }, 3);
        const bound: string[] = [];
        const agents = [agent];
        const answers = await inParallel(async (index) => {
          if (index === (round * 7) % PARALLEL) {
            await statuses.disable(identifier, { reason: 'raced', endLinks: false });
            return 'disabled';
          }
          if (index % 12 === 5) {
            const signed = await signIn(identifier);
            agents.push(signed.agent);
            return `sign-in ${signed.status}`;
          }
          if (index % 12 === 7) {
            await cluster.link(agent, web.rp).then(
              (made) => bound.push(made.tokens.access_token),
              () => undefined,
            );
            return 'linked';
          }
          const { status, json } = await tokens.refresh(links[index % links.length] ?? '');
          if (status === 200) return json();
          return `refresh ${status}`;
        });
        const said = tally(answers.filter((answer) => typeof answer === 'string'));
        const expected = ['disabled', 'linked', 'sign-in 200', 'sign-in 403', 'sign-in 410', 'refresh 503'];
        expect(Object.keys(said).filter((each) => !expected.includes(each))).toEqual([]);

        const issued = answers.filter((answer) => typeof answer === 'object');
        for (const one of agents)
          expect((await inParallel(() => one.get('/api/account'), 4)).map(({ status }) => status)).toEqual(
            Array(4).fill(401),
          );
        for (const { access_token: token } of issued) expect(await tokens.isActive(token)).toBe(false);
        for (const token of bound) expect(await introspection.isActive(token)).toBe(false);
        expect(
          (await inParallel(() => tokens.refresh(links[0] ?? ''), 4)).map(({ status }) => status),
        ).toEqual(Array(4).fill(503));
        const sessions = await cluster.db
          .selectFrom('session')
          .select('uid')
          .where('account_id', '=', id)
          .execute();
        expect(sessions).toEqual([]);

        await statuses.enable(id);
        for (const link of links) expect((await tokens.refresh(link)).status).toBe(200);
        for (const token of bound) expect(await introspection.isActive(token)).toBe(false);
      }
    },
    RACE_TIMEOUT,
  );
});
