import { once } from 'node:events';
import { globSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Endpoint } from '@candela/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World, webDist } from '../support/world.ts';
import { changing, endpoints, insider, pathOf } from './routes.ts';

let world: World;
let agent: UserAgent;
let uid: string;
let id: string;
beforeAll(async () => {
  world = await createWorld({ env: { LOG_LEVEL: 'silent' } });
  ({ agent, uid, id } = await insider(world));
});
afterAll(() => world.close());

describe('text that means something to SQL', () => {
  const SLEEP_SECONDS = 5;
  const corpus = [
    "' or 1=1 --",
    "'; drop table account cascade; --",
    `' || (select pg_sleep(${SLEEP_SECONDS}))::text || '`,
    "') union select id, id, id from account --",
    String.raw`\'; delete from session; --`,
    '$1 $$ {0} %s %27',
  ];
  /** A right value of each field, so that the one wrong field comes as far as it can. */
  const right: Record<string, unknown> = {
    identifier: 'somebody@example.com',
    phone: '+8613800138000',
    email: 'somebody@example.com',
    password: PASSWORD,
    code: '000000',
    ticket: 't'.repeat(43),
    purpose: 'login',
    preset: 'web',
    name: 'Sunrise',
    redirect_uris: ['https://app.example/callback'],
  };
  const fieldsOf = ({ body }: Endpoint): string[] =>
    body && 'shape' in body ? Object.keys(body.shape as object) : [];
  const without = ['signOut', 'endSessions', 'leave', 'deleteClient', 'disableClient'];

  const expectHarmless = async (label: string, send: () => Promise<Answer>) => {
    const started = performance.now();
    const { status } = await send();
    expect(status, label).toBeLessThan(500);
    expect(performance.now() - started, label).toBeLessThan(SLEEP_SECONDS * 1000);
  };
  const kept = async () => ({
    accounts: await world.db.selectFrom('account').select(['id', 'status']).orderBy('id').execute(),
    sessions: await world.db.selectFrom('session').select('uid').orderBy('uid').execute(),
  });

  test.each(changing.filter(([name]) => !without.includes(name)))(
    'PL3: does nothing in any field of %s',
    async (_name, endpoint) => {
      const before = await kept();
      const fields = fieldsOf(endpoint);
      expect(fields.length > 0).toBe(endpoint.body !== undefined);
      const known = Object.fromEntries(
        fields.filter((field) => right[field]).map((field) => [field, right[field]]),
      );
      for (const [at, field] of fields.entries()) {
        const text = corpus[at % corpus.length] ?? '';
        for (const value of [text, [text]])
          await expectHarmless(`${field}: ${text}`, () =>
            agent.request(endpoint.method, pathOf(endpoint, { uid, id }), {
              json: { ...known, [field]: value },
            }),
          );
      }
      expect(await kept()).toEqual(before);
    },
  );

  test.each(endpoints.filter(([name]) => !without.includes(name)))(
    'PL3: does nothing in the path and the query of %s',
    async (_name, endpoint) => {
      const before = await kept();
      for (const text of corpus) {
        const encoded = encodeURIComponent(text);
        const everywhere = { uid: encoded, id: encoded, name: encoded, account: encoded };
        const json = endpoint.method === 'GET' ? {} : { json: {} };
        await expectHarmless(text, () => agent.request(endpoint.method, pathOf(endpoint, everywhere), json));
        await expectHarmless(text, () =>
          agent.request(endpoint.method, `${pathOf(endpoint, { uid, id })}?after=${encoded}`, json),
        );
      }
      expect(await kept()).toEqual(before);
    },
  );

  test('PL3: does nothing in the parameters of the protocol', async () => {
    const app = await world.registerApp();
    const before = await kept();
    for (const text of corpus) {
      const post = (path: string, form: Record<string, string>) =>
        expectHarmless(`${path} ${text}`, () =>
          agent.request('POST', `/oauth/${path}`, { form, headers: { ...basic(app), origin: '' } }),
        );
      await post('token', { grant_type: 'refresh_token', refresh_token: text, scope: text });
      await post('token', { grant_type: 'authorization_code', code: text, redirect_uri: app.redirectUri });
      await post('token', { grant_type: text, client_id: text, client_secret: text });
      await post('introspect', { token: text, token_type_hint: text });
      await post('revoke', { token: text });
      for (const path of ['authorize', 'logout', 'userinfo', 'device'])
        await expectHarmless(`${path} ${text}`, () => {
          const names = ['client_id', 'scope', 'state', 'nonce', 'resource', 'id_token_hint', 'user_code'];
          const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, text])));
          return agent.get(`/oauth/${path}?${query}`, { headers: { authorization: `Bearer ${text}` } });
        });
    }
    expect(await kept()).toEqual(before);
  });
});

/** All that the server says to these bytes until it closes the connection. */
const say = async (bytes: string): Promise<string> => {
  const socket = connect(world.config.port, '127.0.0.1');
  let said = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    said += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return said;
};

describe('a request whose end two readers would find at two places', () => {
  const smuggled = 'GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const chunks = `0\r\n\r\n${smuggled}`;

  test.each([
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], chunks],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], chunks],
    ['two lengths', ['Content-Length: 4', 'Content-Length: 60'], `null${smuggled}`],
    ['a list of lengths', ['Content-Length: 4, 60'], `null${smuggled}`],
    ['a length with a sign', ['Content-Length: +4'], `null${smuggled}`],
    ['a length of hexadecimal digits', ['Content-Length: 0x4'], `null${smuggled}`],
    ['a space before the colon', ['Transfer-Encoding : chunked'], chunks],
    ['chunks that are not the last coding', ['Transfer-Encoding: chunked, identity'], chunks],
    ['a coding that is nearly chunked', ['Transfer-Encoding: xchunked'], chunks],
    ['a header over two lines', ['Transfer-Encoding:', ' chunked'], chunks],
    ['a line that ends without a carriage return', ['X: a\nTransfer-Encoding: chunked'], chunks],
    ['NUL in a header', ['X: a\0b', 'Content-Length: 4'], `null${smuggled}`],
    ['a size of a chunk that is no number', ['Transfer-Encoding: chunked'], `zz\r\n${smuggled}`],
    ['a chunk longer than its size', ['Transfer-Encoding: chunked'], `1\r\nnull\r\n${smuggled}`],
  ])('PL10: %s: is refused, and what follows is no request', async (_name, lines, rest) => {
    const head = [
      'POST /api/codes HTTP/1.1',
      `Host: ${new URL(world.origin).host}`,
      'Content-Type: application/json',
    ];
    const said = await say(`${[...head, ...lines].join('\r\n')}\r\n\r\n${rest}`);
    // A body with a fault may follow a request that was refused by its head alone.
    expect(said.match(/HTTP\/1\.1 \d+/g)?.at(-1)).toBe('HTTP/1.1 400');
    expect(said).not.toContain('"version"');
  });
});

describe('what nobody offers', () => {
  test.each([
    '/.git/config',
    '/.git/HEAD',
    '/.env',
    '/package.json',
    '/prod/user/.vite/manifest.json',
    '/prod/user/../package.json',
    '/prod/user/..%2f..%2fpackage.json',
    '/metrics',
    '/api/metrics',
    '/debug',
    '/server-status',
    '/oauth/.well-known/metrics',
  ])('PL11: %s is not found', async (path) => {
    expect(
      await say(`GET ${path} HTTP/1.1\r\nHost: ${new URL(world.origin).host}\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('PL11: no script of the pages has a source map', async () => {
    const files = globSync('**/*.{js,css,map}', { cwd: webDist });
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    const script = files.find((file) => file.endsWith('.js')) ?? '';
    expect((await agent.get(`/prod/user/${join(script)}.map`)).status).toBe(404);
  });

  test.each(['/', '/index', '/api/account', '/oauth/token', '/healthz'])(
    'PL11: TRACE of %s echoes nothing',
    async (path) => {
      const answer = await agent.request('TRACE', path, { headers: { 'x-secret': 'canary' } });
      expect([403, 404, 405]).toContain(answer.status);
      expect(answer.body).not.toContain('canary');
    },
  );
});

describe('what the database and the answers keep to themselves', () => {
  test('PL14: a dump holds no cookie, token, code, ticket, password, secret or private key in clear', async () => {
    const person = await world.signUp();
    const app = await world.registerApp();
    const { tokens, callback } = await world.link(person.agent, app.rp);
    const { url } = await app.rp.authorizationUrl({ prompt: 'consent' });
    await person.agent.navigate(url);
    const code = await world.receiveCode(person.agent, person.identifier, 'recover');
    const verified = await person.agent.post('/api/recovery/verify', { identifier: person.identifier, code });
    const secrets: Record<string, string> = {
      password: PASSWORD,
      'client secret': app.clientSecret,
      'authorization code': callback.searchParams.get('code') ?? '',
      'access token': tokens.access_token,
      'refresh token': tokens.refresh_token ?? '',
      'id token': tokens.id_token ?? '',
      ticket: verified.json().ticket,
      'private exponent': '"d":',
    };
    const { cookies = [] } = (await person.agent.jar.serialize()) ?? {};
    // The id of an interaction is public, in its address; only its signature is secret.
    for (const { key = '', value } of cookies)
      if (!['_interaction', '_interaction_resume', 'locale'].includes(key))
        secrets[`cookie ${key}`] = String(value);
    expect(Object.entries(secrets).filter(([, value]) => value.length < 4)).toEqual([]);

    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(world.db);
    expect(tables.length).toBeGreaterThan(30);
    const leaked: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(
        world.db,
      );
      const dump = rows
        .map(({ row }) => row)
        .join('\n')
        .replaceAll('""', '"');
      for (const [kind, secret] of Object.entries(secrets))
        if (dump.includes(secret) || dump.includes(Buffer.from(secret).toString('hex')))
          leaked.push(`${name}: ${kind}`);
    }
    expect(leaked).toEqual([]);
  });

  test('PL12: a failure inside shows its code and the id of its request, to programs and to people', async () => {
    await sql`alter table account rename column nickname to lost`.execute(world.db);
    try {
      const failed = await agent.get('/api/account', { headers: { accept: 'application/json' } });
      expect(failed.status).toBe(500);
      const { error } = failed.json();
      expect(Object.keys(error).sort()).toEqual(['code', 'requestId']);
      expect(error.requestId).toBe(failed.headers['x-request-id']);
      expect(failed.body).not.toMatch(/nickname|column|select|node_modules|\bat /i);
    } finally {
      await sql`alter table account rename column lost to nickname`.execute(world.db);
    }
    expect((await agent.get('/api/account')).status).toBe(200);
  });
});
