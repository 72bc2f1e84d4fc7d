import { once } from 'node:events';
import { connect } from 'node:net';
import { openPglite } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createBreakable } from '../support/breakable.ts';
import type { Answer, RequestOptions } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { endpoints, pathOf } from './routes.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ env: { PUBLIC_URL: 'https://id.example.com' } });
});
afterAll(() => world.close());

/** The response to these lines on a plain socket, in lower case, until the server closes the connection. */
const say = async (...lines: string[]): Promise<{ status: number; head: string; body: string }> => {
  const socket = connect(world.config.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head: head.toLowerCase(), body };
};

const HOST = 'Host: id.example.com';
const CLOSE = 'Connection: close';

const expectSafe = (label: string, header: (name: string) => string) => {
  expect([label, header('x-content-type-options')]).toEqual([label, 'nosniff']);
  expect([label, header('referrer-policy')]).toEqual([label, 'no-referrer']);
  expect([label, header('x-frame-options')]).toEqual([label, 'DENY']);
  expect([label, header('cross-origin-resource-policy')]).toEqual([label, 'same-origin']);
  expect([label, header('cache-control')]).toEqual([label, 'no-store']);
  expect([label, header('strict-transport-security')]).toEqual([
    label,
    'max-age=31536000; includeSubDomains',
  ]);
  for (const directive of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
    expect([label, header('content-security-policy')]).toEqual([label, expect.stringContaining(directive)]);
};

describe('input that never becomes a request', () => {
  test.each([
    ['a method of no standard', 400, ['FOO / HTTP/1.1', HOST]],
    ['no HTTP at all', 400, ['hello']],
    ['a target that is no path', 400, ['GET index HTTP/1.1', HOST]],
    ['another version', 400, ['GET / HTTP/9.9', HOST]],
    [
      'two lengths',
      400,
      ['POST /api/codes HTTP/1.1', HOST, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
    ],
    ['headers beyond 16 KB', 431, ['GET / HTTP/1.1', HOST, `X-Long: ${'x'.repeat(20_000)}`]],
    ['a query beyond 16 KB', 431, [`GET /?${'x'.repeat(20_000)} HTTP/1.1`, HOST]],
    ['an expectation nobody knows', 417, ['POST /api/codes HTTP/1.1', HOST, 'Expect: miracles', CLOSE]],
    ['no host', 400, ['GET /license HTTP/1.1', CLOSE]],
    ['two hosts', 400, ['GET /license HTTP/1.1', HOST, 'Host: evil.example', CLOSE]],
    ['two hosts that agree', 400, ['GET /healthz HTTP/1.1', HOST, HOST, CLOSE]],
  ])('SE7: %s is %i, with the headers of every answer', async (label, status, lines) => {
    const { status: answered, head } = await say(...lines);
    expect(answered).toBe(status);
    const lower = head.split('\r\n').map((line) => line.split(': '));
    expectSafe(label, (name) => {
      const value = lower.find(([key]) => key === name)?.[1] ?? '';
      return name === 'x-frame-options' ? value.toUpperCase() : value.replace('subdomains', 'SubDomains');
    });
  });

  test('an old prober without a Host still gets the health', async () => {
    const { status, body } = await say('GET /healthz HTTP/1.0');
    expect([status, body]).toEqual([200, '{"status":"ok"}']);
  });

  test.each(['/HEALTHZ', '/Login', '/Interaction/unknown', '/.well-known/Openid-Configuration'])(
    'a path has one spelling, whatever its letters are: %s',
    async (path) => {
      expect((await world.browser().get(path)).status).toBe(404);
    },
  );

  test('nothing is written into a response that has begun', async () => {
    const { head, body } = await say('GET /healthz HTTP/1.1', HOST, '', 'garbage after it');
    expect(`${head}${body}`.match(/http\/1\.1/gi)?.length).toBeLessThanOrEqual(2);
    expect(body).toMatch(/^(\{"status":"ok"\}(HTTP\/1\.1 400 .*)?)?$/s);
  });
});

describe('an absolute URL as the request target', () => {
  const evil = 'http://evil.example';

  test.each(['/.well-known/openid-configuration', '/sign-in', '/oauth/authorize', '/index', '/api/account'])(
    'PL1: of another host is misdirected at %s, whatever Host says',
    async (path) => {
      const { status, head, body } = await say(`GET ${evil}${path} HTTP/1.1`, HOST, CLOSE);
      expect(status).toBe(421);
      expect(head + body).not.toContain('evil');
    },
  );

  test('of ours is served by its path, whatever Host says', async () => {
    const target = 'https://id.example.com/.well-known/openid-configuration';
    const { status, body } = await say(`GET ${target} HTTP/1.1`, 'Host: evil.example', CLOSE);
    expect(status).toBe(200);
    expect(body).toContain('"issuer":"https://id.example.com"');
    expect(body).not.toContain('evil');
  });

  test('two slashes at the start do not name a host', async () => {
    for (const path of ['//evil.example/index', '//index', '/\\evil.example', '///'])
      expect([path, await say(`GET ${path} HTTP/1.1`, HOST, CLOSE)]).toEqual([
        path,
        { status: 404, head: expect.not.stringContaining('\nlocation:'), body: expect.any(String) },
      ]);
  });

  test.each([
    ...['http://[', 'http://', 'evil:80', 'https://id.example.com@evil.example/healthz'],
    ...['http://u:p@id.example.com/healthz', 'http://@id.example.com/healthz'],
    ...['ftp://id.example.com/healthz', 'javascript://id.example.com/healthz', 'file:///healthz'],
  ])('PL1: %s is no page of the web', async (target) => {
    const { status, body } = await say(`GET ${target} HTTP/1.1`, HOST, CLOSE);
    expect([status, body]).toEqual([400, expect.not.stringContaining('"ok"')]);
  });
});

test('each cookie that ends says for how long it lives, so that a wrong clock of a process spoils none', async () => {
  const { agent } = await world.signUp();
  const jar: string[] = [];
  for (const path of ['/login', '/register', '/sign-in'])
    for (let url = path; url; ) {
      const { headers } = await agent.get(url);
      jar.push(...[headers['set-cookie'] ?? []].flat());
      url = String(headers.location ?? '');
    }
  const ending = jar.filter((cookie) => /expires=/i.test(cookie));
  expect(ending.length).toBeGreaterThan(5);
  for (const cookie of ending) {
    const [, seconds] = /max-age=(\d+)/i.exec(cookie) ?? [];
    const [, end = ''] = /expires=([^;]+)/i.exec(cookie) ?? [];
    const left = Math.max(0, (Date.parse(end) - Date.now()) / 1000);
    expect(Math.abs(Number(seconds) - left), cookie).toBeLessThan(120);
  }
});

describe('a database that takes no writes', () => {
  const breakable = openPglite().then((connection) => ({ ...createBreakable(connection), own: connection }));
  let still: World;
  beforeAll(async () => {
    const { connection } = await breakable;
    still = await createWorld({ connection, env: { LOG_LEVEL: 'silent' } });
  });
  afterAll(() => still.close());
  const statusOf = async (path: string) => (await still.browser().get(path)).status;
  const untilReady = () =>
    vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200), { timeout: 20_000, interval: 200 });

  test('makes a process unready that lives, be it a standby or read-only', async () => {
    const { own } = await breakable;
    expect(await statusOf('/readyz')).toBe(200);
    await sql`set default_transaction_read_only = on`.execute(own.db);
    expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200]);
    await sql`set default_transaction_read_only = off`.execute(own.db);
    expect(await statusOf('/readyz')).toBe(200);
  });

  test('since its disk is full, makes a process unready until there is room; nothing is written to find out before', async () => {
    const { during, own } = await breakable;
    const isFull = async () => {
      throw Object.assign(new Error('No space left on device'), { code: '53100' });
    };
    const write = { statement: 1, when: 'before', of: /^insert/, meanwhile: isFull } as const;
    expect((await during(write, () => statusOf('/readyz'))).broke).toBe(false);
    const { result } = await during(write, () =>
      still.browser().post('/api/codes', { identifier: 'full@example.com', purpose: 'login' }),
    );
    expect(result.status).toBe(503);
    expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200]);
    const held = async () => (await own.db.selectFrom('serving_process').select('id').execute()).length;
    const before = await held();
    // The first try finds no room yet.
    const tried = await during({ ...write, of: /^insert into "serving_process"/ }, untilReady);
    expect(tried.broke).toBe(true);
    expect(await held()).toBe(before);
  });
});

describe('every class of response', () => {
  const html = { accept: 'text/html' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const classes: [string, number, string, string, RequestOptions?][] = [
    ['a page', 200, 'GET', '/license'],
    ['a page without an interaction', 303, 'GET', '/login'],
    ['a page for those who are signed in', 303, 'GET', '/index'],
    ['a page that is not there', 404, 'GET', '/nowhere'],
    ['a path of bytes that are no text', 404, 'GET', '/%ff'],
    ['a very long query', 200, 'GET', `/license?${'a=1&'.repeat(3_000)}`],
    ['an interaction that is over', 410, 'GET', '/interaction/xxxxxxxxxxxxxxxxxxxxxx'],
    ['the API without a session', 401, 'GET', '/api/account'],
    [
      'the API from elsewhere',
      403,
      'POST',
      '/api/codes',
      { json: {}, headers: { origin: 'https://evil.example' } },
    ],
    ['the API with a wrong body', 400, 'POST', '/api/codes', { json: { surprise: 1 } }],
    [
      'the API with a wrong type',
      415,
      'POST',
      '/api/codes',
      { raw: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    ['the API with too much', 413, 'POST', '/api/codes', { json: { x: 'x'.repeat(70_000) } }],
    ['the API by a method it has not', 404, 'DELETE', '/api/codes'],
    ['the API by a method nobody has', 405, 'PURGE', '/api/codes'],
    ['the API by a long query', 400, 'GET', `/api/sessions?${'a%5B%5D=1&'.repeat(1_000)}`],
    ['a path of the API that is not there', 404, 'GET', '/api/nothing'],
    ['a preflight', 405, 'OPTIONS', '/api/account', { headers: { origin: 'https://evil.example' } }],
    ['a document', 200, 'GET', '/.well-known/security.txt'],
    ['a file that is not there', 404, 'GET', '/prod/user/nothing.js'],
    ['a picture that is not there', 404, 'GET', '/api/avatars/nothing'],
    ['an authorization request that is none', 400, 'GET', '/oauth/authorize?client_id=nobody'],
    ['a token request without a client', 400, 'POST', '/oauth/token', { raw: 'grant_type=x', headers: form }],
    ['a token that is none', 401, 'GET', '/oauth/userinfo', { headers: { authorization: 'Bearer x' } }],
    ['a path of the protocol that is not there', 404, 'GET', '/oauth/nothing'],
    ['another host', 421, 'GET', '/index', { headers: { host: 'evil.example', ...html } }],
    ['another host, to programs', 421, 'GET', '/api/account', { headers: { host: 'evil.example' } }],
    ['the host with a dot behind it', 421, 'GET', '/index', { headers: { host: 'id.example.com.' } }],
    ['health', 200, 'GET', '/healthz'],
    ['readiness', 200, 'GET', '/readyz'],
  ];
  const header = ({ headers }: Answer, name: string) => String(headers[name] ?? '');

  test.each(classes)(
    'SE7: %s (%i) has the headers that keep browsers safe',
    async (label, status, method, path, options) => {
      const answer = await world.browser().request(method, path, options);
      expect([label, answer.status]).toEqual([label, status]);
      expectSafe(label, (name) => header(answer, name));
      if (answer.status === 405) expect(header(answer, 'allow')).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
    },
  );

  test('pages that no app opens are isolated from their opener; pages of a sign-in are not', async () => {
    const openerPolicy = async (path: string) =>
      header(await world.browser().get(path), 'cross-origin-opener-policy');
    for (const path of ['/findbackPWD', '/findbackPWD?interaction=', '/index', '/tokens', '/sessions'])
      expect([path, await openerPolicy(path)]).toEqual([path, 'same-origin']);
    for (const path of ['/findbackPWD?interaction=x', '/login?interaction=x', '/register?interaction=x'])
      expect([path, await openerPolicy(path)]).toEqual([path, '']);
  });

  test.each(endpoints)('%s answers HEAD like GET, and lists its methods', async (_name, endpoint) => {
    const path = pathOf(endpoint);
    const options = await world.browser().request('OPTIONS', path);
    expect(options.status).toBe(405);
    expect(header(options, 'allow').split(', ')).toContain(endpoint.method);
    expect(options.headers).not.toHaveProperty('access-control-allow-origin');
    if (endpoint.method !== 'GET') return;
    const [got, head] = [
      await world.browser().get(path, { headers: { accept: 'application/json' } }),
      await world.browser().request('HEAD', path, { headers: { accept: 'application/json' } }),
    ];
    expect([head.status, head.body]).toEqual([got.status, '']);
    expect(header(got, 'cache-control')).toBe('no-store');
  });
});
