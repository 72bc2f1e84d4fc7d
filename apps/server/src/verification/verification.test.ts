import type { CodePurpose } from '@candela/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabases } from '../../testing/databases.ts';
import { codeOf, createTestIdentity, otherCode, type TestIdentityOptions } from '../../testing/identity.ts';
import type { Connection } from '../db/connect.ts';
import { upsertDeviceAccount } from '../device/device-account.repository.ts';
import { createOpaqueToken, hashToken } from '../opaque-token.ts';
import { sweepVerification } from '../rate-limit/sweep.ts';
import { createCode } from './secrets.ts';

const ADA = 'ada@example.com';
const DEVICE = createOpaqueToken();
const PHONE = '+86 138 0013 8000';
const refusal = (code: string) => expect.objectContaining({ code });
const countBy = (results: PromiseSettledResult<unknown>[]) => ({
  won: results.filter(({ status }) => status === 'fulfilled').length,
  codes: results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : [])),
});

test('VC1: codes are six digits, leading zeros included, each digit as likely as another', () => {
  const codes = Array.from({ length: 10_000 }, createCode);
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
  for (let place = 0; place < 6; place += 1) {
    const counts = Array.from(
      { length: 10 },
      (_, digit) => codes.filter((code) => code[place] === `${digit}`).length,
    );
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // The quantile of 1 - 1e-6 for nine degrees of freedom.
    expect(chiSquare).toBeLessThan(45.1);
  }
});

describe.each(openTestDatabases())('verification codes on $name', ({ open }) => {
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

  test('a code that one process made is right at another that has a newer key in front, and the other way about', async () => {
    const before = create({ codeKeys: ['old', 'new'] });
    const after = create({ codeKeys: ['new', 'old'] });
    for (const [maker, verifier] of [
      [before, after],
      [after, before],
    ] as const) {
      const browser = maker.browser('192.0.2.1', DEVICE);
      const code = await browser.getCode(ADA, 'register');
      const elsewhere = verifier.browser('192.0.2.1', DEVICE);
      await expect(elsewhere.verifyCode(ADA, otherCode(code), 'register')).rejects.toEqual(
        refusal('code_incorrect'),
      );
      expect(await elsewhere.verifyCode(ADA, code, 'register')).toHaveProperty('ticket');
      await connection.db.deleteFrom('rate_limit').execute();
    }
  });

  test('VC2: a code is good until its time is over', async () => {
    const world = create();
    const browser = world.browser();
    const sent = await browser.sendCode(ADA, 'login');
    expect(sent).toEqual({
      expiresAt: new Date('2026-01-01T00:05:00Z'),
      resendAt: new Date('2026-01-01T00:01:00Z'),
    });
    const code = world.messages[0]?.code ?? '';
    world.pass(299);
    const { ticket, expiresAt } = await browser.verifyCode(ADA, code, 'login');
    expect(ticket).toMatch(/^[\w-]{43}$/);
    expect(expiresAt).toEqual(new Date('2026-01-01T00:14:59Z'));
    const late = await browser.getCode(ADA, 'login');
    world.pass(301);
    await expect(browser.verifyCode(ADA, late, 'login')).rejects.toMatchObject({
      code: 'code_expired',
      details: { fields: { code: 'code_expired' } },
    });
  });

  test('VC3: a code is good once', async () => {
    const world = create();
    const browser = world.browser();
    const code = await browser.getCode(ADA, 'login');
    await browser.verifyCode(ADA, code, 'login');
    await expect(browser.verifyCode(ADA, code, 'login')).rejects.toEqual(refusal('code_expired'));
  });

  test('VC3: of 20 parallel uses of a right code one wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const world = create();
      const browser = world.browser();
      const identifier = `round${round}@example.com`;
      const code = await browser.getCode(identifier, 'login');
      const uses = Array.from({ length: 20 }, () => browser.verifyCode(identifier, code, 'login'));
      expect(countBy(await Promise.allSettled(uses)).won).toBe(1);
      const tickets = connection.db.selectFrom('ticket').where('identifier', '=', identifier);
      expect(await tickets.selectAll().execute()).toHaveLength(1);
    }
  });

  test('VC4: after five wrong tries the right code is refused too', async () => {
    const world = create();
    const browser = world.browser();
    const code = await browser.getCode(ADA, 'login');
    for (let count = 0; count < 5; count += 1) {
      await expect(browser.verifyCode(ADA, otherCode(code), 'login')).rejects.toEqual(
        refusal('code_incorrect'),
      );
    }
    await expect(browser.verifyCode(ADA, code, 'login')).rejects.toEqual(refusal('code_exhausted'));
    world.pass(60);
    const fresh = await browser.getCode(ADA, 'login');
    await browser.verifyCode(ADA, fresh, 'login');
  });

  test('of 50 parallel wrong tries five are compared', async () => {
    const world = create();
    const browser = world.browser();
    const code = await browser.getCode(ADA, 'login');
    const tries = Array.from({ length: 50 }, () => browser.verifyCode(ADA, otherCode(code), 'login'));
    const { won, codes } = countBy(await Promise.allSettled(tries));
    expect(won).toBe(0);
    expect(codes.filter((one) => one === 'code_incorrect')).toHaveLength(5);
    expect(codes.filter((one) => one === 'code_exhausted')).toHaveLength(45);
    await expect(browser.verifyCode(ADA, code, 'login')).rejects.toEqual(refusal('code_exhausted'));
  });

  test.each<CodePurpose>(['register', 'recover', 'bind', 'step-up'])(
    'VC5: a code to sign in is no code to %s',
    async (purpose) => {
      const world = create();
      const browser = world.browser();
      const code = await browser.getCode(ADA, 'login');
      await expect(browser.verifyCode(ADA, code, purpose)).rejects.toEqual(refusal('code_incorrect'));
      await browser.verifyCode(ADA, code, 'login');
    },
  );

  test('VC6: a code belongs to its identifier in any spelling, and to no other', async () => {
    const world = create();
    const browser = world.browser();
    const code = await browser.getCode(PHONE, 'login');
    await expect(browser.verifyCode('+8613800138001', code, 'login')).rejects.toEqual(
      refusal('code_incorrect'),
    );
    await browser.verifyCode('+8613800138000', code, 'login');
  });

  test('VC7: a try from another browser is refused and leaves the code alone', async () => {
    const world = create();
    const browser = world.browser();
    const stranger = world.browser('203.0.113.9');
    const code = await browser.getCode(ADA, 'login');
    for (let count = 0; count < 30; count += 1) {
      await expect(stranger.verifyCode(ADA, code, 'login')).rejects.toEqual(refusal('code_incorrect'));
    }
    await expect(stranger.verifyCode(ADA, code, 'login')).rejects.toEqual(refusal('rate_limited'));
    await browser.verifyCode(ADA, code, 'login');
  });

  test('VC7: tries from one browser after another add up for the network, and a /48 has ten times as many', async () => {
    const world = create();
    const attempt = (n: number) => {
      const stranger = world.browser(`2001:db8:7:${((n * 257) % 65_536).toString(16)}::1`);
      return codeOf(stranger.verifyCode(ADA, '000000', 'login'));
    };
    for (let n = 0; n < 300; n += 1) expect(await attempt(n)).toBe('code_incorrect');
    for (let n = 300; n < 310; n += 1) expect(await attempt(n)).toBe('rate_limited');
  });

  describe('after 50 wrong codes in a row', () => {
    /** Tries wrong codes in new browsers, of purposes in turn. */
    const fail = async (
      world: ReturnType<typeof create>,
      identifier: string,
      { times, purposes = ['login', 'recover'] }: { times: number; purposes?: CodePurpose[] },
    ) => {
      for (let count = 0; count < times; count += 1) {
        const browser = world.browser(`203.0.113.${count}`);
        const purpose = purposes[count % purposes.length] ?? 'login';
        const code = await browser.getCode(identifier, purpose);
        expect(await codeOf(browser.verifyCode(identifier, otherCode(code), purpose))).toBe('code_incorrect');
      }
    };
    const createWide = () =>
      create({ limits: { perHour: 1000, perDay: 1000, resendSeconds: 0, perAddressPerHour: 1000 } });
    const attempt = async (
      browser: ReturnType<ReturnType<typeof create>['browser']>,
      purpose: CodePurpose,
    ) => {
      const code = await browser.getCode(ADA, purpose);
      return codeOf(browser.verifyCode(ADA, code, purpose));
    };

    test('one to sign in is refused too while the password signs in, until it proves who is there', async () => {
      const world = createWide();
      const account = await world.signUp(ADA);
      await fail(world, ADA, { times: 50 });
      world.pass(7 * 86_400);
      const browser = world.browser();
      const code = await browser.getCode(ADA, 'login');
      expect(await codeOf(browser.verifyCode(ADA, code, 'login'))).toBe('step_up_required');
      expect(await codeOf(browser.verifyCode(ADA, otherCode(code), 'login'))).toBe('step_up_required');
      await world.browser().signIn(ADA, { password: 'sunny42day' });
      // The code itself was not touched meanwhile.
      expect(await browser.signIn(ADA, { code })).toEqual(account);
      await fail(world, ADA, { times: 50 });
    });

    test('an identifier without an account answers the same', async () => {
      const world = createWide();
      await fail(world, ADA, { times: 50, purposes: ['login', 'register'] });
      expect(await attempt(world.browser(), 'login')).toBe('step_up_required');
    });

    test('an account without a password is signed in to with a code', async () => {
      const world = createWide();
      const { id } = await world.signUp(ADA);
      await connection.db.deleteFrom('password').execute();
      await fail(world, ADA, { times: 50 });
      const browser = world.browser();
      expect(await browser.signIn(ADA, { code: await browser.getCode(ADA, 'login') })).toMatchObject({ id });
    });

    test.each<CodePurpose>(['recover', 'register'])(
      'one to %s has one try, and a right one starts the count anew',
      async (purpose) => {
        const world = createWide();
        await world.signUp(ADA);
        await fail(world, ADA, { times: 50 });
        const browser = world.browser();
        const code = await browser.getCode(ADA, purpose);
        expect(await codeOf(browser.verifyCode(ADA, otherCode(code), purpose))).toBe('code_incorrect');
        for (const tried of [code, otherCode(code)])
          expect(await codeOf(browser.verifyCode(ADA, tried, purpose))).toBe('code_exhausted');
        await browser.getTicket(ADA, purpose);
        await fail(world, ADA, { times: 50 });
      },
    );

    test('of parallel tries of codes in many browsers no more are compared than one for each', async () => {
      const world = createWide();
      await world.signUp(ADA);
      await fail(world, ADA, { times: 49 });
      const browsers = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const browser = world.browser();
          return { browser, code: await browser.getCode(ADA, 'recover') };
        }),
      );
      const tries = browsers.flatMap(({ browser, code }) =>
        Array.from({ length: 5 }, () => codeOf(browser.verifyCode(ADA, otherCode(code), 'recover'))),
      );
      const compared = (await Promise.all(tries)).filter((code) => code === 'code_incorrect');
      expect(compared.length).toBeLessThanOrEqual(7);
    });

    test('those of one identifier tell nothing of another of the same account', async () => {
      const world = createWide();
      const { id } = await world.signUp(ADA);
      await connection.db
        .insertInto('account_identifier')
        .values({
          kind: 'phone',
          value: '+8613800138000',
          display: PHONE,
          account_id: id,
          verified_at: new Date(),
        })
        .execute();
      await world.signUp('+8613800138001');
      await fail(world, ADA, { times: 50, purposes: ['recover'] });
      const answersFor = async (phone: string) => {
        const browser = world.browser();
        const answers = [];
        for (const purpose of ['login', 'recover'] as const) {
          const code = await browser.getCode(phone, purpose);
          for (let count = 0; count < 6; count += 1)
            answers.push(await codeOf(browser.verifyCode(phone, otherCode(code), purpose)));
        }
        return answers;
      };
      const expected = [...Array(5).fill('code_incorrect'), 'code_exhausted'];
      for (const phone of ['+8613800138000', '+8613800138001', '+8613800138002'])
        expect(await answersFor(phone)).toEqual([...expected, ...expected]);
    });

    test('who is signed in counts apart: what strangers tried takes no try away', async () => {
      const world = createWide();
      const { id: accountId } = await world.signUp(ADA);
      await fail(world, ADA, { times: 50 });
      const { device, address, getCode } = world.browser();
      for (const purpose of ['bind', 'step-up'] as const) {
        const right = await getCode(ADA, purpose);
        const spend = (code: string) =>
          world.verification.verifyCode({ identifier: ADA, code, purpose, device, address, accountId });
        for (let count = 0; count < 4; count += 1)
          expect(await codeOf(spend(otherCode(right)))).toBe('code_incorrect');
        await spend(right);
      }
    });

    test('a right one in between starts the count anew', async () => {
      const world = createWide();
      await world.signUp(ADA);
      for (let round = 0; round < 3; round += 1) {
        await fail(world, ADA, { times: 30 });
        await world.browser().getTicket(ADA, 'login');
      }
    });

    test('tries without a code of their own count for nobody', async () => {
      const world = createWide();
      await world.signUp(ADA);
      for (let count = 0; count < 60; count += 1)
        await codeOf(world.browser(`203.0.113.${count}`).verifyCode(ADA, '000000', 'login'));
      await world.browser().getTicket(ADA, 'login');
    });

    test('a browser that the account knows goes on, with 50 of its own, and adds to the count', async () => {
      const world = createWide();
      const { id } = await world.signUp(ADA);
      const owner = world.browser('192.0.2.7');
      const device_hash = hashToken(owner.device);
      const last_used_at = world.clock.at;
      const unshown = { kind: null, value: null, display: null };
      await upsertDeviceAccount(connection.db, { device_hash, account_id: id, last_used_at, ...unshown });
      const miss = async () => {
        const code = await owner.getCode(ADA, 'login');
        return codeOf(owner.verifyCode(ADA, otherCode(code), 'login'));
      };
      await fail(world, ADA, { times: 50 });
      await owner.getTicket(ADA, 'login');
      await fail(world, ADA, { times: 49 });
      expect(await miss()).toBe('code_incorrect');
      expect(await attempt(world.browser(), 'login')).toBe('step_up_required');
      for (let count = 0; count < 49; count += 1) expect(await miss()).toBe('code_incorrect');
      expect(await miss()).toBe('step_up_required');
      expect(await attempt(owner, 'login')).toBe('step_up_required');
    });
  });

  test('says of each outcome whose code it was, where there is an account, and why', async () => {
    const world = create();
    const { id } = await world.signUp(ADA);
    const before = world.events.all.length;
    const browser = world.browser();
    const code = await browser.getCode(ADA, 'login');
    await codeOf(browser.verifyCode(ADA, otherCode(code), 'login'));
    await browser.verifyCode(ADA, code, 'login');
    await codeOf(browser.verifyCode(ADA, code, 'login'));
    await codeOf(browser.verifyCode(PHONE, '000000', 'recover'));
    const said = { purpose: 'login', channel: 'email', accountId: id };
    expect(world.events.all.slice(before + 1)).toEqual([
      { event: 'code.refused', ...said, reason: 'code_incorrect' },
      { event: 'code.verified', ...said },
      { event: 'code.refused', ...said, reason: 'code_expired' },
      {
        event: 'code.refused',
        purpose: 'recover',
        channel: 'sms',
        accountId: undefined,
        reason: 'code_incorrect',
      },
    ]);
    expect(JSON.stringify(world.events.all)).not.toMatch(/@|8613800/);
  });

  test('VC8: a new code from the same browser ends the old one, from another browser it does not', async () => {
    const world = create();
    const [one, other] = [world.browser(), world.browser()];
    const first = await one.getCode(ADA, 'login');
    world.pass(60);
    const second = await other.getCode(ADA, 'login');
    world.pass(60);
    await one.verifyCode(ADA, first, 'login');
    const third = await other.getCode(ADA, 'login');
    if (second !== third) {
      await expect(other.verifyCode(ADA, second, 'login')).rejects.toEqual(refusal('code_incorrect'));
    }
    await other.verifyCode(ADA, third, 'login');
  });

  test('VC4: tries are shared between processes and outlive them', async () => {
    const [one, another] = [create(), create()];
    const browser = one.browser();
    const code = await browser.getCode(ADA, 'login');
    const elsewhere = another.browser(browser.address, browser.device);
    for (const place of [browser, elsewhere, browser, elsewhere, elsewhere]) {
      await expect(place.verifyCode(ADA, otherCode(code), 'login')).rejects.toEqual(
        refusal('code_incorrect'),
      );
    }
    await expect(
      create().browser(browser.address, browser.device).verifyCode(ADA, code, 'login'),
    ).rejects.toEqual(refusal('code_exhausted'));
  });

  test('VC12: recovery answers the same without an account, and sends nothing', async () => {
    const world = create();
    await world.signUp(ADA);
    world.messages.length = 0;
    const known = await world.browser().sendCode(ADA, 'recover');
    const unknown = await world.browser().sendCode('eve@example.com', 'recover');
    expect(unknown).toEqual(known);
    expect(world.messages.map(({ to }) => to)).toEqual([ADA]);
    await expect(world.browser().sendCode('eve@example.com', 'recover')).rejects.toEqual(
      refusal('rate_limited'),
    );
  });

  test('where unknown accounts are revealed, a code to sign in is not sent to one', async () => {
    const world = create({ unknownAccount: 'reveal' });
    await expect(world.browser().sendCode(ADA, 'login')).rejects.toEqual(refusal('account_not_found'));
    expect(world.messages).toEqual([]);
  });

  test.each(['full-width digits', 'spaces', 'dashes', 'a zero-width space'])(
    '%s in a typed code are folded',
    async (how) => {
      const world = create();
      const browser = world.browser();
      const code = await browser.getCode(ADA, 'login');
      const typed: Record<string, string> = {
        'full-width digits': code.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
        spaces: ` ${code.slice(0, 3)} ${code.slice(3)}\u00a0`,
        dashes: `${code.slice(0, 3)}–${code.slice(3, 5)}-${code.slice(5)}`,
        'a zero-width space': `${code}\u200b`,
      };
      await browser.verifyCode(ADA, typed[how] ?? '', 'login');
    },
  );

  test('VC13: the database holds neither a code nor a ticket', async () => {
    const world = create();
    const browser = world.browser();
    const code = await browser.getCode(ADA, 'login');
    const ticket = await browser.getTicket(PHONE, 'login');
    const rows = JSON.stringify([
      await connection.db.selectFrom('verification_code').selectAll().execute(),
      await connection.db.selectFrom('ticket').selectAll().execute(),
      await connection.db.selectFrom('rate_limit').selectAll().execute(),
    ]);
    expect(rows).toContain(ADA);
    for (const secret of [`"${code}"`, ticket, browser.device]) expect(rows).not.toContain(secret);
  });

  test('the sweep deletes what is over, a batch at a time, and nothing else', async () => {
    const world = create();
    const browser = world.browser();
    await browser.getTicket(ADA, 'login');
    await browser.sendCode(PHONE, 'login');
    expect(await sweepVerification(connection.db, world.clock.at, 100)).toBe(0);
    world.pass(600 + 3600);
    await browser.sendCode('eve@example.com', 'login');
    expect(await sweepVerification(connection.db, world.clock.at, 1)).toBe(3);
    await sweepVerification(connection.db, world.clock.at, 100);
    const left = await connection.db.selectFrom('verification_code').select('identifier').execute();
    expect(left).toEqual([{ identifier: 'eve@example.com' }]);
    expect(await connection.db.selectFrom('ticket').selectAll().execute()).toEqual([]);
  });
});
