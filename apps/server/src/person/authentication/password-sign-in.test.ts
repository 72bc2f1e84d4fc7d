import { beforeEach, describe, expect, test } from 'vitest';
import { describeOnDatabase } from '../../../testing/describe-on-databases.ts';
import {
  codeOf,
  createTestIdentity,
  otherCode,
  refusalOf,
  type TestIdentityOptions,
} from '../../../testing/identity.ts';
import { rememberAccount } from '../../../testing/remember-account.ts';
import { AppError } from '../../ground/errors.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';

const ADA = 'ada@example.com';
const PASSWORD = 'sunny42day';

/** Compares passwords in the clear, for tests that count tries and need no hashing. */
const quickHasher: PasswordHasher = {
  hash: async (password) => `quick ${password}`,
  verify: async (hash, password) => hash?.split(' ')[1] === password,
  verifyElsewhere: (ask) => ask(),
  needsRehash: (hash) => !hash.startsWith('quick'),
};

describeOnDatabase('signing in with a password', (connection) => {
  beforeEach(async () => {
    for (const table of ['verification_code', 'ticket', 'rate_limit', 'account'] as const) {
      await connection.db.deleteFrom(table).execute();
    }
  });
  const create = (options?: TestIdentityOptions) => createTestIdentity(connection.db, options);

  test.each([
    ['another case', 'Sunny42day'],
    ['one more character', `${PASSWORD}1`],
    ['nothing', ''],
  ])('refuses %s', async (_, password) => {
    const world = create();
    await world.signUp(ADA);
    expect(await codeOf(world.browser().signIn(ADA, { password }))).toBe('invalid_credentials');
  });

  test('PW7: is refused after ten wrong passwords from one address, for that address only', async () => {
    const world = create();
    await world.signUp(ADA);
    const [attacker, owner] = [world.browser('203.0.113.9'), world.browser('192.0.2.7')];
    for (let count = 0; count < 10; count += 1) {
      expect(await codeOf(attacker.signIn(ADA, { password: 'wrong42day' }))).toBe('invalid_credentials');
    }
    expect(await refusalOf(attacker.signIn(ADA, { password: PASSWORD }))).toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: 900 },
    });
    await owner.signIn(ADA, { password: PASSWORD });
    world.pass(900);
    await attacker.signIn(ADA, { password: PASSWORD });
  });

  test('compares no more than ten of 50 parallel wrong passwords', async () => {
    const world = create();
    await world.signUp(ADA);
    const browser = world.browser();
    const codes = await Promise.all(
      Array.from({ length: 50 }, () => codeOf(browser.signIn(ADA, { password: 'wrong42day' }))),
    );
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(40);
  });

  test('PW7: is refused after 100 wrong passwords from one address over all accounts; right passwords do not count', async () => {
    const world = create({ hasher: quickHasher, unknownAccount: 'uniform' });
    await world.signUp(ADA);
    const browser = world.browser();
    for (let count = 0; count < 120; count += 1) await browser.signIn(ADA, { password: PASSWORD });
    for (let count = 0; count < 100; count += 1) {
      const identifier = `person${count}@example.com`;
      expect(await codeOf(browser.signIn(identifier, { password: PASSWORD }))).toBe('invalid_credentials');
    }
    expect(await codeOf(browser.signIn(ADA, { password: PASSWORD }))).toBe('rate_limited');
  });

  /** Compares when the test allows it. */
  const createHeldHasher = () => {
    const held = Promise.withResolvers<void>();
    const verify: PasswordHasher['verify'] = async (hash, password) => {
      await held.promise;
      return quickHasher.verify(hash, password);
    };
    return { hasher: { ...quickHasher, verify }, release: held.resolve };
  };

  test('PW7: tries under way do not count over accounts; wrong tries count once they are compared', async () => {
    const { hasher, release } = createHeldHasher();
    const world = create({ hasher, unknownAccount: 'uniform' });
    const account = await world.signUp(ADA);
    const tryAll = Array.from({ length: 150 }, (_, index) =>
      codeOf(world.browser().signIn(`person${index}@example.com`, { password: PASSWORD })),
    );
    const right = world.browser().signIn(ADA, { password: PASSWORD });
    release();
    expect(new Set(await Promise.all(tryAll))).toEqual(new Set(['invalid_credentials']));
    expect(await right).toEqual(account);
    expect(await codeOf(world.browser().signIn(ADA, { password: PASSWORD }))).toBe('rate_limited');
  });

  test('PW7: parallel right passwords for one account from one address all sign in', async () => {
    const world = create({ hasher: quickHasher });
    const account = await world.signUp(ADA);
    const browser = world.browser();
    const signIns = Array.from({ length: 60 }, () => browser.signIn(ADA, { password: PASSWORD }));
    expect(await Promise.all(signIns)).toEqual(Array(60).fill(account));
  });

  test('PW7: a try is refused as busy while another process has as many tries under way as may be wrong', async () => {
    const { hasher, release } = createHeldHasher();
    const [world, elsewhere] = [create({ hasher }), create({ hasher: quickHasher })];
    const account = await world.signUp(ADA);
    const browser = world.browser();
    const underWay = Array.from({ length: 10 }, () => browser.signIn(ADA, { password: PASSWORD }));
    const countTries = async () =>
      (await connection.db.selectFrom('rate_limit').select(['key', 'hits']).execute()).find(({ key }) =>
        key.startsWith('password.pair '),
      )?.hits;
    await expect.poll(countTries).toBe(10);
    const beside = elsewhere.browser(browser.address);
    expect(await refusalOf(beside.signIn(ADA, { password: PASSWORD }))).toMatchObject({
      code: 'busy',
      details: { retryAfterSeconds: 2 },
    });
    expect(elsewhere.events.names()).not.toContain('rate_limit.exceeded');
    release();
    expect(await Promise.all(underWay)).toEqual(Array(10).fill(account));
    expect(await beside.signIn(ADA, { password: PASSWORD })).toEqual(account);
  });

  /** Adds to the count of a counter. */
  const countOn = async (key: string, hits: number) => {
    const { numUpdatedRows } = await connection.db
      .updateTable('rate_limit')
      .set((row) => ({ hits: row('hits', '+', hits) }))
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    expect(numUpdatedRows).toBe(1n);
  };

  /** The /64 network number n of one /48; neighbouring numbers are in different /56 networks. */
  const networkOf48 = (n: number) => `2001:db8:5:${((n * 257) % 65_536).toString(16)}::1`;

  test('PW7: a whole /48 has ten times the tries over accounts of one /64', async () => {
    const world = create({ hasher: quickHasher, unknownAccount: 'uniform' });
    const attempt = (n: number) =>
      codeOf(world.browser(networkOf48(n)).signIn(`person${n}@example.com`, { password: PASSWORD }));
    expect(await attempt(0)).toBe('invalid_credentials');
    await countOn('password.address 2001:db8:5::/48', 960);
    for (let n = 1; n < 40; n += 1) expect(await attempt(n)).toBe('invalid_credentials');
    for (let n = 40; n < 60; n += 1) expect(await attempt(n)).toBe('rate_limited');
    expect(world.events.all.filter(({ event }) => event === 'rate_limit.exceeded')).toEqual(
      Array(20).fill({ event: 'rate_limit.exceeded', limit: 'password.address' }),
    );
  });

  describe('PW7: two identifiers of one account', () => {
    const PHONE = '+8613800138000';
    const createBoth = async () => {
      const world = create({ hasher: quickHasher, unknownAccount: 'uniform' });
      const { id } = await world.signUp(ADA);
      await connection.db
        .insertInto('account_identifier')
        .values({ kind: 'phone', value: PHONE, display: PHONE, account_id: id, verified_at: new Date() })
        .execute();
      return world;
    };

    test('have separate counts, as two accounts have, so that no count shows that they belong together', async () => {
      const world = await createBoth();
      await world.signUp('eve@example.com');
      const pairs = [
        [ADA, PHONE],
        [ADA, 'eve@example.com'],
        ['nobody@example.com', '+8613800138001'],
      ] as const;
      for (const [place, [tried, other]] of pairs.entries()) {
        const browser = world.browser(`203.0.113.${place}`);
        const attempt = (identifier: string) =>
          codeOf(browser.signIn(identifier, { password: 'wrong42day' }));
        for (let count = 0; count < 10; count += 1) expect(await attempt(tried)).toBe('invalid_credentials');
        expect(await attempt(tried)).toBe('rate_limited');
        for (let count = 0; count < 10; count += 1) expect(await attempt(other)).toBe('invalid_credentials');
        expect(await attempt(other)).toBe('rate_limited');
      }
    });

    test('share the count of wrong passwords in a row', async () => {
      const world = await createBoth();
      for (let count = 0; count < 100; count += 1) {
        const stranger = world.browser(`203.0.113.${count}`);
        await codeOf(stranger.signIn(count % 2 ? ADA : PHONE, { password: 'wrong42day' }));
      }
      for (const identifier of [ADA, PHONE])
        expect(await codeOf(world.browser().signIn(identifier, { password: PASSWORD }))).toBe(
          'step_up_required',
        );
    });
  });

  describe('PW7: after 100 wrong passwords in a row, from any addresses', () => {
    const burn = async (world: ReturnType<typeof create>, identifier: string) => {
      for (let count = 0; count < 100; count += 1) {
        const stranger = world.browser(`203.0.113.${count}`);
        expect(await codeOf(stranger.signIn(identifier, { password: 'wrong42day' }))).toBe(
          'invalid_credentials',
        );
      }
    };

    test('a code is required instead, and resets the count', async () => {
      const world = create({ hasher: quickHasher });
      const account = await world.signUp(ADA);
      await burn(world, ADA);
      const owner = world.browser();
      for (let count = 0; count < 20; count += 1) {
        expect(await codeOf(owner.signIn(ADA, { password: PASSWORD }))).toBe('step_up_required');
      }
      world.pass(86_400);
      expect(await codeOf(owner.signIn(ADA, { password: PASSWORD }))).toBe('step_up_required');
      expect(await owner.signIn(ADA, { code: await owner.getCode(ADA, 'login') })).toEqual(account);
      expect(await world.browser().signIn(ADA, { password: PASSWORD })).toEqual(account);
    });

    test('an identifier without an account gets the same answer', async () => {
      const world = create({ hasher: quickHasher, unknownAccount: 'uniform' });
      await burn(world, ADA);
      expect(await codeOf(world.browser().signIn(ADA, { password: PASSWORD }))).toBe('step_up_required');
    });

    test('a right password in between resets the count', async () => {
      const world = create({ hasher: quickHasher });
      await world.signUp(ADA);
      for (let count = 0; count < 150; count += 1) {
        const browser = world.browser(`203.0.113.${count}`);
        expect(await codeOf(browser.signIn(ADA, { password: 'wrong42day' }))).toBe('invalid_credentials');
        if (count % 50 === 49) await browser.signIn(ADA, { password: PASSWORD });
      }
    });
  });

  describe('after a stranger spent 50 codes and 100 passwords, with the usual limits', () => {
    const DAY = 86_400;
    const spendAll = async (world: ReturnType<typeof create>, identifier: string) => {
      const stranger = world.browser('203.0.113.9');
      let wrongCodes = 0;
      for (let count = 0; count < 10; count += 1) {
        if (count === 5) world.pass(3600);
        const code = await stranger.getCode(identifier, 'recover');
        for (let tries = 0; tries < 5; tries += 1) {
          const tried = stranger.verifyCode(
            identifier,
            code === 'none' ? '000000' : otherCode(code),
            'recover',
          );
          if ((await codeOf(tried)) === 'code_incorrect') wrongCodes += 1;
        }
        world.pass(60);
      }
      expect(wrongCodes).toBe(50);
      for (let round = 0; round < 10; round += 1) {
        world.pass(900);
        for (let count = 0; count < 10; count += 1)
          await codeOf(stranger.signIn(identifier, { password: 'wrong42day' }));
      }
    };

    test.each([2, 28])('on day %i a code signs the owner in, in a new browser', async (day) => {
      const world = create({ hasher: quickHasher });
      world.pass(-DAY);
      const account = await world.signUp(ADA);
      world.pass(DAY);
      await spendAll(world, ADA);
      world.pass(day * DAY);
      const owner = world.browser('192.0.2.7');
      expect(await codeOf(owner.signIn(ADA, { password: PASSWORD }))).toBe('step_up_required');
      expect(await owner.signIn(ADA, { code: await owner.getCode(ADA, 'login') })).toEqual(account);
      expect(await world.browser().signIn(ADA, { password: PASSWORD })).toEqual(account);
    });

    test.each([2, 28])('on day %i the owner recovers the account in a new browser', async (day) => {
      const world = create({ hasher: quickHasher });
      world.pass(-DAY);
      await world.signUp(ADA);
      world.pass(DAY);
      await spendAll(world, ADA);
      world.pass(day * DAY);
      expect(await world.browser('192.0.2.7').getTicket(ADA, 'recover')).toMatch(/^[\w-]{43}$/);
    });

    test('no more than ten codes a day are compared for an identifier', async () => {
      const world = create({ hasher: quickHasher });
      world.pass(-DAY);
      await world.signUp(ADA);
      world.pass(DAY);
      await spendAll(world, ADA);
      world.pass(DAY);
      let compared = 0;
      for (let minute = 0; minute < 24 * 60; minute += 10) {
        const stranger = world.browser(`203.0.113.${minute % 250}`);
        const purpose = (['login', 'recover', 'register'] as const)[(minute / 10) % 3] ?? 'login';
        const code = await stranger.getCode(ADA, purpose).catch(() => undefined);
        for (let tries = 0; code && tries < 5; tries += 1)
          if ((await codeOf(stranger.verifyCode(ADA, otherCode(code), purpose))) === 'code_incorrect')
            compared += 1;
        world.pass(600);
      }
      expect(compared).toBe(10);
    });

    test.each([2, 28])('on day %i a free identifier can be registered and bound', async (day) => {
      const world = create({ hasher: quickHasher });
      await spendAll(world, 'free@example.com');
      expect(world.messages.filter(({ isDropped }) => !isDropped)).toEqual([]);
      world.pass(day * DAY);
      const bound = world.browser('192.0.2.7');
      await bound.getTicket('free@example.com', 'bind');
      world.pass(60);
      expect(await world.signUp('free@example.com')).toHaveProperty('id');
    });
  });

  describe('PW8: a browser that signed in to this account before', () => {
    const createKnown = async () => {
      const world = create({ hasher: quickHasher });
      const account = await world.signUp(ADA);
      const owner = world.browser('192.0.2.7');
      const browser = { browserId: owner.browserId, at: world.clock.at };
      await rememberAccount(connection.db, browser, { accountId: account.id }, parseIdentifier(ADA));
      return { world, account, owner };
    };

    test('signs in with the right password whatever others tried, even from its own address', async () => {
      const { world, account, owner } = await createKnown();
      for (let count = 0; count < 120; count += 1) {
        const neighbour = world.browser(count % 2 ? owner.address : `203.0.113.${count}`);
        await codeOf(neighbour.signIn(ADA, { password: 'wrong42day' }));
      }
      for (let count = 0; count < 60; count += 1) {
        await codeOf(world.browser(owner.address).signIn(`p${count}@example.com`, { password: PASSWORD }));
      }
      expect(await codeOf(world.browser(owner.address).signIn(ADA, { password: PASSWORD }))).toBe(
        'rate_limited',
      );
      expect(await owner.signIn(ADA, { password: PASSWORD })).toEqual(account);
    });

    test('has no more tries than a stranger, and none for other accounts', async () => {
      const { world, owner } = await createKnown();
      await world.signUp('eve@example.com');
      const wrong = () => codeOf(owner.signIn(ADA, { password: 'wrong42day' }));
      for (let count = 0; count < 10; count += 1) expect(await wrong()).toBe('invalid_credentials');
      expect(await wrong()).toBe('rate_limited');
      for (let round = 1; round < 10; round += 1) {
        world.pass(900);
        for (let count = 0; count < 10; count += 1) expect(await wrong()).toBe('invalid_credentials');
      }
      world.pass(900);
      expect(await wrong()).toBe('step_up_required');
      for (let count = 0; count < 10; count += 1) {
        const other = owner.signIn('eve@example.com', { password: 'wrong42day' });
        expect(await codeOf(other)).toBe('invalid_credentials');
      }
      expect(await codeOf(owner.signIn('eve@example.com', { password: PASSWORD }))).toBe('rate_limited');
    });
  });

  test('after-code: 200 identifiers from one address within a day reveal at most five', async () => {
    const world = create({ hasher: quickHasher });
    const told = [];
    for (let index = 0; index < 200; index += 1) {
      if (index % 20 === 0) world.pass(3600);
      const code = await codeOf(world.browser().signIn(`person${index}@example.com`, { password: PASSWORD }));
      expect(['account_not_found', 'invalid_credentials']).toContain(code);
      if (code === 'account_not_found') told.push(index);
    }
    expect(told).toEqual([0, 1, 2, 3, 4]);
  });

  test('after-code: an address finds out five unknown identifiers a day', async () => {
    const world = create({ hasher: quickHasher });
    const tell = async (index: number) =>
      codeOf(world.browser('2001:db8::1').signIn(`person${index}@example.com`, { password: PASSWORD }));
    const told = [];
    for (const index of [1, 1, 2, 3, 4, 5, 6, 1, 7]) told.push(await tell(index));
    expect(told.map((code) => code === 'account_not_found')).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
      true,
      false,
    ]);
    expect(new Set(told)).toEqual(new Set(['account_not_found', 'invalid_credentials']));
    world.pass(86_400);
    expect(await tell(7)).toBe('account_not_found');
  });

  test('after-code: a whole /48 finds out ten times as many as a /64', async () => {
    const world = create({ hasher: quickHasher });
    const told = [];
    for (let n = 0; n < 60; n += 1) {
      const signIn = world.browser(networkOf48(n)).signIn(`person${n}@example.com`, { password: PASSWORD });
      if ((await codeOf(signIn)) === 'account_not_found') told.push(n);
    }
    expect(told).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  test('after-code: all addresses together find out a thousand a day', async () => {
    const world = create({ hasher: quickHasher });
    const tell = (n: number) =>
      codeOf(
        world.browser(`10.${n >> 8}.${n & 255}.1`).signIn(`person${n}@example.com`, { password: PASSWORD }),
      );
    expect(await tell(0)).toBe('account_not_found');
    await countOn('unknown.all', 990);
    for (let n = 1; n < 10; n += 1) expect(await tell(n)).toBe('account_not_found');
    for (let n = 10; n < 20; n += 1) expect(await tell(n)).toBe('invalid_credentials');
    world.pass(86_400);
    expect(await tell(20)).toBe('account_not_found');
  });

  test('reveal always says that there is no account, and uniform never does', async () => {
    const reveal = create({ hasher: quickHasher, unknownAccount: 'reveal' });
    const uniform = create({ hasher: quickHasher, unknownAccount: 'uniform' });
    for (let index = 0; index < 7; index += 1) {
      const identifier = `person${index}@example.com`;
      const password = PASSWORD;
      expect(await codeOf(reveal.browser().signIn(identifier, { password }))).toBe('account_not_found');
      expect(await codeOf(uniform.browser().signIn(identifier, { password }))).toBe('invalid_credentials');
    }
  });

  test('a sign-in that a full queue refuses does not count as a try', async () => {
    const busy = () => Promise.reject(new AppError('busy', { retryAfterSeconds: 2 }));
    const world = create({ hasher: { ...quickHasher, verify: busy } });
    await world.signUp(ADA);
    for (let count = 0; count < 12; count += 1) {
      expect(await codeOf(world.browser().signIn(ADA, { password: PASSWORD }))).toBe('busy');
    }
  });

  test('logs an event for each outcome, with the reason and any account', async () => {
    const world = create({ hasher: quickHasher });
    const { id } = await world.signUp(ADA);
    const before = world.events.all.length;
    await codeOf(world.browser().signIn(ADA, { password: 'wrong42day' }));
    await codeOf(world.browser().signIn('nobody@example.com', { password: PASSWORD }));
    await world.browser().signIn(ADA, { password: PASSWORD });
    const said = { method: 'password', brand: undefined, clientId: undefined };
    expect(world.events.all.slice(before)).toEqual([
      { event: 'sign_in.refused', ...said, accountId: id, reason: 'invalid_credentials' },
      { event: 'sign_in.refused', ...said, accountId: undefined, reason: 'account_not_found' },
      { event: 'sign_in.succeeded', ...said, accountId: id },
    ]);
    expect(JSON.stringify(world.events.all)).not.toContain('@');
  });

  test('stores nothing in its counters that names the account or the identifier', async () => {
    const world = create({ hasher: quickHasher });
    await codeOf(world.browser().signIn(ADA, { password: PASSWORD }));
    await codeOf(world.browser().signIn('+8613800138000', { password: PASSWORD }));
    const keys = (await connection.db.selectFrom('rate_limit').select('key').execute()).map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(5);
    for (const text of [ADA, 'ada@', '13800138000']) expect(keys.join('\n')).not.toContain(text);
  });

  test('PW10: replaces a hash that has other parameters', async () => {
    const world = create({ hasher: quickHasher });
    await world.signUp(ADA);
    await connection.db
      .updateTable('password')
      .set({ hash: `old ${PASSWORD}` })
      .execute();
    await world.browser().signIn(ADA, { password: PASSWORD });
    const { hash } = await connection.db.selectFrom('password').select('hash').executeTakeFirstOrThrow();
    expect(hash).toBe(`quick ${PASSWORD}`);
  });
});
