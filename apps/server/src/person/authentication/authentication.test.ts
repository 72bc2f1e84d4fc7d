import { beforeEach, describe, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import {
  codeOf,
  createTestIdentity,
  otherCode,
  refusalOf,
  type TestIdentityOptions,
} from '../../../testing/identity.ts';
import { AppError } from '../../ground/errors.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';

const ADA = 'ada@example.com';
const PHONE = '+86 138 0013 8000';
const PASSWORD = 'sunny42day';

describeOnDatabases('authentication', (connection) => {
  beforeEach(async () => {
    for (const table of ['verification_code', 'ticket', 'rate_limit', 'account'] as const) {
      await connection.db.deleteFrom(table).execute();
    }
  });
  const create = (options?: TestIdentityOptions) => createTestIdentity(connection.db, options);
  const countAccounts = async () => (await connection.db.selectFrom('account').select('id').execute()).length;
  const disable = (id: string) =>
    connection.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', id).execute();

  describe('registration', () => {
    test('creates an account with the identifier, the password and the agreements', async () => {
      const world = create();
      const account = await world.signUp('Ada@Example.com');
      expect(account).toEqual({
        id: expect.stringMatching(/^[\w-]{22}$/),
        nickname: expect.stringMatching(/^Lamplighter \w{4}$/),
        email: 'Ada@example.com',
        locale: 'en',
        hasPassword: true,
        passwordChangedAt: '2026-01-01T00:00:00.000Z',
      });
      const accepted = await connection.db.selectFrom('agreement_acceptance').selectAll().execute();
      expect(accepted.map((row) => [row.account_id, row.agreement_id, row.brand, row.locale])).toEqual([
        [account.id, 'terms', 'aurelia', 'en'],
        [account.id, 'privacy', 'aurelia', 'en'],
      ]);
      const { hash } = await connection.db.selectFrom('password').select('hash').executeTakeFirstOrThrow();
      expect(hash).toMatch(/^\$argon2id\$v=19\$/);
      expect(await world.browser().signIn(ADA, { password: PASSWORD })).toEqual(account);
    });

    test('stores a phone number in E.164', async () => {
      const world = create();
      expect(await world.signUp(PHONE)).toMatchObject({ phone: '+8613800138000' });
    });

    test.each([
      ['password_too_short', { password: 'abc12' }],
      ['password_has_symbols', { password: 'sunny-42-day' }],
      ['password_too_common', { password: 'password123' }],
      ['password_too_common', { password: 'ada2026' }],
      ['agreements_required', { agreements: [{ id: 'terms', version: '2026-11-01' }] }],
      [
        'agreements_required',
        {
          agreements: [
            { id: 'terms', version: '1999' },
            { id: 'privacy', version: '1999' },
          ],
        },
      ],
    ])('refused with %s costs no new code', async (code, wrong) => {
      const world = create();
      const browser = world.browser();
      const proof = { code: await browser.getCode(ADA, 'register') };
      const refusal = await refusalOf(browser.register(ADA, { ...proof, ...wrong }));
      expect(refusal.code).toBe(code);
      expect(Object.values(refusal.details.fields ?? {})).toEqual([code]);
      expect(await countAccounts()).toBe(0);
      await browser.register(ADA, { ticket: refusal.details.ticket ?? '' });
    });

    test('refused because the queue is full needs no new code', async () => {
      const full: PasswordHasher = {
        hash: () => Promise.reject(new AppError('busy', { retryAfterSeconds: 2 })),
        verify: () => Promise.resolve(false),
        verifyElsewhere: async () => false,
        needsRehash: () => false,
      };
      const browser = create({ hasher: full }).browser();
      const refusal = await refusalOf(
        browser.register(ADA, { code: await browser.getCode(ADA, 'register') }),
      );
      expect(refusal).toMatchObject({
        code: 'busy',
        details: { retryAfterSeconds: 2, ticket: expect.any(String) },
      });
    });

    test('of a taken identifier is refused once its owner has proven it, with a ticket that signs in', async () => {
      const world = create();
      const account = await world.signUp(PHONE);
      world.pass(60);
      const browser = world.browser();
      const code = await browser.getCode('+8613800138000', 'register');
      expect(await codeOf(browser.register(PHONE, { code: otherCode(code) }))).toBe('code_incorrect');
      const refusal = await refusalOf(browser.register(PHONE, { code }));
      expect(refusal.code).toBe('identifier_taken');
      const ticket = refusal.details.ticket ?? '';
      expect(await browser.signIn(PHONE, { ticket })).toEqual(account);
      expect(await codeOf(browser.signIn(PHONE, { ticket }))).toBe('ticket_invalid');
    });

    test('of one identifier by two browsers at once creates one account', async () => {
      for (let round = 0; round < 5; round += 1) {
        const world = create();
        const digits = `+861380013800${round}`;
        const spaced = digits.replace('+86138', '+86 138 ');
        const [one, other] = [world.browser(), world.browser()];
        const first = await one.getTicket(digits, 'register');
        world.pass(60);
        const second = await other.getTicket(spaced, 'register');
        const results = await Promise.allSettled([
          one.register(digits, { ticket: first }),
          other.register(spaced, { ticket: second }),
        ]);
        const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
        expect(refused).toMatchObject([
          { code: 'identifier_taken', details: { ticket: expect.any(String) } },
        ]);
        const loser = refused[0].details.ticket === first ? one : other;
        await loser.signIn(digits, { ticket: refused[0].details.ticket });
        expect(await countAccounts()).toBe(round + 1);
      }
    });

    test('sent ten times at once creates one account and spends one ticket', async () => {
      const world = create();
      const browser = world.browser();
      const ticket = await browser.getTicket(ADA, 'register');
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () => browser.register(ADA, { ticket })),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await countAccounts()).toBe(1);
      expect(await codeOf(browser.signIn(ADA, { ticket }))).toBe('ticket_invalid');
    });
  });

  describe('a ticket', () => {
    test('to register or to sign in does both, in its browser and for its identifier only', async () => {
      const world = create();
      await world.signUp(ADA);
      world.pass(60);
      const browser = world.browser();
      const ticket = await browser.getTicket(ADA, 'register');
      const elsewhere = world.browser();
      expect(await codeOf(elsewhere.signIn(ADA, { ticket }))).toBe('ticket_invalid');
      expect(await codeOf(browser.signIn('eve@example.com', { ticket }))).toBe('ticket_invalid');
      expect(await codeOf(browser.register('eve@example.com', { ticket }))).toBe('ticket_invalid');
      await browser.signIn(ADA, { ticket });
    });

    test.each(['recover', 'bind', 'step-up'] as const)('to %s does neither', async (purpose) => {
      const world = create();
      await world.signUp(ADA);
      const browser = world.browser();
      const ticket = await browser.getTicket(ADA, purpose);
      expect(await codeOf(browser.signIn(ADA, { ticket }))).toBe('ticket_invalid');
      expect(await codeOf(browser.register(ADA, { ticket }))).toBe('ticket_invalid');
    });

    test('expires after ten minutes', async () => {
      const world = create();
      const browser = world.browser();
      const ticket = await browser.getTicket(ADA, 'register');
      world.pass(601);
      expect(await codeOf(browser.register(ADA, { ticket }))).toBe('ticket_invalid');
    });

    test('used twenty times at once signs in once', async () => {
      const world = create();
      await world.signUp(ADA);
      const browser = world.browser();
      const ticket = await browser.getTicket(ADA, 'login');
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () => browser.signIn(ADA, { ticket })),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  });

  describe('signing in with a code', () => {
    test('returns the account', async () => {
      const world = create();
      const account = await world.signUp(ADA);
      const browser = world.browser();
      expect(await browser.signIn(ADA, { code: await browser.getCode(ADA, 'login') })).toEqual(account);
    });

    test.each(['after-code', 'reveal', 'uniform'] as const)(
      'reveals only after the right code that there is no account, with a ticket to register (%s)',
      async (unknownAccount) => {
        const world = create({ unknownAccount });
        const browser = world.browser();
        const ticket = await browser.getTicket(ADA, 'register');
        const refusal = await refusalOf(browser.signIn(ADA, { ticket }));
        expect(refusal).toMatchObject({ code: 'account_not_found', details: { ticket } });
        await browser.register(ADA, { ticket });
      },
    );

    test('reveals nothing about the account before the code is right', async () => {
      const world = create();
      await disable((await world.signUp(ADA)).id);
      const browser = world.browser();
      for (const identifier of [ADA, 'eve@example.com']) {
        const code = await browser.getCode(identifier, 'login');
        expect(await codeOf(browser.signIn(identifier, { code: otherCode(code) }))).toBe('code_incorrect');
      }
    });
  });

  test('VC15: only the right proof reveals that an account is disabled', async () => {
    const world = create();
    await disable((await world.signUp(ADA)).id);
    const browser = world.browser();
    expect(await codeOf(browser.signIn(ADA, { password: 'wrong42day' }))).toBe('invalid_credentials');
    expect(await codeOf(browser.signIn(ADA, { password: PASSWORD }))).toBe('account_disabled');
    const refusal = await refusalOf(browser.signIn(ADA, { code: await browser.getCode(ADA, 'login') }));
    expect(refusal).toMatchObject({ code: 'account_disabled', details: { ticket: expect.any(String) } });
  });
});
