import { testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests, startCluster } from '../support/cluster.ts';
import { shiftedBy } from '../support/shift-clock.ts';
import { hashOf } from '../support/token.ts';
import { skipped } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`processes whose clocks differ${skipped}`, () => {
  let cluster: Cluster;
  let app: Awaited<ReturnType<Cluster['registerApp']>>;
  beforeAll(async () => {
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 3,
      own: [{}, { env: shiftedBy(60), unready: true }, { env: shiftedBy(-60), unready: true }],
    });
    app = await cluster.registerApp();
  });
  afterAll(() => cluster?.close());

  test('an expired code is expired at every process, and every process opens a pushed request', async () => {
    const [, ahead = 0, behind = 0] = cluster.ports;
    const { agent } = await cluster.signUp(undefined, cluster.browser({ ports: cluster.ports.slice(0, 1) }));
    for (const [pushedTo, openedAt] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const { url } = await app.rp.authorizationUrl();
      const pushed = await agent.request('POST', `${cluster.origin}/oauth/par`, {
        form: { ...Object.fromEntries(url.searchParams), client_secret: app.clientSecret },
        headers: { origin: '', 'sec-fetch-site': '' },
        port: pushedTo,
      });
      expect(pushed.status, pushed.body).toBe(201);
      const query = new URLSearchParams({ client_id: app.clientId, request_uri: pushed.json().request_uri });
      const opened = await agent.get(`/oauth/authorize?${query}`, { port: openedAt });
      expect(opened.status, opened.body).toBe(303);
      expect(String(opened.headers.location)).not.toContain('error=');
    }
    const expired = await cluster.db
      .updateTable('session')
      .set({ expires_at: new Date(Date.now() - 20_000) })
      .where('expires_at', '>', new Date())
      .executeTakeFirst();
    expect(expired.numUpdatedRows).toBeGreaterThan(0n);
    for (const port of cluster.ports) expect((await agent.get('/api/sessions', { port })).status).toBe(401);
  });

  test('no link ends by a clock that differs: such a process asks to come again', async () => {
    const [right = 0, ...off] = cluster.ports;
    const browser = () => cluster.browser({ ports: [right] });
    const tokens = createTokenRequests({ origin: cluster.origin, browser }, app);
    const signOn = async () => (await cluster.link(agent, app.rp)).tokens.refresh_token ?? '';
    const { agent } = await cluster.signUp(undefined, browser());
    const of = (token: string) => sql<boolean>`id_hash = ${hashOf(token)}`;
    const refreshAll = async (token: string) => {
      for (const port of off) expect((await tokens.refresh(token, port)).status).toBe(503);
      const refused = await tokens.refresh(token, right);
      expect([refused.status, refused.json().error]).toEqual([400, 'invalid_grant']);
    };
    const over = await signOn();
    const past = { expires_at: sql<Date>`now() - interval '20 seconds'` };
    await cluster.db.updateTable('refresh_token').set(past).where(of(over)).execute();
    await refreshAll(over);

    const replaced = await signOn();
    const successor = (await tokens.refresh(replaced)).json().refresh_token;
    const current = (await tokens.refresh(successor)).json().refresh_token;
    const used = { first_used_at: sql<Date>`now() - interval '2 minutes'` };
    await cluster.db.updateTable('refresh_token').set(used).where(of(successor)).execute();
    for (const port of off) expect((await tokens.refresh(replaced, port)).status).toBe(503);
    expect((await tokens.refresh(current)).status).toBe(200);
    await refreshAll(replaced);
    expect((await tokens.refresh(current)).status).toBe(400);
  });
});
