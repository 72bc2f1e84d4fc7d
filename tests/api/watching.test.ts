import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipped } from '../races/rounds.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { freePort } from '../support/world.ts';

describe.skipIf(!testDatabaseUrl)(`what an operator sees of a server${skipped}`, () => {
  let cluster: Cluster;
  let metricsPort = 0;
  /** The text that Prometheus reads. */
  const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

  beforeAll(async () => {
    metricsPort = await freePort();
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 1,
      env: { METRICS_PORT: String(metricsPort) },
    });
    const app = await cluster.registerApp();
    const { agent, identifier } = await cluster.signUp();
    await cluster.signIn(identifier);
    const { tokens } = await cluster.link(agent, app.rp);
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    await app.rp.refresh('unknown').catch(() => undefined);
    await app.rp.introspect(refreshed.access_token);
    await agent.get('/api/sessions/nobodys');
    await agent.request('DELETE', '/api/sessions/nobodys');
    await agent.get('/nowhere/at/all');
  });
  afterAll(() => cluster?.close());

  test('requests are measured by the template of their path, never by the path', async () => {
    const text = await scrape();
    const routes = new Set(
      [...text.matchAll(/^candela_http_request_duration_seconds_count\{route="([^"]*)"/gm)].map(
        ([, route]) => route,
      ),
    );
    expect([...routes]).toEqual(
      expect.arrayContaining([
        '/oauth/token',
        '/oauth/authorize',
        '/oauth/authorize/:uid',
        '/interaction/:uid/login',
        '/api/sessions/:id',
        'other',
      ]),
    );
    expect([...routes].filter((route) => route?.includes('nobodys') || route?.includes('nowhere'))).toEqual(
      [],
    );
    expect(text).toMatch(
      /^candela_token_request_duration_seconds_count\{grant_type="refresh_token",outcome="issued"\} 1$/m,
    );
    expect(text).toMatch(
      /^candela_token_request_duration_seconds_count\{grant_type="refresh_token",outcome="invalid_grant"\} 1$/m,
    );
    expect(text).toMatch(/^candela_sign_ins_total\{outcome="succeeded",method="password",reason=""\} 1$/m);
    expect(text).toMatch(/^candela_registrations_total\{outcome="succeeded",reason=""\} 1$/m);
  });
});
