import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, linkHomes, MEETINGS, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

const SOON_MS = 1_000;

describe.skipIf(!testDatabaseUrl)(`sessions at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  /** The response of each process to a browser with these cookies. */
  const everywhere = (cookie: string) =>
    Promise.all(
      cluster.ports.map(
        async (port) => (await cluster.browser().get('/api/account', { port, headers: { cookie } })).status,
      ),
    );
  const all = (status: number) => cluster.ports.map(() => status);
  const cookiesOf = (agent: UserAgent) => agent.jar.getCookieString(cluster.origin);

  test(
    'SE5: a session ended at one process has ended at all processes within a second, and links stay',
    async () => {
      const { agent, identifier } = await cluster.signUp();
      const hub = await cluster.registerApp();
      const [link = ''] = await linkHomes(cluster, { agent, app: hub }, 1);
      const endings: ((lost: UserAgent) => Promise<{ status: number }>)[] = [
        (lost) => lost.post('/api/sign-out'),
        async (lost) => {
          const { items } = (await lost.get('/api/sessions')).json();
          return agent.delete(`/api/sessions/${items[0].id}`);
        },
        () => agent.delete('/api/sessions?except=current'),
        (lost) => lost.delete('/api/sessions'),
      ];
      for (const end of endings) {
        const { agent: lost } = await cluster.signIn(identifier);
        const web = await cluster.registerApp({ grant_types: ['authorization_code'] });
        const { tokens } = await cluster.link(lost, web.rp);
        const cookie = await cookiesOf(lost);
        expect(await everywhere(cookie)).toEqual(all(200));
        expect((await end(lost)).status).toBe(204);
        const ended = performance.now();
        expect(await everywhere(cookie)).toEqual(all(401));
        expect(await createTokenRequests(cluster, web).isActive(tokens.access_token)).toBe(false);
        expect(performance.now() - ended).toBeLessThan(SOON_MS);
      }
      expect((await createTokenRequests(cluster, hub).refresh(link)).status).toBe(200);
    },
    RACE_TIMEOUT,
  );

  test(
    'ending all sessions beside withdrawing all approvals: both happen, without a deadlock',
    async () => {
      const { agent, identifier } = await cluster.signUp();
      const hub = await cluster.registerApp();
      const web = await cluster.registerApp({ grant_types: ['authorization_code'] });
      for (let round = 0; round < MEETINGS; round += 1) {
        const lost = await Promise.all(
          Array.from({ length: 4 }, async () => {
            const { agent: other } = await cluster.signIn(identifier);
            await cluster.link(other, web.rp);
            await linkHomes(cluster, { agent: other, app: hub }, 2);
            return other;
          }),
        );
        const answers = await Promise.all([
          agent.delete('/api/sessions?except=current'),
          ...lost.map((other) => other.post('/api/sign-out')),
          agent.delete('/api/authorizations'),
          agent.delete('/api/authorizations'),
        ]);
        for (const { status, body } of answers) expect([204, 401, 404], body).toContain(status);
        expect((await agent.get('/api/authorizations')).json().items).toEqual([]);
        expect((await agent.get('/api/sessions')).json().items).toHaveLength(1);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a session ended by many requests at once ends once, and no other session ends',
    async () => {
      const { agent, identifier } = await cluster.signUp();
      for (let round = 0; round < ROUNDS; round += 1) {
        const { agent: lost } = await cluster.signIn(identifier);
        const { items } = (await lost.get('/api/sessions')).json();
        const answers = await inParallel(() => agent.delete(`/api/sessions/${items[0].id}`));
        expect(tally(answers.map(({ status }) => status))).toEqual({ 204: 1, 404: PARALLEL - 1 });
        expect(await everywhere(await cookiesOf(lost))).toEqual(all(401));
        expect(await everywhere(await cookiesOf(agent))).toEqual(all(200));
      }
    },
    RACE_TIMEOUT,
  );
});
