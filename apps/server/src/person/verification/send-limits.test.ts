import type { CodePurpose } from '@candela/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeOnDatabase } from '../../../testing/describe-on-databases.ts';
import { codeOf, createTestIdentity, type TestIdentityOptions } from '../../../testing/identity.ts';
import { rememberAccount } from '../../../testing/remember-account.ts';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { sharedBudgets } from './send-limits.ts';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const PHONE = '+86 138 0013 8000';
const limits = {
  ttlSeconds: 300,
  resendSeconds: 60,
  maxTries: 5,
  perHour: 5,
  perDay: 10,
  perAddressPerHour: 30,
};
const refusal = (code: string) => expect.objectContaining({ code });

describeOnDatabase('limits of sending codes', (connection) => {
  beforeEach(async () => {
    for (const table of ['verification_code', 'ticket', 'rate_limit', 'account'] as const) {
      await connection.db.deleteFrom(table).execute();
    }
  });
  const create = (options?: TestIdentityOptions) => createTestIdentity(connection.db, options);

  test('VC9: another code is sent only after the pause, which is kept for each identifier and purpose', async () => {
    const world = create();
    await world.browser().sendCode(PHONE, 'login');
    world.pass(59);
    await expect(world.browser('192.0.2.2').sendCode('+8613800138000', 'login')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: 1 },
    });
    expect(world.messages).toHaveLength(1);
    await world.browser().sendCode(PHONE, 'register');
    world.pass(1);
    await world.browser().sendCode(PHONE, 'login');
    expect(world.messages).toHaveLength(3);
  });

  test('of 50 parallel requests for a code one sends a message', async () => {
    const world = create();
    const sends = Array.from({ length: 50 }, (_, index) =>
      world.browser(`192.0.2.${index}`).sendCode(ADA, 'login'),
    );
    const results = await Promise.allSettled(sends);
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(codes).toEqual(Array(49).fill('rate_limited'));
    expect(world.messages).toHaveLength(1);
  });

  test('VC9: an identifier gets five codes an hour and ten a day over all purposes', async () => {
    const world = create();
    const purposes: CodePurpose[] = ['login', 'register', 'bind'];
    const sendFive = async () => {
      for (let count = 0; count < 5; count += 1) {
        await world.browser().sendCode(ADA, purposes[count % 3] ?? 'login');
        world.pass(60);
      }
    };
    await sendFive();
    await expect(world.browser().sendCode(ADA, 'login')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: 3300 },
    });
    world.pass(3300);
    await sendFive();
    world.pass(3300);
    await expect(world.browser().sendCode(ADA, 'login')).rejects.toEqual(refusal('rate_limited'));
    expect(world.messages).toHaveLength(10);
    world.pass(86_400);
    await world.browser().sendCode(ADA, 'login');
  });

  test.each([
    ['an IPv4 address', () => '192.0.2.1'],
    ['an IPv4 address in both notations', (count: number) => (count % 2 ? '192.0.2.1' : '::ffff:192.0.2.1')],
    ['an IPv6 /64', (count: number) => `2001:db8:0:1::${count.toString(16)}`],
  ])('VC10: %s gets 30 codes an hour over all identifiers', async (_, address) => {
    const world = create();
    for (let count = 0; count < 30; count += 1) {
      await world.browser(address(count)).sendCode(`person${count}@example.com`, 'login');
    }
    await expect(world.browser(address(31)).sendCode('last@example.com', 'login')).rejects.toEqual(
      refusal('rate_limited'),
    );
    await world.browser('2001:db8:0:2::1').sendCode('last@example.com', 'login');
  });

  test('VC10: a whole /48, /56 or IPv4 /24 has more codes an hour than one network, and fewer than its networks together', async () => {
    const world = create({ limits: { perAddressPerHour: 3 } });
    const count = async (addresses: (n: number) => string, tries: number) => {
      let sent = 0;
      for (let n = 0; n < tries; n += 1) {
        const sending = world.browser(addresses(n)).sendCode(`p${n}@${addresses(0).length}.example`, 'login');
        sent += await sending.then(
          () => 1,
          () => 0,
        );
      }
      return sent;
    };
    expect(await count((n) => `2001:db8:1:${n.toString(16)}::1`, 20)).toBe(9);
    expect(await count((n) => `2001:db8:22:${((n * 257) % 65_536).toString(16)}::1`, 60)).toBe(30);
    expect(await count((n) => `198.51.100.${n}`, 60)).toBe(30);
    expect(world.events.all.filter(({ limit }) => limit === 'code.address')).toHaveLength(11 + 30 + 30);
  });

  describe('whatever strangers request', () => {
    const EVE = 'eve@example.com';
    const createOwner = async () => {
      const world = create();
      const { id } = await world.signUp(ADA);
      const owner = world.browser('192.0.2.7');
      const remember = (accountId: string) =>
        rememberAccount(connection.db, { browserId: owner.browserId, at: world.clock.at }, { accountId });
      return { world, id, owner, remember };
    };
    const useUp = async (world: ReturnType<typeof create>, identifier: string) => {
      for (let count = 0; count < 5; count += 1) {
        world.pass(60);
        const sending = world.browser('192.0.2.7').sendCode(identifier, 'recover');
        await sending.catch(() => undefined);
      }
    };

    test('VC9: a browser that the account knows gets five codes an hour of its own', async () => {
      const { world, id, owner, remember } = await createOwner();
      await remember(id);
      await useUp(world, ADA);
      await expect(world.browser().sendCode(ADA, 'login')).rejects.toEqual(refusal('rate_limited'));
      for (const purpose of ['login', 'recover', 'login', 'recover', 'login'] as const) {
        await owner.sendCode(ADA, purpose);
        await expect(owner.sendCode(ADA, purpose)).rejects.toMatchObject({
          details: { retryAfterSeconds: 60 },
        });
        world.pass(60);
      }
      await expect(owner.sendCode(ADA, 'recover')).rejects.toEqual(refusal('rate_limited'));
      // The codes that this browser used up were no stranger’s.
      world.pass(3600);
      await world.browser().sendCode(ADA, 'recover');
    });

    test('VC9: a browser that knows another account is a stranger', async () => {
      const { world, owner, remember } = await createOwner();
      await remember((await world.signUp(EVE)).id);
      await useUp(world, ADA);
      await expect(owner.sendCode(ADA, 'login')).rejects.toEqual(refusal('rate_limited'));
    });

    test('VC9: a session gets codes to bind and to step up, five an hour of its own', async () => {
      const { world, id, owner } = await createOwner();
      await useUp(world, ADA);
      await useUp(world, 'new@example.com');
      const send = (identifier: string, purpose: CodePurpose, sessionUid: string) =>
        world.verification.sendCode({
          identifier,
          purpose,
          browserId: owner.browserId,
          address: owner.address,
          locale: 'en',
          brand: { ...builtInBrands[0], origin: 'https://id.aurelia.example' },
          accountId: id,
          sessionUid,
        });
      const sendFive = async (sessionUid: string) => {
        for (let count = 0; count < 5; count += 1) {
          const [identifier, purpose] =
            count % 2 ? [ADA, 'step-up' as const] : ['new@example.com', 'bind' as const];
          await send(identifier, purpose, sessionUid);
          world.pass(60);
        }
      };
      await sendFive('one');
      await expect(send(ADA, 'step-up', 'one')).rejects.toEqual(refusal('rate_limited'));
      await sendFive('another');
      // Signing in twice more gives no more codes than two sessions have.
      for (const hour of [1, 2]) {
        world.pass(3600 * hour);
        await sendFive(`third ${hour}`);
      }
      await expect(send(ADA, 'step-up', 'fourth')).rejects.toEqual(refusal('rate_limited'));
      expect(world.events.all.at(-2)).toEqual({ event: 'rate_limit.exceeded', limit: 'code.day.account' });
    });
  });

  describe('of what everybody shares', () => {
    const OWN = '+8613800138000';
    const numberOf = (n: number) => `+86138001390${String(n).padStart(2, '0')}`;
    const createShared = (shared: TestIdentityOptions['limits']) =>
      create({ limits: { resendSeconds: 0, perAddressPerHour: 1_000, ...shared } });
    const isRefused = (sending: Promise<unknown>) =>
      sending.then(
        () => false,
        () => true,
      );
    /** Requests codes until one is refused, and answers how many were sent. */
    const sendAll = async (sending: (n: number) => Promise<unknown>) => {
      for (let sent = 0; sent < 30; sent += 1) if (await isRefused(sending(sent))) return sent;
      return 30;
    };
    /** An account, a browser that knows it, and a session of it. */
    const createOwner = async (world: ReturnType<typeof create>, contact: string) => {
      const { id } = await world.signUp(contact);
      await connection.db.deleteFrom('rate_limit').execute();
      const known = async () => {
        const browser = world.browser('192.0.2.7');
        const where = { browserId: browser.browserId, at: world.clock.at };
        await rememberAccount(connection.db, where, { accountId: id });
        return browser;
      };
      const inSession = (identifier: string, purpose: CodePurpose, sessionUid = 'one') =>
        world.verification.sendCode({
          identifier,
          purpose,
          browserId: 'browser of the session',
          address: '192.0.2.7',
          locale: 'en',
          brand: { ...builtInBrands[0], origin: 'https://id.aurelia.example' },
          accountId: id,
          sessionUid,
        });
      return { known, inSession };
    };

    test.each([
      ['a block of numbers', { perPrefixPerHour: 10 }],
      ['a minute', { globalPerMinute: 10 }],
      ['a day', { globalPerDay: 10 }],
    ])(
      'VC9: who holds the identifier has a part beside the budget of %s, and sessions that bind have another',
      async (_, shared) => {
        const world = createShared(shared);
        const { known, inSession } = await createOwner(world, OWN);
        const strangers = (n: number) => world.browser(`198.51.100.${n}`).sendCode(numberOf(n), 'login');
        expect(await sendAll(strangers)).toBe(10);
        expect(await sendAll((n) => inSession(numberOf(n), 'bind', `session ${n}`))).toBe(1);
        await inSession(OWN, 'step-up');
        await (await known()).sendCode(OWN, 'login');
        expect(await sendAll(strangers)).toBe(0);
        await (await known()).sendCode(OWN, 'login');
        expect(await codeOf((await known()).sendCode(OWN, 'login'))).toBe('rate_limited');
      },
    );

    test('VC9: a session that asks for codes of others has no more of it than one that binds', async () => {
      const world = createShared({ perPrefixPerHour: 10, perHour: 30, perDay: 30 });
      const { inSession } = await createOwner(world, 'thief@example.com');
      await world.signUp(OWN);
      expect(await sendAll((n) => inSession(n % 2 ? OWN : numberOf(n), 'step-up'))).toBe(10);
      expect(world.messages.filter(({ isDropped }) => !isDropped)).toHaveLength(2);
    });

    test('VC9: an account in many browsers counts as a stranger after the codes of two sessions', async () => {
      const world = createShared({ perPrefixPerHour: 20, perHour: 1, perDay: 2 });
      const crowd = await createOwner(world, OWN);
      const person = await createOwner(world, numberOf(1));
      expect(await sendAll(async () => (await crowd.known()).sendCode(OWN, 'login'))).toBe(24);
      await (await person.known()).sendCode(numberOf(1), 'login');
      await person.inSession(numberOf(1), 'step-up');
      world.pass(86_400);
      expect(await sendAll(async () => (await crowd.known()).sendCode(OWN, 'login'))).toBe(24);
    });
  });

  test('VC11: SMS have smaller budgets than mail, unless the configuration says otherwise', async () => {
    const ofPhone = sharedBudgets(parseIdentifier(PHONE), limits, (text) => text);
    const ofMail = sharedBudgets(parseIdentifier(ADA), limits, (text) => text);
    const toPairs = (budgets: typeof ofMail) => budgets.map(({ key, limit }) => [key, limit]);
    expect(toPairs(ofMail)).toEqual([
      ['code.minute.all', 30_000],
      ['code.day.all', 5_000_000],
    ]);
    expect(toPairs(ofPhone)).toEqual([
      ['code.prefix +8613800', 2_000],
      ['code.minute.sms', 1_000],
      ['code.day.sms', 50_000],
      ...toPairs(ofMail),
    ]);
    const told = { ...limits, globalPerMinute: 7, globalPerDay: 0 };
    expect(toPairs(sharedBudgets(parseIdentifier(PHONE), told, (text) => text)).slice(1)).toEqual([
      ['code.minute.sms', 7],
      ['code.minute.all', 7],
    ]);
  });

  test('stores nothing in its counters that names the recipient of a code', async () => {
    const world = create();
    await world.browser().sendCode(PHONE, 'login');
    await world.browser().sendCode(ADA, 'recover');
    const keys = (await connection.db.selectFrom('rate_limit').select('key').execute()).map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(8);
    for (const text of ['ada@', '8613800']) expect(keys.join('\n')).not.toContain(text);
  });

  test('the event of a refused code has the reason, and not the identifier', async () => {
    const world = create({ limits: { phonePrefixes: ['+86'] } });
    const { id } = await world.signUp(ADA);
    await world.browser().sendCode(ADA, 'login');
    const before = world.events.all.length;
    await codeOf(world.browser().sendCode(ADA, 'login'));
    await codeOf(world.browser().sendCode('+33612345678', 'login'));
    const said = { purpose: 'login', brand: 'aurelia' };
    expect(world.events.all.slice(before)).toEqual([
      { event: 'rate_limit.exceeded', limit: 'code.cooldown' },
      { event: 'code.send_refused', ...said, channel: 'email', reason: 'rate_limited' },
      { event: 'code.send_refused', ...said, channel: 'sms', reason: 'phone_invalid' },
    ]);
    expect(world.events.all).toContainEqual({
      event: 'code.sent',
      ...said,
      channel: 'email',
      accountId: id,
    });
  });

  test('VC11: a block of numbers has its own budget, which other blocks do not share', async () => {
    const world = create({ limits: { perPrefixPerHour: 3 } });
    for (let count = 0; count < 3; count += 1)
      await world.browser().sendCode(`+861380013800${count}`, 'login');
    await expect(world.browser().sendCode('+86 138 0013 8009', 'login')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: 3600 },
    });
    expect(world.messages).toHaveLength(3);
    await world.browser().sendCode('+8613900138000', 'login');
    await world.browser().sendCode('+33612345678', 'login');
    await world.browser().sendCode(ADA, 'login');
    world.pass(3600);
    await world.browser().sendCode('+86 138 0013 8009', 'login');
  });

  test('VC11: all codes together have a budget for the minute and a budget for the day', async () => {
    const world = create({ limits: { globalPerMinute: 2, globalPerDay: 5 } });
    const results = [];
    for (let count = 0; count < 12; count += 1) {
      const sending = world.browser().sendCode(`person${count}@example.com`, 'login');
      results.push(
        await sending.then(
          () => 'sent',
          (error) => error.details.retryAfterSeconds,
        ),
      );
      world.pass(20);
    }
    // A refused request costs no budget.
    expect(results).toEqual([
      'sent',
      'sent',
      20,
      'sent',
      'sent',
      20,
      'sent',
      86_260,
      86_240,
      86_220,
      86_200,
      86_180,
    ]);
  });

  test('VC11: a sender refused by their own limits uses up no shared budget', async () => {
    const world = create({ limits: { globalPerDay: 3, perHour: 2, resendSeconds: 0 } });
    const browser = world.browser();
    for (let count = 0; count < 2; count += 1) await browser.sendCode(ADA, 'login');
    for (let count = 0; count < 5; count += 1)
      expect(await codeOf(browser.sendCode(ADA, 'login'))).toBe('rate_limited');
    await world.browser().sendCode(BOB, 'login');
    expect(await codeOf(world.browser().sendCode('cy@example.com', 'login'))).toBe('rate_limited');
    // The refusal itself is not counted either.
    const { rows } = await sql<{ hits: number }>`
      select hits from rate_limit where key in ('code.day.all', 'code.minute.all')`.execute(connection.db);
    expect(rows).toEqual([{ hits: 3 }, { hits: 3 }]);
  });

  test.skipIf(connection.kind === 'pglite')(
    'a sending that stops in the middle keeps nobody else from theirs',
    async () => {
      const gate = Promise.withResolvers<void>();
      const arrived = Promise.withResolvers<void>();
      const world = create({
        whileAdding: async ({ to }) => {
          if (to !== ADA) return;
          arrived.resolve();
          await gate.promise;
        },
      });
      const stopped = world.browser().sendCode(ADA, 'login');
      await arrived.promise;
      await world.browser('198.51.100.7').sendCode(BOB, 'login');
      gate.resolve();
      await stopped;
    },
  );

  test('VC11: of parallel requests no more get a code than the budget has, and the refused ones open it for nobody', async () => {
    const world = create({ limits: { perPrefixPerHour: 10, perAddressPerHour: 1_000 } });
    for (const round of [1, 2, 3]) {
      const sends = Array.from({ length: 100 }, (_, n) =>
        world.browser().sendCode(`+8613800${round}${String(n).padStart(5, '0')}`, 'login'),
      );
      await Promise.allSettled(sends);
    }
    expect(world.messages.length).toBeLessThanOrEqual(10);
  });

  test('VC11: a budget of 0 means no budget', async () => {
    const world = create({
      limits: { perPrefixPerHour: 0, globalPerMinute: 0, globalPerDay: 0, perAddressPerHour: 100 },
    });
    for (let count = 10; count < 50; count += 1)
      await world.browser().sendCode(`+86138001380${count}`, 'login');
    expect(world.messages).toHaveLength(40);
  });

  test('VC11: with a list of countries, numbers of other countries are refused and nothing is sent', async () => {
    const world = create({ limits: { phonePrefixes: ['+86', '+852'] } });
    await expect(world.browser().sendCode('+33612345678', 'login')).rejects.toEqual(refusal('phone_invalid'));
    expect(await connection.db.selectFrom('rate_limit').selectAll().execute()).toEqual([]);
    for (const identifier of [PHONE, '+85291234567', ADA])
      await world.browser().sendCode(identifier, 'login');
    expect(world.messages).toHaveLength(3);
  });

  test('VC11: codes sent and proven are counted by channel and purpose', async () => {
    const world = create();
    await world.browser().getTicket(PHONE, 'login');
    await world.browser().sendCode('+8613800138001', 'login');
    await world.browser().sendCode(ADA, 'register');
    await world.browser().sendCode('nobody@example.com', 'recover');
    expect(world.verification.countCodes()).toEqual([
      { channel: 'sms', purpose: 'login', prefix: '86', sent: 2, verified: 1 },
      { channel: 'email', purpose: 'register', prefix: '', sent: 1, verified: 0 },
    ]);
  });
});
