import { isErrorCode } from '@candela/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { changing, endpoints, insider, pathOf, snapshot } from './routes.ts';

let world: World;
let agent: UserAgent;
let uid: string;
let id: string;
beforeAll(async () => {
  world = await createWorld();
  ({ agent, uid, id } = await insider(world));
});
afterAll(() => world.close());

const JSON_TYPE = { 'content-type': 'application/json' };

const expectRefused = (label: string, answer: Answer, statuses = [400]) => {
  expect([label, answer.status]).toEqual([label, expect.toSatisfy((status) => statuses.includes(status))]);
  const { error } = answer.json();
  expect([label, isErrorCode(error.code)]).toEqual([label, true]);
  expect(error.requestId).toBe(answer.headers['x-request-id']);
  return error;
};

const text = 'x'.repeat(70_000);
const bodies: [string, string | Buffer, number[]][] = [
  ['nothing but a brace', '{', [400]],
  ['a word', 'hello', [400]],
  ['NaN', '{"identifier":NaN}', [400]],
  ['a comma too many', '{"identifier":"a@b.c",}', [400]],
  ['two values', '{}{}', [400]],
  ['null', 'null', [400]],
  ['a number', '1', [400]],
  ['a string', '"identifier"', [400]],
  ['an array', '[]', [400]],
  ['an array of bodies', '[{"identifier":"a@b.c"}]', [400]],
  ['an unknown field', '{"surprise":1}', [400]],
  ['__proto__', '{"__proto__":{"identifier":"a@b.c"}}', [400]],
  ['constructor', '{"constructor":{"prototype":{"identifier":"a@b.c"}}}', [400]],
  ['a name twice', '{"scopes":["a"],"scopes":["b"],"identifier":"a@b.c","identifier":"d@e.f"}', [400]],
  ['deep nesting', `{"identifier":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, [400]],
  ['deep objects', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, [400]],
  [
    'ten thousand names',
    JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, 1]))),
    [400],
  ],
  ['NUL in a value', '{"identifier":"a\\u0000@b.c"}', [400]],
  ['NUL in a name', '{"a\\u0000":1}', [400]],
  ['half a surrogate pair', '{"identifier":"\\ud800@b.c"}', [400]],
  ['a byte order mark', '\ufeff{}', [400]],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), [400]],
  ['64 KiB and more', JSON.stringify({ identifier: text }), [413]],
];

describe('every route that changes something', () => {
  test.each(changing)('PL4: %s refuses malformed input, and changes nothing', async (_name, endpoint) => {
    const before = await snapshot(world);
    const path = pathOf(endpoint, { uid, id });
    // A route that takes bytes accepts no JSON at all.
    const refused = (statuses: number[]) => (endpoint.bytes ? [415] : statuses);
    for (const [label, raw, statuses] of bodies) {
      const answer = await agent.request(endpoint.method, path, { raw, headers: JSON_TYPE });
      expectRefused(label, answer, refused(statuses));
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/xml',
    ]) {
      const answer = await agent.request(endpoint.method, path, {
        raw: '{}',
        headers: { 'content-type': type },
      });
      expectRefused(type, answer, [415]);
    }
    expectRefused(
      'no type',
      await agent.request(endpoint.method, path, { raw: '{}', headers: { 'content-type': '' } }),
      [415],
    );
    const chunked = { ...JSON_TYPE, 'content-length': '', 'transfer-encoding': 'chunked' };
    const endless = await agent.request(endpoint.method, path, {
      raw: JSON.stringify({ identifier: text }),
      headers: chunked,
    });
    expectRefused('64 KiB and more in chunks', endless, refused([413]));
    expect(await snapshot(world)).toEqual(before);
  });

  test.each(changing.filter(([, { body }]) => body))(
    'PL4: %s names each field that is wrong',
    async (_name, endpoint) => {
      const path = pathOf(endpoint, { uid, id });
      for (const value of [null, 1, true, {}, ['a@b.c'], { $gt: '' }]) {
        const fields = [
          'identifier',
          'password',
          'code',
          'ticket',
          'purpose',
          'agreements',
          'scopes',
          '__proto__',
        ];
        const raw = `{${fields.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
        const error = expectRefused(
          raw,
          await agent.request(endpoint.method, path, { raw, headers: JSON_TYPE }),
        );
        expect(Object.keys(error.fields).length).toBeGreaterThan(0);
        expect(Object.keys(error.fields)).toContain('__proto__');
        for (const code of Object.values(error.fields)) expect(isErrorCode(code)).toBe(true);
      }
      expect(({} as Record<string, unknown>).identifier).toBeUndefined();
    },
  );

  test.each([
    ['sendCode', '/api/codes', { identifier: '', purpose: 'login' }, 'identifier_blank', 'identifier'],
    ['sendCode', '/api/codes', { purpose: 'login' }, 'identifier_blank', 'identifier'],
    ['sendCode', '/api/codes', { identifier: 'a@b.example', purpose: 'other' }, 'invalid_request', 'purpose'],
    [
      'login',
      '/interaction/:uid/login',
      { identifier: 'a@b.example', password: '' },
      'password_blank',
      'password',
    ],
    ['login', '/interaction/:uid/login', { identifier: 'a@b.example', code: ' ' }, 'code_blank', 'code'],
    [
      'verify',
      '/interaction/:uid/verify',
      { identifier: ' ', code: '1', purpose: 'login' },
      'identifier_blank',
      'identifier',
    ],
  ])('%s (%s) says %j is %s', async (_name, path, body, code, field) => {
    const answer = await agent.post(path.replace(':uid', uid), body);
    const error = expectRefused(field, answer);
    expect(error.code).toBe(code);
    expect(error.fields).toEqual({ [field]: code });
  });

  test('an identifier that is neither an e-mail address nor a phone number has its own error code', async () => {
    for (const identifier of [
      'nobody',
      '@',
      'a@',
      '+',
      '12',
      'a@b@c.example',
      'a b@c.example',
      'a@b.example\r\nBcc: x@y.example',
      'x'.repeat(320),
    ]) {
      const answer = await agent.post('/api/codes', { identifier, purpose: 'login' });
      expect([identifier, answer.status]).toEqual([identifier, 400]);
      expect(answer.json().error.code).toMatch(/^(identifier|email|phone)_invalid$/);
    }
  });

  test('login accepts exactly one of password, code and ticket', async () => {
    const identifier = 'a@b.example';
    for (const body of [
      { identifier },
      { identifier, password: 'a', code: '1' },
      { identifier, code: '1', ticket: 't' },
    ]) {
      expectRefused(JSON.stringify(body), await agent.post(`/interaction/${uid}/login`, body));
    }
  });
});

describe('every route', () => {
  test.each(endpoints)(
    'PL4: %s refuses an unknown query parameter, and one with two values',
    async (_name, endpoint) => {
      const before = await snapshot(world);
      const path = pathOf(endpoint, { uid, id });
      for (const query of [
        'surprise=1',
        'a[]=1&a=2',
        'after=a&after=b',
        '__proto__=x',
        'except[]=current',
        'except=other',
        '%00=%00',
      ]) {
        expectRefused(query, await agent.request(endpoint.method, `${path}?${query}`), [400, 415]);
      }
      expect(await snapshot(world)).toEqual(before);
    },
  );

  test.each(endpoints)('PL11: %s accepts its own method only', async (_name, endpoint) => {
    const path = pathOf(endpoint, { uid, id });
    const own = endpoints
      .filter(([, other]) => new RegExp(`^${other.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
      .map(([, { method }]) => method as string);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].filter(
      (name) => !own.includes(name),
    )) {
      expectRefused(method, await agent.request(method, path), [404, 405]);
    }
    const override = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
    const before = await snapshot(world);
    const answer = await agent.get(`${path}?_method=DELETE`, { headers: override });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await snapshot(world)).toEqual(before);
  });

  /** Nobody asked for a file, and the parameter names neither an event nor an error. */
  const unfound = ['downloadExport', 'listAddedInSession', 'findClientError'];

  test.each(endpoints.filter(([, { method }]) => method === 'GET'))(
    '%s does not read a body',
    async (name, endpoint) => {
      for (const raw of ['{', 'x'.repeat(1000)]) {
        const answer = await agent.request('GET', pathOf(endpoint, { uid, id }), { raw, headers: JSON_TYPE });
        expect(answer.status).toBe(unfound.includes(name) ? 404 : 200);
      }
    },
  );

  test.each(endpoints.filter(([, { path }]) => path.includes(':')))(
    '%s takes a parameter that cannot be one for nothing of ours',
    async (_name, endpoint) => {
      const headers = { accept: 'application/json', ...(endpoint.body && JSON_TYPE) };
      for (const value of ['%00', '..%2f..', "'%20or%201=1", 'a'.repeat(300), '%E0%A4%A', '%25', 'é', '*']) {
        const path = pathOf(endpoint, { uid: value, id: value, name: value, account: value });
        const raw = endpoint.body ? '{}' : undefined;
        const answer = await agent.request(endpoint.method, encodeURI(path).replaceAll('%25', '%'), {
          headers,
          ...(raw && { raw }),
        });
        expect([value, answer.status]).toEqual([
          value,
          expect.toSatisfy((status) => status >= 400 && status < 500),
        ]);
      }
    },
  );

  test('the account is unchanged after all of these requests', async () => {
    expect((await agent.get('/api/account')).status).toBe(200);
    expect((await world.details(agent, uid)).prompt).toBe('select_account');
  });
});
