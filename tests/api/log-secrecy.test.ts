import { request as httpRequest } from 'node:http';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipped } from '../races/rounds.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { askForCode, poll, registerDevice } from '../support/device.ts';
import { startTraceCollector } from '../support/trace-collector.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { freePort } from '../support/world.ts';

const EMAIL = 'canary.owner@example.com';
const PHONE = '+8613912345678';
const PASSWORD = 'canaryjar58';
const NEW_PASSWORD = 'canarynest63';
/** What else would give a person away. */
const PARTS = [
  '13912345678',
  'Canary%20Nickname',
  '139 1234 5678',
  'canary.owner',
  'canary-state',
  'nobody@example.com',
];
const FORGED = 'x\r\n{"level":30,"event":"forged"}\n';

describe.skipIf(!testDatabaseUrl)(`the log of everything that people do${skipped}`, () => {
  let cluster: Cluster;
  let agent: UserAgent;
  let collector: Awaited<ReturnType<typeof startTraceCollector>>;
  let metricsPort = 0;
  /** Secrets by their kind. */
  const secrets = new Map<string, string>();
  const keep = (name: string, value: unknown) => {
    if (typeof value !== 'string' || value === '') throw new Error(`there is no ${name}`);
    secrets.set(value, name);
  };
  const keepCookies = async () => {
    const { cookies = [] } = (await agent.jar.serialize()) ?? {};
    // The id of an interaction is public, in its address; only its signature is secret.
    for (const { key, value } of cookies)
      if (value && !['_interaction', '_interaction_resume'].includes(key ?? '')) keep(`cookie ${key}`, value);
  };
  const post = async (path: string, body?: object) => {
    const answer = await agent.post(path, body);
    await keepCookies();
    return answer;
  };
  const codeFor = async (identifier: string, purpose: string) => {
    const code = await cluster.receiveCode(agent, identifier, purpose);
    keep(`code to ${purpose}`, code);
    return code;
  };
  const interaction = async (page: string) => cluster.interactionOf((await agent.navigate(page)).url);
  const put = (path: string, json: object) => agent.request('PUT', path, { json });

  beforeAll(async () => {
    collector = await startTraceCollector();
    metricsPort = await freePort();
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 1,
      env: {
        LOG_LEVEL: 'trace',
        METRICS_PORT: String(metricsPort),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      },
    });
    agent = cluster.browser();
    for (const identifier of [EMAIL, PHONE]) keep('identifier', identifier);
    for (const password of [PASSWORD, NEW_PASSWORD]) keep('password', password);
  });
  afterAll(async () => {
    await cluster?.close();
    await collector?.close();
  });

  const signUp = async () => {
    const uid = await interaction('/register?x=1');
    const code = await codeFor(EMAIL, 'register');
    await post(`/interaction/${uid}/verify`, { identifier: EMAIL, code: '000000', purpose: 'register' });
    const { agreements } = await cluster.details(agent, uid);
    const accepted = agreements.map(({ id, version }: { id: string; version: string }) => ({ id, version }));
    const registration = { identifier: EMAIL, code, agreements: accepted };
    const refused = await post(`/interaction/${uid}/register`, { ...registration, password: EMAIL });
    keep('ticket', refused.json().error.ticket);
    const { ticket } = refused.json().error;
    const { returnTo } = (
      await post(`/interaction/${uid}/register`, {
        identifier: EMAIL,
        ticket,
        password: PASSWORD,
        agreements: accepted,
      })
    ).json();
    expect((await agent.navigate(returnTo)).url.pathname).toBe('/index');
    await keepCookies();
  };

  const changeAccount = async () => {
    expect((await post('/api/step-up', { password: PASSWORD })).status).toBe(204);
    const code = await codeFor(PHONE, 'bind');
    expect((await put('/api/account/phone', { phone: PHONE, code })).status).toBe(200);
    keep('nickname', 'Canary Nickname');
    await agent.request('PATCH', '/api/account', { json: { nickname: 'Canary Nickname' } });
    await agent.request('PATCH', '/api/account', { json: { nickname: FORGED } });
    await post('/api/step-up', { identifier: PHONE, code: await codeFor(PHONE, 'step-up') });
  };

  const link = async () => {
    const app = await cluster.registerApp();
    keep('client secret', app.clientSecret);
    const { url, checks } = await app.rp.authorizationUrl({ state: 'canary-state', login_hint: EMAIL });
    let arrived = await agent.navigate(url);
    await keepCookies();
    arrived = await cluster.approve(agent, cluster.interactionOf(arrived.url));
    keep('authorization code', arrived.url.searchParams.get('code'));
    keep('verifier', checks.pkceCodeVerifier);
    const tokens = await app.rp.exchange(arrived.url, checks);
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    for (const { access_token, refresh_token, id_token } of [tokens, refreshed]) {
      keep('access token', access_token);
      keep('refresh token', refresh_token);
      if (id_token) keep('id token', id_token);
    }
    await app.rp.userinfo(refreshed.access_token);
    await app.rp.introspect(refreshed.access_token);
    await app.rp.revoke(refreshed.access_token);
    await app.rp.userinfo(refreshed.access_token).catch(() => undefined);
    await app.rp.exchange(arrived.url, checks).catch(() => undefined);
    const end = app.rp.endSessionUrl({ id_token_hint: tokens.id_token ?? '', logout_hint: EMAIL });
    return () => agent.navigate(end);
  };

  /** As Tmall Genie links: with a parameter of the person in the redirect URI, and all others in the address. */
  const linkByAddress = async () => {
    keep('parameter of the person', 'canary-of-the-person');
    const callback = 'https://open.bot.tmall.com/oauth/callback';
    const redirectUri = `${callback}?skillId=861&token=canary-of-the-person`;
    const metadata = { preset: 'tmall-genie', redirect_uris: [callback] };
    const app = await cluster.registerApp(metadata, { redirectUri });
    keep('client secret', app.clientSecret);
    const { url, checks } = await app.rp.authorizationUrl();
    const { url: consent } = await agent.navigate(url);
    const { url: arrived } = await cluster.approve(agent, cluster.interactionOf(consent));
    keep('authorization code', arrived.searchParams.get('code'));
    const query = {
      grant_type: 'authorization_code',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      code: arrived.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: checks.pkceCodeVerifier ?? '',
    };
    const ask = (parameters: Record<string, string>) =>
      agent.request('POST', `/oauth/token?${new URLSearchParams(parameters)}`, {
        headers: { origin: '', 'sec-fetch-site': '' },
      });
    expect((await ask({ ...query, client_id: 'of-another' })).status).toBe(400);
    const linked = (await ask(query)).json();
    keep('access token', linked.access_token);
    keep('refresh token', linked.refresh_token);
    await agent.navigate((await app.rp.authorizationUrl({ redirect_uri: `${redirectUri}&x=1` })).url);
  };

  const linkDevice = async () => {
    const device = await registerDevice(cluster);
    const { device_code, user_code } = await askForCode(device);
    keep('device code', device_code);
    keep('user code', user_code);
    await agent.get(`/device?user_code=${user_code}`);
    await poll(device, { device_code });
  };

  const recover = async () => {
    const code = await codeFor(PHONE, 'recover');
    const { ticket } = (await post('/api/recovery/verify', { identifier: PHONE, code })).json();
    keep('ticket', ticket);
    expect((await post('/api/recovery/password', { ticket, password: NEW_PASSWORD })).status).toBe(204);
  };

  const signIn = async () => {
    const uid = await interaction('/login');
    await post(`/interaction/${uid}/login`, { identifier: EMAIL, password: 'wrongjar58' });
    await post(`/interaction/${uid}/login`, { identifier: 'nobody@example.com', password: PASSWORD });
    const answer = await post(`/interaction/${uid}/login`, { identifier: EMAIL, password: NEW_PASSWORD });
    await agent.navigate(answer.json().returnTo);
    const again = await interaction('/login');
    await post(`/interaction/${again}/switch-account`);
    const code = await codeFor(PHONE, 'login');
    expect((await post(`/interaction/${again}/login`, { identifier: PHONE, code })).status).toBe(200);
  };

  /** The kinds of the secrets that a text holds. */
  const leakedInto = (log: string) =>
    [...secrets]
      .filter(([secret]) => {
        const text = secret.replaceAll(/[^\w ]/g, '\\$&');
        // A code is six digits, as times and lengths may be.
        const digits = `"[^"]*(?<![\\w.])${text}(?![\\w.])[^"]*"`;
        return new RegExp(/^\d+$/.test(secret) ? digits : text, 'i').test(log);
      })
      .map(([, name]) => name);

  /** Malformed requests: every field of every kind, at the wrong place. */
  const misuse = async () => {
    const body = { identifier: EMAIL, password: PASSWORD, code: FORGED, ticket: FORGED, phone: PHONE };
    for (const path of ['/api/codes', '/api/recovery/verify', '/api/recovery/password', '/api/step-up'])
      await agent.post(path, body);
    const query = new URLSearchParams({
      client_id: FORGED,
      login_hint: EMAIL,
      state: FORGED,
      password: PASSWORD,
    });
    for (const path of [
      '/oauth/authorize',
      '/sign-in',
      '/login',
      '/middle',
      '/oauth/logout',
      '/device',
      '/nowhere',
      ...[EMAIL, encodeURIComponent(EMAIL), PHONE, PHONE.slice(1), encodeURIComponent('Canary Nickname')].map(
        (person) => `/api/none/${person}`,
      ),
      `/interaction/${EMAIL}/details`,
    ])
      await agent.get(`${path}?${query}`, {
        headers: { 'user-agent': EMAIL, authorization: `Bearer ${PASSWORD}` },
      });
    await agent.request('POST', '/oauth/token', {
      form: { grant_type: FORGED, code: PASSWORD, username: EMAIL, password: PASSWORD, client_id: FORGED },
      headers: { origin: '', 'sec-fetch-site': '' },
    });
    // A target with line ends: text that is no path is not logged as a path.
    await new Promise((resolve) => {
      const { port } = new URL(cluster.origin);
      httpRequest({
        port,
        host: '127.0.0.1',
        path: `/%0d%0a%7B%22event%22%3A%22forged%22%7D`,
        headers: { host: 'x' },
      })
        .on('response', (answer) => answer.resume().on('end', resolve))
        .end();
    });
  };

  /** An internal error with all secrets at hand. */
  const fail = async () => {
    await sql`alter table verification_code rename to was_verification_code`.execute(cluster.db);
    const answer = await agent.post('/api/codes', { identifier: EMAIL, purpose: 'login' });
    expect(answer.status).toBeGreaterThanOrEqual(500);
    await sql`alter table was_verification_code rename to verification_code`.execute(cluster.db);
  };

  test('PL13, VC14: no code, password, ticket, token, cookie or identifier, and no forged line', async () => {
    await signUp();
    await changeAccount();
    const endSession = await link();
    await linkByAddress();
    await linkDevice();
    await endSession();
    await recover();
    await signIn();
    await misuse();
    await fail();
    await agent.post('/api/sign-out');

    const log = cluster.processes.map((running) => running.log()).join('');
    const lines = log.split('\n').filter(Boolean);
    const parsed = lines.flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
    expect(parsed.length).toBeGreaterThan(50);
    // Every line is JSON: any other line would have come out of a value.
    expect(lines.length - parsed.length).toBe(0);
    expect(parsed.filter(({ event }) => event === 'forged')).toEqual([]);
    const paths = parsed.map(({ path }) => path);
    for (const path of ['/api/none/[removed]', '/interaction/[removed]/details', '/api/codes'])
      expect(paths).toContain(path);
    // The event is logged with the id of the account.
    expect(parsed.some(({ event, accountId }) => event === 'session.ended' && accountId)).toBe(true);

    expect(new Set(secrets.values()).size).toBeGreaterThan(15);
    expect(leakedInto(log)).toEqual([]);
    for (const part of PARTS) expect([part, log.includes(part)]).toEqual([part, false]);
  });

  test('PL13: none of it is in the metrics or in a trace, and what is kept is kept sealed or as a digest', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toContain('candela_sign_ins_total{outcome="succeeded",method="password"');
    await cluster.processes[0]?.stop();
    const traces = collector.text();
    expect(collector.spans().length).toBeGreaterThan(100);
    for (const text of [metrics, traces]) {
      expect(leakedInto(text)).toEqual([]);
      for (const part of PARTS) expect([part, text.includes(part)]).toEqual([part, false]);
    }
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
      cluster.db,
    );
    let dump = '';
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select cast(to_jsonb(kept) as text) as row from ${sql.table(name)} as kept`.execute(cluster.db);
      dump += rows.map(({ row }) => row).join('\n');
    }
    expect(dump).toContain(EMAIL);
    // The redirect URI of a code is there until the code is swept.
    // People's own data is there for them, and their codes are numbers as others are: VC13 is about these.
    expect(
      leakedInto(dump).filter((name) => !/^(?:identifier|nickname|code to |parameter )/.test(name)),
    ).toEqual([]);
  });
});
