import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeOnDatabase } from '../../../testing/describe-on-databases.ts';
import { codeOf, createTestIdentity } from '../../../testing/identity.ts';
import { signBody } from '../../ground/outbound/sign-body.ts';
import { LEGACY_PASSWORD } from '../credential/legacy-password.ts';
import { createPasswordHasher } from '../credential/password-hasher.ts';
import { createLegacySignIn } from './legacy-sign-in.ts';
import { tryPassword } from './password-try.ts';

const ADA = 'ada@example.com';
const SECRET = 'a secret that both systems have';
/** No new password may be so short. */
const OLD = 'x y';
const now = () => new Date('2026-01-01T00:00:00Z');

const right = (password: string) => JSON.stringify({ valid: password === OLD });
type Reply = (answer: ServerResponse, asked: { identifier: string; password: string }) => unknown;
const honest: Reply = (answer, { password }) => answer.end(right(password));

let reply = honest;
let asked: { identifier: string; password: string }[] = [];
const server = createServer(async (request, answer) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    ...signBody(SECRET, body, now()),
  });
  const question = JSON.parse(body);
  asked.push(question);
  reply(answer, question);
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describeOnDatabase('a password that only another system knows', (connection) => {
  const create = () =>
    createTestIdentity(connection.db, {
      legacySignIn: createLegacySignIn({ url, secret: SECRET, now, timeoutMs: 1_000 }),
    });
  const hashOf = async () =>
    (await connection.db.selectFrom('password').select('hash').executeTakeFirst())?.hash;

  beforeEach(async () => {
    for (const table of ['verification_code', 'ticket', 'rate_limit', 'account'] as const)
      await connection.db.deleteFrom(table).execute();
    await create().signUp(ADA);
    await connection.db.updateTable('password').set({ hash: LEGACY_PASSWORD }).execute();
    reply = honest;
    asked = [];
  });

  test('is asked for once, and is ours from then on, whatever its form', async () => {
    const browser = create().browser();
    await browser.signIn('Ada@Example.com', { password: OLD });
    expect(asked).toEqual([{ identifier: ADA, password: OLD }]);
    expect(await hashOf()).toMatch(/^\$argon2id\$/);
    await browser.signIn(ADA, { password: OLD });
    expect(await codeOf(browser.signIn(ADA, { password: 'wrong' }))).toBe('invalid_credentials');
    expect(asked).toHaveLength(1);
  });

  test('is asked for by an identifier of the account where a session is to be proven anew', async () => {
    const { passwordLimits, browser } = create();
    const { id: accountId } = await connection.db
      .selectFrom('account')
      .select('id')
      .executeTakeFirstOrThrow();
    const options = {
      db: connection.db,
      hasher: createPasswordHasher({ concurrency: 1, maxQueue: 10 }, { memoryCost: 8, timeCost: 1 }),
      passwordLimits,
      legacySignIn: createLegacySignIn({ url, secret: SECRET, now }),
    };
    expect(await tryPassword(options, { ...browser(), accountId, password: OLD })).toBe(true);
    expect(asked).toEqual([{ identifier: ADA, password: OLD }]);
  });

  test('PW15: is asked for by what the account had there: a contact that was bound here may be somebody else’s there', async () => {
    const { account_id, changed_at } = await connection.db
      .selectFrom('password')
      .select(['account_id', 'changed_at'])
      .executeTakeFirstOrThrow();
    const phone = '+8613800138111';
    const verified_at = new Date(changed_at.getTime() + 1);
    await connection.db
      .insertInto('account_identifier')
      .values({ kind: 'phone', value: phone, display: phone, account_id, verified_at })
      .execute();
    reply = (answer, { identifier }) => answer.end(JSON.stringify({ valid: identifier === phone }));
    const browser = create().browser();
    expect(await codeOf(browser.signIn(phone, { password: OLD }))).toBe('invalid_credentials');
    reply = honest;
    await browser.signIn(phone, { password: OLD });
    expect(asked.map(({ identifier }) => identifier)).toEqual([ADA, ADA]);
  });

  test('counts as any other where it is wrong, and nobody is asked beyond the limit', async () => {
    const browser = create().browser();
    for (let count = 0; count < 10; count += 1)
      expect(await codeOf(browser.signIn(ADA, { password: 'wrong' }))).toBe('invalid_credentials');
    expect(await codeOf(browser.signIn(ADA, { password: OLD }))).toBe('rate_limited');
    expect(asked).toHaveLength(10);
    expect(await hashOf()).toBe(LEGACY_PASSWORD);
  });

  test('is asked for nobody else', async () => {
    const world = create();
    await world.signUp('bob@example.com');
    const browser = world.browser();
    await browser.signIn('bob@example.com', { password: 'sunny42day' });
    for (const identifier of ['bob@example.com', 'nobody@example.com'])
      await codeOf(browser.signIn(identifier, { password: OLD }));
    expect(asked).toEqual([]);
    // Where no other system is named, the mark is the hash of no password.
    const without = createTestIdentity(connection.db).browser();
    for (const password of [OLD, LEGACY_PASSWORD])
      expect(await codeOf(without.signIn(ADA, { password }))).toBe('invalid_credentials');
  });

  test.each<[string, Reply]>([
    ['hangs up', (answer) => answer.destroy()],
    ['is silent', () => undefined],
    ['stops in the middle', (answer) => answer.writeHead(200).write('{"valid":')],
    ['fails', (answer) => answer.writeHead(500).end(right(OLD))],
    ['leads elsewhere', (answer) => answer.writeHead(302, { location: '/' }).end(right(OLD))],
    ['says something else', (answer) => answer.end('{"valid":"true"}')],
    ['says too much', (answer) => answer.end(`{"valid":true,"more":"${'x'.repeat(5_000)}"}`)],
  ])('is unavailable where the other system %s, and nothing is lost', async (_what, broken) => {
    const world = create();
    const browser = world.browser();
    reply = broken;
    expect(await codeOf(browser.signIn(ADA, { password: OLD }))).toBe('unavailable');
    expect(await hashOf()).toBe(LEGACY_PASSWORD);
    await browser.signIn(ADA, { code: await browser.getCode(ADA, 'login') });
    reply = honest;
    await browser.signIn(ADA, { password: OLD });
  });

  test('that could not be asked for is no try', async () => {
    const browser = create().browser();
    reply = (answer) => answer.destroy();
    for (let count = 0; count < 11; count += 1)
      expect(await codeOf(browser.signIn(ADA, { password: 'wrong' }))).toBe('unavailable');
    reply = honest;
    await browser.signIn(ADA, { password: OLD });
  });
});
