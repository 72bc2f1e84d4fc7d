import { type Connection, connect } from '@candela/server/db/connect';
import { createMigratedDatabase, testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { basic } from '../support/token.ts';
import type { Answer } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

/** The longest wait of a person, and of a load balancer. */
const SECONDS = 8;
/** The longest wait of Alexa for the token endpoint. */
const TOKEN_SECONDS = 4.5;
const READY_SECONDS = 3;
/** Requests of programs before that for tokens. */
const OF_PROGRAMS = 20;

describe.skipIf(!testDatabaseUrl)('a database that falls silent, and ends no connection,', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
  let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
  let connection: Connection;
  let world: World;
  beforeAll(async () => {
    database = await createMigratedDatabase(testDatabaseUrl ?? '');
    const { hostname, port } = new URL(database.databaseUrl);
    proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
    connection = await connect({ databaseUrl: proxy.through(database.databaseUrl), dataDir: '' });
    world = await createWorld({ connection, env: { LOG_LEVEL: 'silent' } });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await proxy.close();
    await database.drop();
  });

  const timed = async (request: Promise<Answer>) => {
    const started = performance.now();
    const { status, headers } = await request;
    return { status, retryAfter: headers['retry-after'], seconds: (performance.now() - started) / 1000 };
  };

  test('is 503 with Retry-After within seconds for apps and for people, and everything is back at once', async () => {
    const app = await world.registerApp();
    const { agent } = await world.signUp();
    const { tokens } = await world.link(agent, app.rp);
    const headers = { ...basic(app), origin: '', 'sec-fetch-site': '' };
    const post = (path: string, form: Record<string, string>) =>
      agent.request('POST', path, { form, headers });
    const { url } = await app.rp.authorizationUrl();
    const ask = () => [
      ...Array.from({ length: OF_PROGRAMS }, () => post('/oauth/introspect', { token: tokens.access_token })),
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }),
      agent.get(url.href),
      agent.get('/api/account'),
    ];

    proxy.fallSilent();
    const outage = await Promise.all([
      ...ask().map(async (request, index) => {
        const answer = await timed(request);
        if (index <= OF_PROGRAMS) expect(answer.seconds).toBeLessThan(TOKEN_SECONDS);
        return answer;
      }),
      timed(agent.get('/readyz')).then((ready) => {
        expect(ready.seconds).toBeLessThan(READY_SECONDS);
        return ready;
      }),
    ]);
    for (const answer of outage) {
      expect([answer.status, answer.retryAfter]).toEqual([503, '2']);
      expect(answer.seconds).toBeLessThan(SECONDS);
    }
    // Later requests find the connections closed, and wait for a new connection.
    for (const answer of await Promise.all(ask().map(timed))) {
      expect(answer.status).toBe(503);
      expect(answer.seconds).toBeLessThan(SECONDS);
    }

    proxy.recover();
    await vi.waitFor(
      async () => {
        expect((await agent.get('/readyz')).status).toBe(200);
        for (const answer of await Promise.all(ask())) expect(answer.status, answer.body).toBeLessThan(400);
      },
      { timeout: 60_000, interval: 200 },
    );
  }, 60_000);

  test('on some connections only delays nobody on the others', async () => {
    const { agent } = await world.signUp();
    const app = await world.registerApp();
    const { tokens } = await world.link(agent, app.rp);
    // Others wait less than a second for a look-up that hangs.
    proxy.fallSilent();
    const hung = [1, 2].map(() => agent.get('/api/account'));
    await vi.waitFor(() => expect(proxy.swallowed()).toBeGreaterThanOrEqual(2));
    proxy.recover();
    const started = performance.now();
    const answer = await agent.request('POST', '/oauth/introspect', {
      form: { token: tokens.access_token },
      headers: { ...basic(app), origin: '', 'sec-fetch-site': '' },
    });
    expect([answer.status, answer.json().active]).toEqual([200, true]);
    expect(performance.now() - started).toBeLessThan(2_000);
    await Promise.all(hung);
  }, 60_000);
});
