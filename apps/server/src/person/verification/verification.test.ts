import type { CodePurpose } from '@candela/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeOnDatabase } from '../../../testing/describe-on-databases.ts';
import {
  codeOf,
  createTestIdentity,
  otherCode,
  type TestIdentityOptions,
} from '../../../testing/identity.ts';
import { rememberAccount } from '../../../testing/remember-account.ts';
import { deleteExpired } from '../../ground/db/delete-expired.ts';
import { createOpaqueToken } from '../../ground/opaque-token.ts';
import { createCode } from './secrets.ts';
import { ticketRows } from './ticket.repository.ts';
import { verificationCodeRows } from './verification-code.repository.ts';

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
    // The quantile of 1 - 1e-6 of the chi-squared distribution with nine degrees of freedom.
    expect(chiSquare).toBeLessThan(45.1);
  }
});

describeOnDatabase('verification codes', (connection) => {
  beforeEach(async () => {
    for (const table of ['verification_code', 'ticket', 'rate_limit', 'account'] as const) {
      await connection.db.deleteFrom(table).execute();
    }
  });
  const create = (options?: TestIdentityOptions) => createTestIdentity(connection.db, options);

  test('a code is valid at a process whose first key is another, in both directions', async () => {
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

  test('VC2: a code is valid until its lifetime ends', async () => {
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

  test('VC3: a code is valid once', async () => {
    const world = create();
    const browser = world.browser();
    const code = await browser.getCode(ADA, 'login');
    await browser.verifyCode(ADA, code, 'login');
    await expect(browser.verifyCode(ADA, code, 'login')).rejects.toEqual(refusal('code_expired'));
  });

  test('VC3: one of 20 parallel uses of a right code succeeds', async () => {
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

  test('VC6: a code belongs to its identifier, in any spelling, and to no other identifier', async () => {
    const world = create();
    const browser = world.browser();
    const code = await browser.getCode(PHONE, 'login');
    await expect(browser.verifyCode('+8613800138001', code, 'login')).rejects.toEqual(
      refusal('code_incorrect'),
    );
    await browser.verifyCode('+8613800138000', code, 'login');
  });

  test('VC7: a try from another browser is refused and leaves the code unchanged', async () => {
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

  test('VC7: tries from one browser after another count for their network, and a /48 has ten times as many tries', async () => {
    const world = create();
    const attempt = (n: number) => {
      const stranger = world.browser(`2001:db8:7:${((n * 257) % 65_536).toString(16)}::1`);
      return codeOf(stranger.verifyCode(ADA, '000000', 'login'));
    };
    for (let n = 0; n < 300; n += 1) expect(await attempt(n)).toBe('code_incorrect');
    for (let n = 300; n < 310; n += 1) expect(await attempt(n)).toBe('rate_limited');
  });

  describe('after 50 wrong codes in a row', () => {
    /** Tries wrong codes in new browsers, of each purpose in turn. */
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

    test('a code to sign in is refused while the password signs in, until the password does', async () => {
      const world = createWide();
      const account = await world.signUp(ADA);
      await fail(world, ADA, { times: 50 });
      world.pass(7 * 86_400);
      const browser = world.browser();
      const code = await browser.getCode(ADA, 'login');
      expect(await codeOf(browser.verifyCode(ADA, code, 'login'))).toBe('step_up_required');
      expect(await codeOf(browser.verifyCode(ADA, otherCode(code), 'login'))).toBe('step_up_required');
      await world.browser().signIn(ADA, { password: 'sunny42day' });
      // The refusals left the code itself unchanged.
      expect(await browser.signIn(ADA, { code })).toEqual(account);
      await fail(world, ADA, { times: 50 });
    });

    test('an identifier without an account gets the same answer', async () => {
      const world = createWide();
      await fail(world, ADA, { times: 50, purposes: ['login', 'register'] });
      expect(await attempt(world.browser(), 'login')).toBe('step_up_required');
    });

    test('an account without a password still signs in with a code', async () => {
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

    test('of parallel tries in many browsers, one code for each browser is compared', async () => {
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

    test('the count of one identifier shows nothing of another identifier of the account', async () => {
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

    test('tries of a session have their own count, which strangers cannot use up', async () => {
      const world = createWide();
      const { id: accountId } = await world.signUp(ADA);
      await fail(world, ADA, { times: 50 });
      const { browserId, address, getCode } = world.browser();
      for (const purpose of ['bind', 'step-up'] as const) {
        const right = await getCode(ADA, purpose);
        const spend = (code: string) =>
          world.verification.verifyCode({ identifier: ADA, code, purpose, browserId, address, accountId });
        for (let count = 0; count < 4; count += 1)
          expect(await codeOf(spend(otherCode(right)))).toBe('code_incorrect');
        await spend(right);
      }
    });

    test('a right code in between resets the count', async () => {
      const world = createWide();
      await world.signUp(ADA);
      for (let round = 0; round < 3; round += 1) {
        await fail(world, ADA, { times: 30 });
        await world.browser().getTicket(ADA, 'login');
      }
    });

    test('tries in a browser that requested no code count for no identifier', async () => {
      const world = createWide();
      await world.signUp(ADA);
      for (let count = 0; count < 60; count += 1)
        await codeOf(world.browser(`203.0.113.${count}`).verifyCode(ADA, '000000', 'login'));
      await world.browser().getTicket(ADA, 'login');
    });

    test('a browser that the account knows still has 50 tries of its own, and adds to the count', async () => {
      const world = createWide();
      const { id } = await world.signUp(ADA);
      const owner = world.browser('192.0.2.7');
      const browser = { browserId: owner.browserId, at: world.clock.at };
      await rememberAccount(connection.db, browser, { accountId: id });
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

  test('each outcome logs an event, with the reason and any account', async () => {
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

  test('VC8: a new code ends the old code of the same browser, and of no other browser', async () => {
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

  test('VC4: all processes share the count of tries, which survives restarts', async () => {
    const [one, another] = [create(), create()];
    const browser = one.browser();
    const code = await browser.getCode(ADA, 'login');
    const elsewhere = another.browser(browser.address, browser.browserId);
    for (const place of [browser, elsewhere, browser, elsewhere, elsewhere]) {
      await expect(place.verifyCode(ADA, otherCode(code), 'login')).rejects.toEqual(
        refusal('code_incorrect'),
      );
    }
    await expect(
      create().browser(browser.address, browser.browserId).verifyCode(ADA, code, 'login'),
    ).rejects.toEqual(refusal('code_exhausted'));
  });

  test('VC12: recovery gives the same answer without an account, and sends nothing', async () => {
    const world = create();
    await world.signUp(ADA);
    world.messages.length = 0;
    const known = await world.browser().sendCode(ADA, 'recover');
    const unknown = await world.browser().sendCode('eve@example.com', 'recover');
    expect(unknown).toEqual(known);
    expect(world.messages.map(({ to, isDropped = false }) => [to, isDropped])).toEqual([
      [ADA, false],
      ['eve@example.com', true],
    ]);
    await expect(world.browser().sendCode('eve@example.com', 'recover')).rejects.toEqual(
      refusal('rate_limited'),
    );
  });

  test('with the policy reveal no code to sign in is sent to an identifier without an account', async () => {
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

  test('VC13: the database stores neither codes nor tickets in clear', async () => {
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
    for (const secret of [`"${code}"`, ticket, browser.browserId]) expect(rows).not.toContain(secret);
  });

  test('the sweep deletes expired rows only, a batch at a time', async () => {
    const world = create();
    const browser = world.browser();
    const sweepUpTo = async (limit: number) => [
      await verificationCodeRows.sweep(connection.db, world.clock.at, limit),
      await ticketRows.sweep(connection.db, world.clock.at, limit),
      await deleteExpired(connection.db, { table: 'rate_limit', now: world.clock.at, limit }),
    ];
    await browser.getTicket(ADA, 'login');
    await browser.sendCode(PHONE, 'login');
    expect(await sweepUpTo(100)).toEqual([0, 0, 0]);
    world.pass(600 + 3600);
    await browser.sendCode('eve@example.com', 'login');
    expect(await sweepUpTo(1)).toEqual([1, 1, 1]);
    await sweepUpTo(100);
    const left = await connection.db.selectFrom('verification_code').select('identifier').execute();
    expect(left).toEqual([{ identifier: 'eve@example.com' }]);
    expect(await connection.db.selectFrom('ticket').selectAll().execute()).toEqual([]);
  });
});
