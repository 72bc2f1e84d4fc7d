import { testDatabaseUrl } from '@candela/server/testing/databases';
import { createRegistrations } from '@candela/server/testing/registrations';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, linkHomes, MEETINGS, PARALLEL, RACE_TIMEOUT, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`a client disabled at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  const countOf = async (table: 'authorization_grant' | 'access_token' | 'refresh_token', clientId: string) =>
    (await cluster.db.selectFrom(table).select('brand').where('client_id', '=', clientId).execute()).length;

  test(
    'codes and tokens under way are invalid a second later, and stay invalid',
    async () => {
      const clients = createRegistrations(cluster.db, { secretKeys: [cluster.env.SECRET_KEY] });
      const { agent } = await cluster.signUp();
      for (let round = 0; round < MEETINGS; round += 1) {
        const app = await cluster.registerApp();
        const tokens = createTokenRequests(cluster, app);
        const links = await linkHomes(cluster, { agent, app }, 3);
        const answers = await inParallel(async (index) => {
          if (index === (round * 7) % PARALLEL) {
            await clients.setDisabled(app.clientId, true);
            return 'disabled';
          }
          if (index === (round * 7 + 25) % PARALLEL)
            return (await agent.delete('/api/authorizations')).status;
          if (index % 10 === 9)
            return (await agent.navigate((await app.rp.authorizationUrl()).url)).url.origin;
          const { status, json } = await tokens.refresh(links[index % links.length] ?? '');
          return status === 200 ? json() : status;
        });
        const statuses = tally(answers.filter((answer) => typeof answer === 'number'));
        expect(Object.keys(statuses).filter((status) => !['204', '400', '401'].includes(status))).toEqual([]);

        const issued = [...answers.filter((answer) => typeof answer === 'object')];
        const asked = Date.now();
        await expect
          .poll(
            async () => (await inParallel(() => tokens.refresh('anything'), 8)).map(({ status }) => status),
            {
              timeout: 1_000,
              interval: 50,
            },
          )
          .toEqual(Array(8).fill(401));
        expect(Date.now() - asked).toBeLessThan(1_000);
        for (const { access_token: accessToken } of issued) {
          const headers = { authorization: `Bearer ${accessToken}` };
          expect((await agent.get('/oauth/userinfo', { headers })).status).toBe(401);
        }
        expect((await agent.get('/api/authorizations')).json().items).toEqual([]);

        await clients.setDisabled(app.clientId, false);
        for (const table of ['authorization_grant', 'access_token', 'refresh_token'] as const)
          expect([table, await countOf(table, app.clientId)]).toEqual([table, 0]);
      }
    },
    RACE_TIMEOUT,
  );
});
