import { testDatabaseUrl } from '@candela/server/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests, startCluster } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { inParallel, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

const hub = {
  client_id: 'hub-of-the-file',
  client_secret: 'a-secret-of-the-hub-in-the-file',
  redirect_uris: ['https://hub.example/callback'],
};

describe.skipIf(!testDatabaseUrl)(`codes and refresh tokens at four processes${skipped}`, () => {
  let cluster: Cluster;
  let agent: UserAgent;
  let app: Awaited<ReturnType<Cluster['registerApp']>>;
  let tokens: ReturnType<typeof createTokenRequests>;
  beforeAll(async () => {
    cluster = await startCluster({ databaseUrl: testDatabaseUrl ?? '', clients: [hub] });
    ({ agent } = await cluster.signUp());
    app = await cluster.registerApp();
    tokens = createTokenRequests(cluster, app);
    await cluster.link(agent, app.rp);
  });
  afterAll(() => cluster?.close());

  const count = async (table: 'authorization_grant' | 'access_token' | 'refresh_token') =>
    (await cluster.db.selectFrom(table).select('brand').where('client_id', '=', app.clientId).execute())
      .length;

  test('four processes that start at once on an empty database share its keys and clients', async () => {
    const keys = await cluster.db
      .selectFrom('signing_key')
      .select(['alg', 'status'])
      .orderBy('alg')
      .orderBy('status')
      .execute();
    expect(keys).toEqual([
      { alg: 'ES256', status: 'current' },
      { alg: 'ES256', status: 'next' },
      { alg: 'RS256', status: 'current' },
      { alg: 'RS256', status: 'next' },
    ]);
    const clients = await cluster.db
      .selectFrom('client')
      .select('id')
      .where('id', '=', hub.client_id)
      .execute();
    expect(clients).toHaveLength(1);
    const jwks = await Promise.all(cluster.ports.map((port) => agent.get('/oauth/jwks', { port })));
    expect(new Set(jwks.map(({ body }) => body)).size).toBe(1);
  });

  test(
    'a code redeemed in parallel gives one set of tokens at most, and none of it outlives the race',
    async () => {
      const before = [
        await count('authorization_grant'),
        await count('access_token'),
        await count('refresh_token'),
      ];
      for (let round = 0; round < ROUNDS; round += 1) {
        const { url, checks } = await app.rp.authorizationUrl();
        const arrived = await agent.navigate(url);
        const code = arrived.url.searchParams.get('code') ?? '';
        const answers = await inParallel(() => tokens.redeem(code, checks.pkceCodeVerifier));
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 400: PARALLEL - 1 });
        const refusals = answers.filter(({ status }) => status === 400).map((answer) => answer.json().error);
        expect(tally(refusals)).toEqual({ invalid_grant: PARALLEL - 1 });

        const winner = answers.find(({ status }) => status === 200)?.json();
        expect(await tokens.isActive(winner.access_token)).toBe(false);
        expect((await tokens.refresh(winner.refresh_token)).json().error).toBe('invalid_grant');
        const after = [
          await count('authorization_grant'),
          await count('access_token'),
          await count('refresh_token'),
        ];
        expect(after).toEqual(before);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a token refreshed in parallel has one successor, which everyone gets',
    async () => {
      let { refresh_token: token = '' } = (await cluster.link(agent, app.rp)).tokens;
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = await count('refresh_token');
        const answers = await inParallel(() => tokens.refresh(token));
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: PARALLEL });
        const bodies = answers.map((answer) => answer.json());
        expect(new Set(bodies.map((body) => body.refresh_token)).size).toBe(1);
        expect(new Set(bodies.map((body) => body.access_token)).size).toBe(PARALLEL);
        expect(await count('refresh_token')).toBe(before + 1);
        expect(await tokens.isActive(bodies.at(round % PARALLEL).access_token)).toBe(true);
        token = bodies[0].refresh_token;
      }
      expect((await tokens.refresh(token)).status).toBe(200);
    },
    RACE_TIMEOUT,
  );

  test(
    'a token and its successor refreshed in parallel end nobody’s link',
    async () => {
      let { refresh_token: token = '' } = (await cluster.link(agent, app.rp)).tokens;
      for (let round = 0; round < ROUNDS; round += 1) {
        const successor = (await tokens.refresh(token)).json().refresh_token;
        const answers = await inParallel((index) => tokens.refresh(index % 2 === 0 ? token : successor));
        for (const [index, answer] of answers.entries()) {
          const { status } = answer;
          expect(index % 2 === 0 ? [200, 400] : [200], answer.body).toContain(status);
          if (index % 2 === 0 && status === 200) expect(answer.json().refresh_token).toBe(successor);
        }
        const next = new Set(
          answers.flatMap((answer, index) => (index % 2 ? [answer.json().refresh_token] : [])),
        );
        expect(next.size).toBe(1);
        [token] = [...next];
      }
      expect((await tokens.refresh(token)).status).toBe(200);
    },
    RACE_TIMEOUT,
  );

  test('no request failed at the server, and no two of them deadlocked', async () => {
    expect(cluster.faults()).toEqual([]);
    expect(await cluster.deadlocks()).toBe(0);
  });
});
