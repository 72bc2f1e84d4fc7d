import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Cluster, createTokenRequests, startCluster } from '../support/cluster.ts';
import { commandProgram } from '../support/programs.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { RACE_TIMEOUT, skipped } from './rounds.ts';

/**
 * Rotations, the time that apps keep fetched keys, the number of apps that sign in repeatedly, and by when every process
 * knows a new key. A busy machine answers late: in a second they know it in full volume alone.
 */
const DRILL = process.env.FULL
  ? { rotations: 20, everyMs: 30_000, apps: 4, soonMs: 1_000 }
  : { rotations: 3, everyMs: 1_500, apps: 2, soonMs: 20_000 };

describe.skipIf(!testDatabaseUrl)(`DR12: signing keys rotate under load${skipped}`, () => {
  let cluster: Cluster;
  let agent: UserAgent;
  let app: Awaited<ReturnType<Cluster['registerApp']>>;
  beforeAll(async () => {
    cluster = await startCluster({ databaseUrl: testDatabaseUrl ?? '', processes: 3 });
    ({ agent } = await cluster.signUp());
    app = await cluster.registerApp();
    await cluster.link(agent, app.rp);
  });
  afterAll(() => cluster?.close());

  const rotate = () =>
    promisify(execFile)(process.execPath, [commandProgram, 'keys', 'rotate'], { env: cluster.env });

  const publishedAt = async (port: number): Promise<string[]> => {
    const { keys } = (await agent.get('/oauth/jwks', { port })).json();
    return keys.map(({ kid }: { kid: string }) => kid).sort();
  };

  const current = async () => {
    const rows = await cluster.db
      .selectFrom('signing_key')
      .select(['kid', 'status', 'alg'])
      .orderBy('kid')
      .execute();
    return {
      published: rows.map(({ kid }) => kid),
      signing: rows.find(({ status, alg }) => status === 'current' && alg === 'RS256')?.kid,
    };
  };

  test(
    'no token fails to verify, and every process soon signs with the new key',
    async () => {
      const tokens = createTokenRequests(cluster, app);
      const signedBy = new Map<string, number>();
      let verified = 0;
      let over = false;

      /** Signs in repeatedly, at each process in turn, and verifies with keys fetched a rotation ago at most. */
      const verify = async () => {
        const keys = createRemoteJWKSet(new URL(`${cluster.origin}/oauth/jwks`), {
          cacheMaxAge: DRILL.everyMs,
          cooldownDuration: DRILL.everyMs,
        });
        const person = await cluster.signUp();
        await cluster.link(person.agent, app.rp);
        while (!over) {
          const { url, checks } = await app.rp.authorizationUrl();
          const arrived = await person.agent.navigate(url);
          const answer = await tokens.redeem(
            arrived.url.searchParams.get('code') ?? '',
            checks.pkceCodeVerifier,
          );
          expect(answer.status, answer.body).toBe(200);
          const { protectedHeader } = await jwtVerify(answer.json().id_token, keys, {
            issuer: cluster.origin,
            audience: app.clientId,
          });
          signedBy.set(String(protectedHeader.kid), (signedBy.get(String(protectedHeader.kid)) ?? 0) + 1);
          verified += 1;
        }
      };

      /** On a busy machine a key would be gone before anybody signed in. */
      const untilSignedBy = (kid: string | undefined) =>
        vi.waitFor(() => expect([...signedBy.keys()]).toContain(kid), { timeout: 60_000, interval: 50 });

      const drill = async () => {
        await untilSignedBy((await current()).signing);
        for (let rotation = 0; rotation < DRILL.rotations; rotation += 1) {
          const before = await current();
          await rotate();
          const after = await current();
          expect(after.signing).not.toBe(before.signing);
          expect(before.published).toContain(after.signing);
          await vi.waitFor(
            async () => {
              for (const port of cluster.ports) expect(await publishedAt(port)).toEqual(after.published);
            },
            { timeout: DRILL.soonMs, interval: 50 },
          );
          await untilSignedBy(after.signing);
          await wait(DRILL.everyMs);
        }
        over = true;
      };
      await Promise.all([drill(), ...Array.from({ length: DRILL.apps }, verify)]);
      expect(signedBy.size).toBe(DRILL.rotations + 1);
      expect(verified).toBeGreaterThan(DRILL.rotations * DRILL.apps);
    },
    RACE_TIMEOUT,
  );

  test('no request failed at the server', () => {
    expect(cluster.faults()).toEqual([]);
  });
});
