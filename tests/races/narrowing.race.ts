import { testDatabaseUrl } from '@candela/server/testing/databases';
import { insertStream, listSignals } from '@candela/server/testing/signal-streams';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { readJwt } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { holdWrites } from './held-writes.ts';
import { inParallel, MEETINGS, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

const API = 'https://narrowed.example/';
const JWT = 'read switch';

describe.skipIf(!testDatabaseUrl)(`narrowing at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
    const metadata = {
      name: 'API',
      scopes: [{ name: 'read' }, { name: 'switch' }],
      access_token_format: 'jwt',
      access_token_ttl: 600,
      access_token_signing_alg: 'ES256',
    };
    await cluster.db
      .insertInto('resource_server')
      .values({ identifier: API, brand: null, metadata: JSON.stringify(metadata) })
      .execute();
  });

  /** A link to an app that calls some of its scopes optional. With those of the API alone its access tokens are JWTs. */
  const linkNarrow = async (scope: string) => {
    const { agent } = await cluster.signUp();
    const app = await cluster.registerApp({ optional_scopes: 'switch email' });
    await insertStream(cluster.db, { id: app.clientId, brand: 'aurelia', client_id: app.clientId });
    const parameters: Record<string, string> = scope === JWT ? { scope, resource: API } : { scope };
    const linkOnce = async () => {
      const { tokens } = await cluster.link(agent, app.rp, { ...parameters, prompt: 'consent' });
      const [{ id }] = (await agent.get('/api/authorizations')).json().items;
      return { id: id as string, token: tokens.refresh_token ?? '' };
    };
    return { agent, app, linkOnce, requests: createTokenRequests(cluster, app) };
  };

  const narrow = (agent: UserAgent, id: string, scopes: string) =>
    agent.patch(`/api/authorizations/${id}`, { scopes: [...scopes.split(' '), 'offline_access'] });

  /** What an access token that was answered opens now. */
  const scopeNow = async (
    app: { rp: Awaited<ReturnType<typeof linkNarrow>>['app']['rp'] },
    answer: Answer,
  ) => {
    const { access_token: token } = answer.json();
    if (token.includes('.')) return readJwt(token).payload.scope;
    return (await app.rp.introspect(token)).scope;
  };

  test.each([
    [JWT, 'read'],
    ['openid email', 'openid'],
  ])(
    'OA35: a refresh that has read “%s” before and writes afterwards issues nothing, and is good again at once',
    async (scope, left) => {
      const { agent, app, linkOnce, requests } = await linkNarrow(scope);
      for (let round = 0; round < MEETINGS; round += 1) {
        const { id, token } = await linkOnce();
        const held = await holdWrites(cluster.db);
        const { asked, backend } = await held.catchWrite(() => requests.refresh(token));
        const narrowed = await narrow(agent, id, left);
        expect(narrowed.status, narrowed.body).toBe(200);
        await held.release(backend);
        const late = await asked;
        expect([late.status, late.json().error, late.headers['retry-after']]).toEqual([
          503,
          'temporarily_unavailable',
          '1',
        ]);
        const again = await requests.refresh(token);
        expect([again.status, again.json().scope]).toEqual([200, left]);
        expect(await scopeNow(app, again)).toBe(left);
      }
    },
    RACE_TIMEOUT,
  );

  test.each([
    [JWT, 'read'],
    ['openid email', 'openid'],
  ])(
    'OA35: of many refreshes of “%s” at once, those that follow the narrowing have less, and the link lives',
    async (scope, left) => {
      const { agent, app, linkOnce, requests } = await linkNarrow(scope);
      for (let round = 0; round < MEETINGS; round += 1) {
        const { id, token } = await linkOnce();
        let isNarrowed = false;
        const change = async () => {
          expect((await narrow(agent, id, left)).status).toBe(200);
          isNarrowed = true;
        };
        /** Asks until a request has begun after the narrowing. */
        const askOn = async () => {
          const asked: { isAfter: boolean; answer: Answer }[] = [];
          while (!asked.some(({ isAfter }) => isAfter)) {
            const isAfter = isNarrowed;
            asked.push({ isAfter, answer: await requests.refresh(token) });
          }
          return asked;
        };
        const [answers] = await Promise.all([inParallel(askOn, 10), change()]);
        const all = answers.flat();
        const statuses = tally(all.map(({ answer }) => answer.status));
        expect(Object.keys(statuses).filter((status) => !['200', '503'].includes(status))).toEqual([]);
        const after = all.filter(({ isAfter }) => isAfter);
        for (const { answer } of after) expect([answer.status, answer.json().scope]).toEqual([200, left]);
        // An opaque token has less, whenever it was issued.
        const issued = all.filter(
          ({ isAfter, answer }) => answer.status === 200 && (isAfter || scope !== JWT),
        );
        for (const { answer } of issued) expect(await scopeNow(app, answer)).toBe(left);
        expect((await requests.refresh(token)).status).toBe(200);
      }
      const events = tally((await listSignals(cluster.db, app.clientId)).map(({ event }) => event));
      expect(events).toEqual({ 'link-created': MEETINGS, 'link-narrowed': MEETINGS });
    },
    RACE_TIMEOUT,
  );

  test(
    'of narrowings at once each takes what it names, and each is told once',
    async () => {
      const { agent } = await cluster.signUp();
      const app = await cluster.registerApp({ optional_scopes: 'profile email phone' });
      await insertStream(cluster.db, { id: app.clientId, brand: 'aurelia', client_id: app.clientId });
      const scope = 'openid profile email phone';
      for (let round = 1; round <= ROUNDS; round += 1) {
        await cluster.link(agent, app.rp, { scope, prompt: 'consent' });
        const [{ id }] = (await agent.get('/api/authorizations')).json().items;
        const answers = await inParallel((index) => {
          const out = ['profile', 'email', 'phone'][index % 3];
          return narrow(
            agent,
            id,
            scope
              .split(' ')
              .filter((name) => name !== out)
              .join(' '),
          );
        }, 12);
        // Whoever still names what another has taken away is refused.
        const codes = tally(
          answers.map((answer) => (answer.status === 200 ? 200 : answer.json().error.code)),
        );
        expect(Object.keys(codes).toSorted()).toEqual(['200', 'scope_not_approved']);
        const told = await listSignals(cluster.db, app.clientId);
        expect(told.filter(({ event }) => event === 'link-narrowed')).toHaveLength(round);
      }
    },
    RACE_TIMEOUT,
  );
});
