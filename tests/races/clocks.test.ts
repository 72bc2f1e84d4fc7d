import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests, startCluster } from '../support/cluster.ts';
import { commandProgram } from '../support/programs.ts';
import { shiftedBy } from '../support/shift-clock.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { RACE_TIMEOUT, skipped } from './rounds.ts';

const TEN_YEARS = 10 * 365 * 86_400;

describe.skipIf(!testDatabaseUrl)(`processes whose clocks differ${skipped}`, () => {
  let cluster: Cluster;
  let app: Awaited<ReturnType<Cluster['registerApp']>>;
  beforeAll(async () => {
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 4,
      env: { KEY_ROTATION_DAYS: '90' },
      own: [
        {},
        { env: shiftedBy(60), unready: true },
        { env: shiftedBy(-60), unready: true },
        { env: shiftedBy(TEN_YEARS), unready: true },
      ],
    });
    app = await cluster.registerApp();
  });
  afterAll(() => cluster?.close());

  const tokensAt = (ports: readonly number[]) =>
    createTokenRequests({ origin: cluster.origin, browser: () => cluster.browser({ ports }) }, app);

  /** Signs on to the app, each request at the next process, and redeems the code. */
  const signOn = async (agent: UserAgent, tokens: ReturnType<typeof tokensAt>) => {
    const { url, checks } = await app.rp.authorizationUrl();
    let arrived = await agent.navigate(url);
    if (arrived.url.pathname === '/consent') {
      const uid = arrived.url.searchParams.get('interaction') ?? '';
      arrived = await cluster.approve(agent, uid);
    }
    const code = arrived.url.searchParams.get('code') ?? '';
    const answer = await tokens.redeem(code, checks.pkceCodeVerifier);
    expect(answer.status, answer.body).toBe(200);
    return answer.json() as { access_token: string; refresh_token: string };
  };

  test(
    'people register, sign in and link across processes that differ by two minutes',
    async () => {
      const ports = cluster.ports.slice(0, 3);
      const [, ahead = 0, behind = 0] = ports;
      for (const [begun, gone] of [
        [ahead, behind],
        [behind, ahead],
      ] as const) {
        // Each request goes to another process than the one before; the app asks the second process.
        const browser = cluster.browser({ ports: [begun, gone] });
        const { agent, identifier } = await cluster.signUp(undefined, browser);
        const alone = cluster.browser({ ports: [begun] });
        await cluster.signIn(identifier, alone);
        const tokens = tokensAt([gone, begun]);
        const issued = await signOn(alone, tokens);
        expect(await tokens.isActive(issued.access_token)).toBe(true);
        const refreshed = await tokens.refresh(issued.refresh_token, gone);
        expect(refreshed.status, refreshed.body).toBe(200);
        for (const port of ports) expect((await agent.get('/api/sessions', { port })).status).toBe(200);
      }
    },
    RACE_TIMEOUT,
  );

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

  test('a process ten years ahead is not ready, reports this, deletes nothing and signs nobody out', async () => {
    const [ready, , , far] = cluster.ports;
    expect((await fetch(`http://127.0.0.1:${far}/readyz`)).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${ready}/readyz`)).status).toBe(200);
    expect(cluster.processes[3]?.output()).toContain('not ready: the clock of this process');

    const { agent } = await cluster.signUp(undefined, cluster.browser({ ports: cluster.ports.slice(0, 1) }));
    const { refresh_token: refresh } = await signOn(agent, tokensAt(cluster.ports.slice(0, 1)));
    const count = async () => {
      const sessions = await cluster.db
        .selectFrom('session')
        .select('uid')
        .where('expires_at', '>', new Date())
        .execute();
      const grants = await cluster.db.selectFrom('authorization_grant').select('id').execute();
      const keys = await cluster.db.selectFrom('signing_key').select('kid').orderBy('kid').execute();
      return { sessions: sessions.length, grants: grants.length, keys };
    };
    const before = await count();
    // Its own requests, its own sweep and its own check of the age of the keys.
    expect((await agent.get('/api/sessions', { port: far ?? 0 })).status).toBe(200);
    await promisify(execFile)(process.execPath, [commandProgram, 'sweep'], {
      env: { ...cluster.env, ...shiftedBy(TEN_YEARS) },
    });
    expect(await count()).toEqual(before);
    const refreshed = await tokensAt([far ?? 0]).refresh(refresh);
    expect(refreshed.status, refreshed.body).toBe(200);
    expect((await agent.get('/api/sessions', { port: ready ?? 0 })).status).toBe(200);
  });
});
