import { createServer, type Server } from 'node:http';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { createLogoutListener, readLogoutToken } from '../support/logout-listener.ts';
import { appHost, fourProcesses } from './four-processes.ts';
import { inParallel, RACE_TIMEOUT, ROUNDS, skipped } from './rounds.ts';

const SESSIONS = 6;
const SOON_MS = 1_500;

describe.skipIf(!testDatabaseUrl)(`back-channel logout from four processes${skipped}`, () => {
  const { listener, receivedAt, replyAt, untilReceived } = createLogoutListener();
  let server: Server;
  let cluster: Cluster;
  beforeAll(async () => {
    server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(appHost.port, appHost.address, resolve));
    cluster = await fourProcesses();
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  let paths = 0;
  /** An app, a person, and the person’s sessions with the app. */
  const useApp = async (count: number) => {
    paths += 1;
    const path = `/${paths}`;
    const app = await cluster.registerApp({
      backchannel_logout_uri: `http://${appHost.address}:${appHost.port}${path}`,
      backchannel_logout_session_required: true,
    });
    const { agent, identifier } = await cluster.signUp();
    const agents = [agent];
    while (agents.length < count) agents.push((await cluster.signIn(identifier)).agent);
    const sids: unknown[] = [];
    for (const one of agents) sids.push((await cluster.link(one, app.rp)).tokens.claims()?.sid);
    return { app, path, agents, sids: sids.toSorted() };
  };
  const sidsAt = async (path: string, clientId: string) => {
    const payloads = receivedAt(path).map((received) =>
      readLogoutToken(received, { issuer: cluster.origin, clientId }),
    );
    return (await Promise.all(payloads)).map(({ sid }) => sid).toSorted();
  };
  const untilSettled = () =>
    expect
      .poll(() => cluster.db.selectFrom('backchannel_logout').select('id').execute(), { timeout: 60_000 })
      .toEqual([]);

  test(
    'OA15: parallel endings of the same sessions send one logout for each session, soon',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { app, path, agents, sids } = await useApp(SESSIONS);
        const [first] = agents;
        const answers = await inParallel(
          async (index) =>
            index % 2 === 0
              ? agents[index % SESSIONS]?.post('/api/sign-out')
              : first?.delete('/api/sessions'),
          4 * SESSIONS,
        );
        for (const answer of answers) expect([204, 401, 404]).toContain(answer?.status);
        const ended = performance.now();
        const received = await untilReceived(path, SESSIONS);
        expect(Math.max(...received.map(({ at }) => at)) - ended).toBeLessThan(SOON_MS);
        await untilSettled();
        expect(await sidsAt(path, app.clientId)).toEqual(sids);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'OA15: another process sends the logouts of a crashed process',
    async () => {
      const { app, path, agents, sids } = await useApp(2);
      const silent = new Promise<void>((resolve) => replyAt(path, () => resolve()));
      await agents[0]?.delete('/api/sessions', { port: cluster.ports[1] ?? 0 });
      await silent;
      // Whichever processes hold the logouts, one process is left.
      await Promise.all(cluster.processes.slice(1).map((running) => running.kill()));
      replyAt(path, (answer) => answer.writeHead(200).end());
      const due = cluster.db.updateTable('backchannel_logout').set({ due_at: new Date(0) });
      await due.execute();
      await untilSettled();
      expect(new Set(await sidsAt(path, app.clientId))).toEqual(new Set(sids));
    },
    RACE_TIMEOUT,
  );
});
