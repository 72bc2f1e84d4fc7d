import { createLogger } from '@candela/server/logger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import type { Answer } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

const cookiesOf = ({ headers }: Answer): string[] => [headers['set-cookie'] ?? []].flat();

describe('on https', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ env: { PUBLIC_URL: 'https://id.example.com', TRUST_PROXY: '1' } });
  });
  afterAll(() => world.close());

  test('every cookie is Secure, HttpOnly and Lax, has no Domain, and bears its prefix', async () => {
    const agent = world.browser();
    const seen = new Map<string, string>();
    const note = (answer: Answer) => {
      for (const cookie of cookiesOf(answer)) {
        expect(cookie.length).toBeLessThan(4096);
        expect(cookie).toMatch(/; ?secure/i);
        expect(cookie).toMatch(/; ?httponly/i);
        expect(cookie).toMatch(/; ?samesite=lax/i);
        expect(cookie).not.toMatch(/domain=/i);
        seen.set(cookie.split('=')[0] ?? '', /path=([^;]*)/i.exec(cookie)?.[1] ?? '');
      }
      return answer;
    };
    const follow = async (target: string) => {
      let url = new URL(target, world.origin);
      for (;;) {
        const answer = note(await agent.get(url.href));
        if (answer.status !== 303) return url;
        url = new URL(String(answer.headers.location), url);
        expect(url.origin).toBe(world.origin);
      }
    };
    const uid = world.interactionOf(await follow('/register'));
    const identifier = 'tls@example.com';
    note(await agent.post('/api/codes', { identifier, purpose: 'register' }));
    const { code } = await world.lastMessageTo(identifier);
    const agreements = (await world.details(agent, uid)).agreements.map(
      ({ id, version }: { id: string; version: string }) => ({ id, version }),
    );
    const registered = note(
      await agent.post(`/interaction/${uid}/register`, {
        identifier,
        code,
        password: 'moonlight77',
        agreements,
      }),
    );
    expect((await follow(registered.json().returnTo)).pathname).toBe('/index');
    expect((await agent.get('/api/account')).status).toBe(200);
    expect(note(await agent.post('/api/step-up', { password: 'moonlight77' })).status).toBe(204);
    note(await agent.post('/api/sign-out'));

    const names = [...seen.keys()].filter((name) => !name.endsWith('.sig'));
    const kinds = names.filter((name) => name.startsWith('__Host-')).map((name) => name.replace(/\.\d$/, ''));
    expect([...new Set(kinds)].sort()).toEqual([
      '__Host-device',
      '__Host-session',
      '__Host-sign_in',
      '__Host-step_up',
    ]);
    for (const name of names) {
      expect(name).toMatch(/^__(Host|Secure)-/);
      if (name.startsWith('__Host-')) expect([name, seen.get(name)]).toEqual([name, '/']);
    }
    const scoped = names
      .filter((name) => name.startsWith('__Secure-interaction'))
      .map((name) => seen.get(name));
    expect(scoped).toEqual([expect.stringContaining(uid), expect.stringContaining(uid)]);
  });

  test('HSTS holds for a year and for subdomains', async () => {
    for (const path of ['/license', '/api/account', '/oauth/jwks', '/healthz/x']) {
      const { headers } = await world.browser().get(path);
      expect(headers['strict-transport-security']).toMatch(/max-age=(\d{8,}).*includeSubDomains/);
    }
  });

  test('PL1: forwarded hosts and schemes, forged or not, change neither issuer nor links nor cookies', async () => {
    const forged = {
      forwarded: 'host=evil.example;proto=http',
      'x-forwarded-proto': 'http',
      'x-forwarded-port': '8080',
      'x-original-url': '/evil',
    };
    const discovery = await world.browser().get('/.well-known/openid-configuration', { headers: forged });
    expect(discovery.json().issuer).toBe('https://id.example.com');
    expect(discovery.body).not.toContain('evil');
    expect(discovery.body).not.toContain('http:');
    const sent = await world
      .browser()
      .post('/api/codes', { identifier: 'p@example.com', purpose: 'login' }, { headers: forged });
    expect(cookiesOf(sent).every((cookie) => /secure/i.test(cookie))).toBe(true);
    const misdirected = await world.browser().get('/sign-in', { headers: { host: 'evil.example' } });
    expect(misdirected.status).toBe(421);
    expect(misdirected.body).not.toContain('evil');
    const asPerson = { host: 'evil.example', accept: 'text/html,*/*;q=0.8' };
    const page = await world.browser().get('/sign-in', { headers: asPerson });
    expect([page.status, page.body]).toEqual([421, expect.stringContaining('This address is not ours')]);
    // A request to the bare address is not redirected to the service.
    expect(page.body).not.toMatch(/evil|id\.example\.com|href/);
    const forwarded = await world
      .browser()
      .get('/sign-in', { headers: { 'x-forwarded-host': 'evil.example' } });
    expect(forwarded.status).toBe(303);
    expect(JSON.stringify(forwarded.headers)).not.toContain('evil');
  });

  test('PL2: an invalid forwarded address is ignored: the limit counts the connecting address', async () => {
    const limited = await createWorld({ env: { TRUST_PROXY: '1', CODE_PER_ADDRESS_PER_HOUR: '3' } });
    try {
      const send = async (forwarded: string, n: number) =>
        (
          await limited
            .browser()
            .post(
              '/api/codes',
              { identifier: `n${n}@example.com`, purpose: 'login' },
              { headers: { 'x-forwarded-for': forwarded } },
            )
        ).status;
      const nonsense = ['unknown', '"_gazonk"', '999.1.1.1', '', '<script>', '1.2.3.4.5'];
      const statuses = [];
      for (const [n, forwarded] of nonsense.entries()) statuses.push(await send(forwarded, n));
      expect(statuses).toEqual([202, 202, 202, 429, 429, 429]);
      expect(await send('198.51.100.7', 10)).toBe(202);
      // One proxy is trusted: only the last address, which that proxy added, counts.
      const chained = [];
      for (let n = 0; n < 4; n += 1) chained.push(await send(`203.0.113.${n}, 192.0.2.1`, 20 + n));
      expect(chained).toEqual([202, 202, 202, 429]);
      // A proxy may add the caller’s port: the caller is still the same.
      const ported = [];
      for (let n = 0; n < 4; n += 1) ported.push(await send(`198.51.100.99:${4711 + n}`, 30 + n));
      expect(ported).toEqual([202, 202, 202, 429]);
      expect(await send('[2001:db8::1]:4711', 40)).toBe(202);
    } finally {
      await limited.close();
    }
  });
});

describe('hosts', () => {
  let world: World;
  const warnings: { hosts?: string[] }[] = [];
  beforeAll(async () => {
    const warn = (line: { hosts?: string[] }) => void warnings.push(line);
    world = await createWorld({ logger: Object.assign(createLogger('silent'), { warn }) });
  });
  afterAll(() => world.close());

  const withHost = (path: string, host: string, headers: Record<string, string> = {}) =>
    world.browser().get(path, { headers: { host, ...headers } });

  test('a host other than the brand’s gets 421, with the right address', async () => {
    const { port } = new URL(world.origin);
    for (const host of [
      'evil.example',
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
      'localhost',
      `localhost:${port}.evil.example`,
      `localhost.:${port}`,
    ]) {
      for (const path of [
        '/',
        '/index',
        '/api/account',
        '/oauth/authorize',
        '/.well-known/openid-configuration',
        '/prod/user/x.js',
      ]) {
        const answer = await withHost(path, host);
        expect([host, path, answer.status]).toEqual([host, path, 421]);
        expect(answer.body).toContain(`href="${world.origin}"`);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
      const json = await withHost('/api/account', host, { accept: 'application/json' });
      expect(refusal(json)).toEqual([421, 'misdirected_request']);
    }
  });

  test('the first foreign host is logged, with the received and the expected host', async () => {
    for (const host of ['elsewhere.example', 'evil.example']) await withHost('/', host);
    expect(warnings.filter(({ hosts }) => hosts)).toEqual([
      {
        hosts: [expect.stringMatching(/^e.+\.example$/)],
        expected: [new URL(world.origin).host],
        count: 1,
      },
    ]);
  });

  test.each([
    ['en', 'This address is not ours - Aurelia'],
    ['zh-TW', '此網址不屬於我們 - Aurelia'],
    ['zh-CN', '此网址不属于我们 - Aurelia'],
    ['ru', 'Это не наш адрес - Aurelia'],
  ])(
    'a person is told so in their language (%s), by the brand whose marker the host has',
    async (language, title) => {
      const asked = { accept: 'text/html', 'accept-language': language };
      const { status, body } = await withHost('/index', 'aurelia.lamps.example', asked);
      expect([status, body]).toEqual([421, expect.stringContaining(`<title>${title}</title>`)]);
      expect(body).toContain('<p>Aurelia</p>');
      expect(body).not.toMatch(/Candela|lamps/);
    },
  );

  test('the case of a host does not matter', async () => {
    expect((await withHost('/license', new URL(world.origin).host.toUpperCase())).status).toBe(200);
  });

  test('without a trusted proxy X-Forwarded-Host is not read', async () => {
    const answer = await world
      .browser()
      .get('/.well-known/openid-configuration', { headers: { 'x-forwarded-host': 'evil.example' } });
    expect(answer.json().issuer).toBe(world.origin);
  });

  test('health answers on any host, to GET and HEAD only', async () => {
    for (const host of ['evil.example', '10.0.0.7:8080', new URL(world.origin).host]) {
      expect((await withHost('/healthz', host)).json()).toEqual({ status: 'ok' });
      expect((await withHost('/readyz', host)).json()).toEqual({ status: 'ready' });
      expect((await withHost('/version', host)).json()).toEqual({ version: 'test' });
      for (const method of ['POST', 'DELETE', 'TRACE']) {
        const answer = await world.browser().request(method, '/healthz', { headers: { host } });
        expect([403, 404, 405]).toContain(answer.status);
      }
    }
  });

  test('PL8: a monstrous Accept-Language yields English, without delay', async () => {
    const values = [
      '../../etc/passwd',
      'zh'.repeat(3000),
      Array.from({ length: 1200 }, (_, n) => `x;q=0.${n}`).join(','),
      ';;;,,,=',
      'en;q=NaN',
      '*',
      '\u0080',
    ];
    for (const value of values) {
      const started = performance.now();
      const answer = await world.browser({ language: value }).get('/license');
      expect(answer.status).toBe(200);
      expect(answer.body).toContain('<html lang="en"');
      expect(performance.now() - started).toBeLessThan(500);
    }
    // Too long for any header: the connection may end before all of it is sent.
    const refused = await world
      .browser({ language: 'x'.repeat(64 * 1024) })
      .get('/license')
      .catch(() => undefined);
    expect(refused?.status ?? 431).toBe(431);
    expect((await world.browser().get('/license')).status).toBe(200);
  });
});
