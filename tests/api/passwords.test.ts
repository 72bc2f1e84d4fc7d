import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

const createPeople = (world: World) => {
  const begin = async (agent: UserAgent, page: string) =>
    world.interactionOf((await agent.navigate(page)).url);

  /** The status, and the fault of the password. */
  const register = async (password: string, identifier = `${randomBytes(6).toString('hex')}@example.com`) => {
    const agent = world.browser();
    const uid = await begin(agent, '/register');
    const code = await world.receiveCode(agent, identifier, 'register');
    const { agreements } = await world.details(agent, uid);
    const accepted = agreements.map(({ id, version }: { id: string; version: string }) => ({ id, version }));
    const answer = await agent.post(`/interaction/${uid}/register`, {
      identifier,
      code,
      password,
      agreements: accepted,
    });
    const fault: string | undefined = answer.status < 400 ? undefined : answer.json().error.fields?.password;
    return { identifier, outcome: fault ?? answer.status };
  };
  const signIn = async (identifier: string, password: string) => {
    const agent = world.browser();
    const uid = await begin(agent, '/login');
    return (await agent.post(`/interaction/${uid}/login`, { identifier, password })).status;
  };
  const recover = async (identifier: string, password: string) => {
    const agent = world.browser();
    const code = await world.receiveCode(agent, identifier, 'recover');
    const { ticket } = (await agent.post('/api/recovery/verify', { identifier, code })).json();
    const answer = await agent.post('/api/recovery/password', { ticket, password });
    return answer.status < 400 ? answer.status : answer.json().error.fields?.password;
  };
  return { register, signIn, recover };
};

const repeat = (length: number) => 'q7w'.repeat(1000).slice(0, length);

describe.each([
  [
    'product',
    {
      password_too_short: ['q7wer'],
      password_too_long: [repeat(129), repeat(1025)],
      password_has_symbols: ['q7werty!', 'q7w erty', 'q7werty密码', 'q7wertý', '💡💡💡💡💡💡💡💡'],
      200: ['q7wer9', repeat(128)],
    },
  ],
  [
    'modern',
    {
      password_too_short: ['q7werty'],
      password_too_long: [repeat(129), repeat(1025)],
      200: ['q7wertyu', repeat(64), repeat(128), 'q7w !@#$%', '我的灯在晚上很亮', '💡🔦🕯🪔🏮🌙⭐️✨'],
    },
  ],
])('PW1, PW2: under the profile %s', (profile, passwords) => {
  let world: World;
  let people: ReturnType<typeof createPeople>;
  beforeAll(async () => {
    world = await createWorld({ env: { PASSWORD_PROFILE: profile } });
    people = createPeople(world);
  });
  afterAll(() => world.close());

  test.each(
    Object.entries(passwords).flatMap(([outcome, all]) =>
      all.map((password) => [password.slice(0, 20), password.length, outcome, password] as const),
    ),
  )('%j (%i) answers %s at registration and at recovery', async (_, __, expected, password) => {
    const { identifier, outcome } = await people.register(password);
    expect(`${outcome}`).toBe(expected);
    if (outcome === 200) {
      expect(await people.signIn(identifier, password)).toBe(200);
      // The password is not truncated.
      expect(await people.signIn(identifier, password.slice(0, -1))).toBe(401);
      return;
    }
    const person = await people.register(repeat(20));
    expect(await people.recover(person.identifier, password)).toBe(expected);
  });

  test('common passwords, the brand’s name and the person’s own identifiers are refused everywhere', async () => {
    const own = randomBytes(6).toString('hex');
    for (const password of ['password123', 'qwertyuiop', 'Aurelia2026', own]) {
      const identifier = `${own}@example.com`;
      expect((await people.register(password, identifier)).outcome).toBe('password_too_common');
    }
    const { identifier } = await people.register(repeat(20), `${own}@example.com`);
    for (const password of ['password123', 'qwertyuiop', 'Aurelia2026', own]) {
      expect(await people.recover(identifier, password)).toBe('password_too_common');
    }
  });
});

describe('a password', () => {
  let world: World;
  let people: ReturnType<typeof createPeople>;
  beforeAll(async () => {
    world = await createWorld({ hashesInEarnest: true, env: { PASSWORD_PROFILE: 'modern' } });
    people = createPeople(world);
  });
  afterAll(() => world.close());

  test('PW14: does not exist in a new database', async () => {
    const fresh = await createWorld();
    for (const table of ['account', 'password', 'session'] as const) {
      expect(await fresh.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    await fresh.close();
  });

  test('PW3: is compared with its case and beyond its 72nd byte', async () => {
    const password = repeat(100);
    const { identifier } = await people.register(password);
    expect(await people.signIn(identifier, password.toUpperCase())).toBe(401);
    expect(await people.signIn(identifier, `${password.slice(0, 72)}X${password.slice(73)}`)).toBe(401);
    expect(await people.signIn(identifier, password)).toBe(200);
  });

  test('PW4: is the same however a keyboard composes it, and different otherwise', async () => {
    const { identifier } = await people.register('Lumière²à soir'.normalize('NFC'));
    expect(await people.signIn(identifier, 'Lumière²à soir'.normalize('NFD'))).toBe(200);
    expect(await people.signIn(identifier, 'Lumière²à soir'.normalize('NFKC'))).toBe(401);
  });

  test('PW10: is stored as argon2id with the current parameters, at registration and at recovery', async () => {
    const { identifier } = await people.register('first one of 2');
    const readHash = async () => {
      const { hash } = await world.db
        .selectFrom('password')
        .innerJoin('account_identifier', 'account_identifier.account_id', 'password.account_id')
        .select('hash')
        .where('value', '=', identifier)
        .executeTakeFirstOrThrow();
      return hash;
    };
    const first = await readHash();
    expect(await people.recover(identifier, 'second one of 2')).toBe(204);
    const second = await readHash();
    for (const hash of [first, second]) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
  });
});
