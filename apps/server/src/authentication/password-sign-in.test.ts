import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { Connection } from '../db/connect.ts';
import { openTestDatabases } from '../db/testing.ts';
import { createDeviceService } from '../device/device.service.ts';
import { AppError } from '../errors.ts';
import { parseIdentifier } from '../identifier/identifier.ts';
import { codeOf, createTestIdentity, refusalOf, type TestIdentityOptions } from './testing.ts';

const ADA = 'ada@example.com';
const PASSWORD = 'sunny42day';

/** Compares in the clear, where a test is about counting and not about hashing. */
const quickHasher: PasswordHasher = {
  hash: async (password) => `quick ${password}`,
  verify: async (hash, password) => hash?.split(' ')[1] === password,
  needsRehash: (hash) => !hash.startsWith('quick'),
};

describe.each(openTestDatabases())('signing in with a password on $name', ({ open }) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await open();
  }, 60_000);
  afterAll(() => connection.close());
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

  test('PW7: is refused after ten wrong ones from one address, and from that address only', async () => {
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

  test('lets no more than ten of 50 parallel wrong ones be compared', async () => {
    const world = create();
    await world.signUp(ADA);
    const browser = world.browser();
    const codes = await Promise.all(
      Array.from({ length: 50 }, () => codeOf(browser.signIn(ADA, { password: 'wrong42day' }))),
    );
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(40);
  });

  test('PW7: is refused after 100 wrong ones from one address over accounts; right ones do not count', async () => {
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

  describe('PW7: after 100 wrong ones in a row, from whatever addresses', () => {
    const burn = async (world: ReturnType<typeof create>, identifier: string) => {
      for (let count = 0; count < 100; count += 1) {
        const stranger = world.browser(`203.0.113.${count}`);
        expect(await codeOf(stranger.signIn(identifier, { password: 'wrong42day' }))).toBe(
          'invalid_credentials',
        );
      }
    };

    test('a code is asked for instead, and starts the count anew', async () => {
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

    test('an identifier without an account answers the same', async () => {
      const world = create({ hasher: quickHasher, unknownAccount: 'uniform' });
      await burn(world, ADA);
      expect(await codeOf(world.browser().signIn(ADA, { password: PASSWORD }))).toBe('step_up_required');
    });

    test('right ones in between start the count anew', async () => {
      const world = create({ hasher: quickHasher });
      await world.signUp(ADA);
      for (let count = 0; count < 150; count += 1) {
        const browser = world.browser(`203.0.113.${count}`);
        expect(await codeOf(browser.signIn(ADA, { password: 'wrong42day' }))).toBe('invalid_credentials');
        if (count % 50 === 49) await browser.signIn(ADA, { password: PASSWORD });
      }
    });
  });

  describe('PW8: a browser that signed in as this account before', () => {
    const createKnown = async () => {
      const world = create({ hasher: quickHasher });
      const account = await world.signUp(ADA);
      const owner = world.browser('192.0.2.7');
      const devices = createDeviceService({ db: connection.db, now: () => world.clock.at });
      await devices.rememberAccount(owner.device, account.id, parseIdentifier(ADA));
      return { world, account, owner };
    };

    test('signs in with the right password whatever others tried, from its own address too', async () => {
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

  test('after-code: 1,000 identifiers from one address within a day reveal at most five', async () => {
    const world = create({ hasher: quickHasher });
    const told = [];
    for (let index = 0; index < 1000; index += 1) {
      if (index % 100 === 0) world.pass(3600);
      const code = await codeOf(world.browser().signIn(`person${index}@example.com`, { password: PASSWORD }));
      expect(['account_not_found', 'invalid_credentials']).toContain(code);
      if (code === 'account_not_found') told.push(index);
    }
    expect(told).toEqual([0, 1, 2, 3, 4]);
  });

  test('after-code: an address is told of five unknown identifiers a day', async () => {
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

  test('reveal tells always, uniform never', async () => {
    const reveal = create({ hasher: quickHasher, unknownAccount: 'reveal' });
    const uniform = create({ hasher: quickHasher, unknownAccount: 'uniform' });
    for (let index = 0; index < 7; index += 1) {
      const identifier = `person${index}@example.com`;
      const password = PASSWORD;
      expect(await codeOf(reveal.browser().signIn(identifier, { password }))).toBe('account_not_found');
      expect(await codeOf(uniform.browser().signIn(identifier, { password }))).toBe('invalid_credentials');
    }
  });

  test('refused by a full queue does not count as a try', async () => {
    const busy = () => Promise.reject(new AppError('busy', { retryAfterSeconds: 2 }));
    const world = create({ hasher: { ...quickHasher, verify: busy } });
    await world.signUp(ADA);
    for (let count = 0; count < 12; count += 1) {
      expect(await codeOf(world.browser().signIn(ADA, { password: PASSWORD }))).toBe('busy');
    }
  });

  test('PW10: renews a hash of other parameters', async () => {
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
