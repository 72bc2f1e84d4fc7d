import { testDatabaseUrl } from '@candela/server/testing/databases';
import { createRegistrations } from '@candela/server/testing/registrations';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Cluster, createTokenRequests, startCluster } from '../support/cluster.ts';
import {
  isInstalled,
  type ProxyProcess,
  startPgbouncer,
  throughPgbouncer,
} from '../support/proxy-process.ts';
import { freePort } from '../support/world.ts';
import { inParallel, skipped } from './rounds.ts';

const isMissing = !isInstalled('pgbouncer');
const title = `behind PgBouncer in transaction mode${skipped || (isMissing ? ' (skipped: there is no pgbouncer)' : '')}`;

describe.skipIf(!testDatabaseUrl || isMissing)(title, () => {
  const server = testDatabaseUrl ?? '';
  let port: number;
  let pooler: ProxyProcess;
  let cluster: Cluster;
  beforeAll(async () => {
    port = await freePort();
    pooler = await startPgbouncer(port, server);
    // The start migrates, past the pooler.
    cluster = await startCluster({
      databaseUrl: server,
      processes: 2,
      pooled: (databaseUrl) => throughPgbouncer(databaseUrl, port),
      env: { DATABASE_PREPARED: 'off', LOG_LEVEL: 'warn' },
    });
  });
  afterAll(async () => {
    await cluster?.close();
    await pooler?.stop();
  });

  test('people sign up, homes link and refresh, and a disabled client is refused everywhere within a second', async () => {
    const app = await cluster.registerApp();
    const requests = createTokenRequests(cluster, app);
    const links = await inParallel(async () => {
      const { agent } = await cluster.signUp();
      const { tokens } = await cluster.link(agent, app.rp);
      const refreshed = await requests.refresh(tokens.refresh_token ?? '');
      expect(refreshed.status).toBe(200);
      return refreshed.json() as { access_token: string; refresh_token: string };
    }, 6);
    for (const { access_token } of links) expect(await requests.isActive(access_token)).toBe(true);

    const clients = createRegistrations(cluster.db, { secretKeys: [cluster.env.SECRET_KEY] });
    await clients.setDisabled(app.clientId, true);
    const statuses = async () =>
      Promise.all(
        cluster.processes.map(
          async ({ port: at }) => (await requests.refresh(links[0]?.refresh_token ?? '', at)).status,
        ),
      );
    await vi.waitFor(async () => expect(await statuses()).toEqual([401, 401]), {
      timeout: 1_000,
      interval: 20,
    });
    expect(cluster.faults()).toEqual([]);
  });

  test('a pooler that ends is 503 with Retry-After, and once it is back everything goes on', async () => {
    const app = await cluster.registerApp();
    const requests = createTokenRequests(cluster, app);
    const { agent } = await cluster.signUp();
    const { tokens } = await cluster.link(agent, app.rp);
    const refresh = () => requests.refresh(tokens.refresh_token ?? '');
    await pooler.stop();
    for (const answer of [await refresh(), await agent.get('/api/account')])
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    pooler = await startPgbouncer(port, server);
    await vi.waitFor(async () => expect((await refresh()).status).toBe(200), {
      timeout: 60_000,
      interval: 50,
    });
    expect((await agent.get('/api/account')).status).toBe(200);
  });
});
