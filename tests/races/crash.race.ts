import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import type { Answer } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { linkHomes, RACE_TIMEOUT, skipped } from './rounds.ts';

const HOMES = 12;
const REFRESHES = process.env.FULL ? 200 : 10;

describe.skipIf(!testDatabaseUrl)(`a process that crashes among four${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  test(
    'no link is lost: an app without a response presents the same token again',
    async () => {
      const { agent } = await cluster.signUp();
      const app = await cluster.registerApp();
      const tokens = createTokenRequests(cluster, app);
      const links = await linkHomes(cluster, { agent, app }, HOMES);
      let refreshed = 0;
      let broken = 0;

      /** Repeats until some process responds; only the crash may interrupt. */
      const refresh = async (token: string): Promise<Answer> => {
        for (;;) {
          try {
            return await tokens.refresh(token);
          } catch {
            broken += 1;
          }
        }
      };
      const keepHome = async (first: string): Promise<string> => {
        let token = first;
        for (let turn = 0; turn < REFRESHES; turn += 1) {
          const answer = await refresh(token);
          expect(answer.status, answer.body).toBe(200);
          token = answer.json().refresh_token;
          refreshed += 1;
          if (refreshed === Math.floor((HOMES * REFRESHES) / 3)) await cluster.processes[2]?.kill();
        }
        return token;
      };

      const last = await Promise.all(links.map(keepHome));
      expect(broken).toBeGreaterThan(0);
      for (const token of last) {
        const answer = await refresh(token);
        expect(answer.status, answer.body).toBe(200);
      }
      const grants = cluster.db.selectFrom('authorization_grant').select('id');
      expect(await grants.where('client_id', '=', app.clientId).execute()).toHaveLength(HOMES);
      await cluster.restart(2);
    },
    RACE_TIMEOUT,
  );
});
