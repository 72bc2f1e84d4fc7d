import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { fourProcesses, hub } from './four-processes.ts';
import { inParallel, linkHomes, MEETINGS, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`codes and refresh tokens at four processes${skipped}`, () => {
  let cluster: Cluster;
  let agent: UserAgent;
  let app: Awaited<ReturnType<Cluster['registerApp']>>;
  let tokens: ReturnType<typeof createTokenRequests>;
  beforeAll(async () => {
    cluster = await fourProcesses();
    ({ agent } = await cluster.signUp());
    app = await cluster.registerApp();
    tokens = createTokenRequests(cluster, app);
    await cluster.link(agent, app.rp);
  });

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
    'R5, OA3: a code redeemed in parallel yields one set of tokens, which stays valid',
    async () => {
      const counts = async () => [
        await count('authorization_grant'),
        await count('access_token'),
        await count('refresh_token'),
      ];
      for (let round = 0; round < ROUNDS; round += 1) {
        const { url, checks } = await app.rp.authorizationUrl();
        const arrived = await agent.navigate(url);
        // The grant exists since the approval.
        const [grants = 0, ...issued] = await counts();
        const code = arrived.url.searchParams.get('code') ?? '';
        const answers = await inParallel(() => tokens.redeem(code, checks.pkceCodeVerifier));
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 400: PARALLEL - 1 });
        const refusals = answers.filter(({ status }) => status === 400).map((answer) => answer.json().error);
        expect(tally(refusals)).toEqual({ invalid_grant: PARALLEL - 1 });

        const winner = answers.find(({ status }) => status === 200)?.json();
        expect(await counts()).toEqual([grants, ...issued.map((number) => number + 1)]);
        expect(await tokens.isActive(winner.access_token)).toBe(true);
        expect((await tokens.refresh(winner.refresh_token)).status).toBe(200);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'R6, OA4: parallel refreshes of a token all return its one successor',
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
    'parallel refreshes of a token and its successor end no link',
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

  test(
    'in mode rotate parallel refreshes have one successor, and late refreshes end no link',
    async () => {
      const rotating = await cluster.registerApp({ refresh_mode: 'rotate' });
      const { refresh } = createTokenRequests(cluster, rotating);
      let { refresh_token: token = '' } = (await cluster.link(agent, rotating.rp)).tokens;
      for (let round = 0; round < ROUNDS; round += 1) {
        const answers = await inParallel(() => refresh(token));
        for (const late of answers.filter(({ status }) => status !== 200))
          expect([late.status, late.json().error]).toEqual([400, 'invalid_grant']);
        const successors = new Set(
          answers.filter(({ status }) => status === 200).map((answer) => answer.json().refresh_token),
        );
        expect(successors.size).toBe(1);
        [token] = [...successors];
      }
      expect((await refresh(token)).status).toBe(200);
    },
    RACE_TIMEOUT,
  );

  test(
    'in mode static parallel refreshes keep the token, and each gets an access token',
    async () => {
      const keeping = await cluster.registerApp({ refresh_mode: 'static' });
      const { refresh } = createTokenRequests(cluster, keeping);
      const { refresh_token: token = '' } = (await cluster.link(agent, keeping.rp)).tokens;
      for (let round = 0; round < ROUNDS; round += 1) {
        const answers = await inParallel(() => refresh(token));
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: PARALLEL });
        const bodies = answers.map((answer) => answer.json());
        expect(new Set(bodies.map((body) => body.refresh_token))).toEqual(new Set([token]));
        expect(new Set(bodies.map((body) => body.access_token)).size).toBe(PARALLEL);
      }
    },
    RACE_TIMEOUT,
  );

  test.each(['overlap', 'rotate', 'static'])(
    'R7: links of mode %s that are refreshed while all are withdrawn do not survive',
    async (mode) => {
      const linked = await cluster.registerApp({ refresh_mode: mode });
      const { refresh, isActive } = createTokenRequests(cluster, linked);
      for (let round = 0; round < MEETINGS; round += 1) {
        const homes = await linkHomes(cluster, { agent, app: linked }, 3);
        // For half of them the successor, whose first use is written while the withdrawal deletes its row.
        const held = await Promise.all(
          homes.map(async (token, index) =>
            index % 2 === 0 ? (await refresh(token)).json().refresh_token : token,
          ),
        );
        const answers = await inParallel((index) =>
          index === (round * 11) % PARALLEL
            ? agent.delete('/api/authorizations')
            : refresh(held[index % held.length]),
        );
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => ![200, 204, 400].includes(status))).toEqual([]);
        for (const table of ['authorization_grant', 'refresh_token', 'access_token'] as const) {
          const rows = cluster.db.selectFrom(table).select('brand').where('client_id', '=', linked.clientId);
          expect(await rows.execute(), table).toEqual([]);
        }
        for (const answer of answers.filter(({ status }) => status === 200).slice(0, 3)) {
          expect(await isActive(answer.json().access_token)).toBe(false);
          expect((await refresh(answer.json().refresh_token)).json().error).toBe('invalid_grant');
        }
      }
    },
    RACE_TIMEOUT,
  );
});
