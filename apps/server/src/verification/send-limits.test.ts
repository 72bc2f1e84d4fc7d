import type { CodePurpose } from '@candela/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestIdentity, type TestIdentityOptions } from '../authentication/testing.ts';
import type { Connection } from '../db/connect.ts';
import { openTestDatabases } from '../db/testing.ts';

const ADA = 'ada@example.com';
const PHONE = '+86 138 0013 8000';
const refusal = (code: string) => expect.objectContaining({ code });

describe.each(openTestDatabases())('limits of sending codes on $name', ({ open }) => {
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

  test('VC9: another code is sent after the pause, kept for the identifier and purpose', async () => {
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

  test('VC11: a block of numbers has a budget of its own, and no other pays for it', async () => {
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

  test('VC11: all codes together have a budget for the minute and one for the day', async () => {
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
    // What was refused costs nothing.
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

  test('VC11: a budget of 0 is none', async () => {
    const world = create({
      limits: { perPrefixPerHour: 0, globalPerMinute: 0, globalPerDay: 0, perAddressPerHour: 100 },
    });
    for (let count = 10; count < 50; count += 1)
      await world.browser().sendCode(`+86138001380${count}`, 'login');
    expect(world.messages).toHaveLength(40);
  });

  test('VC11: where countries are listed, numbers of others are refused and nothing is sent', async () => {
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
      { channel: 'sms', purpose: 'login', sent: 2, verified: 1 },
      { channel: 'email', purpose: 'register', sent: 1, verified: 0 },
    ]);
  });
});
