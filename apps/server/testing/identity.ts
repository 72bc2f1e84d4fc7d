import type { CodePurpose } from '@candela/contract';
import type { Kysely } from 'kysely';
import { builtInBrands } from '../src/branding/brand/built-in.ts';
import type { Database } from '../src/ground/db/database.ts';
import { AppError } from '../src/ground/errors.ts';
import { parseIdentifier } from '../src/ground/identifier/identifier.ts';
import { createOpaqueToken } from '../src/ground/opaque-token.ts';
import { createKeyOf } from '../src/ground/rate-limit/key-of.ts';
import { sealingKeys } from '../src/ground/seal.ts';
import { findAccountByIdentifier } from '../src/person/account/account.repository.ts';
import { createAccountService } from '../src/person/account/account.service.ts';
import type { UnknownAccountPolicy } from '../src/person/account/unknown-account-policy.ts';
import { createRefusedSignIns } from '../src/person/activity/refused-sign-ins.ts';
import { createAgreements } from '../src/person/agreement/agreement.service.ts';
import { createAuthenticationService } from '../src/person/authentication/authentication.service.ts';
import type { LegacySignIn } from '../src/person/authentication/legacy-sign-in.ts';
import { createPasswordLimits } from '../src/person/authentication/password-limits.ts';
import type { RegisterInput } from '../src/person/authentication/registration.ts';
import { createUnknownAccount } from '../src/person/authentication/unknown-account.ts';
import { createPasswordHasher, type PasswordHasher } from '../src/person/credential/password-hasher.ts';
import { createPasswordPolicy } from '../src/person/credential/password-policy.ts';
import type { Message } from '../src/person/delivery/message.ts';
import { createPasskeyProofs } from '../src/person/passkey/passkey-assertion.ts';
import { createRecoveryWaitService } from '../src/person/recovery-wait/recovery-wait.service.ts';
import { createSecondFactorService } from '../src/person/second-factor/second-factor.service.ts';
import { totpSealing } from '../src/person/second-factor/totp-sealing.ts';
import type { CodeLimits } from '../src/person/verification/send-limits.ts';
import { createVerificationService } from '../src/person/verification/verification.service.ts';
import { recordEvents } from './recorded-events.ts';

export interface TestIdentityOptions {
  unknownAccount?: UnknownAccountPolicy;
  limits?: Partial<CodeLimits>;
  hasher?: PasswordHasher;
  legacySignIn?: LegacySignIn;
  /** Keys to hash codes: the first key makes hashes, all keys verify them. */
  codeKeys?: readonly [string, ...string[]];
  /** Runs inside the transaction that promises a message. */
  whileAdding?: (message: Message) => Promise<void>;
}

const limits: CodeLimits = {
  ttlSeconds: 300,
  resendSeconds: 60,
  maxTries: 5,
  perHour: 5,
  perDay: 10,
  perAddressPerHour: 30,
};

const brand = { ...builtInBrands[0], origin: 'https://id.aurelia.example' };
const offered = createAgreements({ editions: [], now: () => new Date() });
const agreements = offered.list('en', brand).map(({ id, version }) => ({ id, version }));

const queue = { concurrency: 2, maxQueue: 100 };
/** What is tested is who is asked what, not what a hash costs. */
const NEXT_TO_NOTHING = { memoryCost: 8, timeCost: 1 };

/** The identity services over a real database, with a clock to turn and messages to read. */
export const createTestIdentity = (db: Kysely<Database>, options: TestIdentityOptions = {}) => {
  const { unknownAccount = 'after-code', hasher = createPasswordHasher(queue, NEXT_TO_NOTHING) } = options;
  const clock = { at: new Date('2026-01-01T00:00:00Z') };
  const now = () => clock.at;
  const messages: Message[] = [];
  const events = recordEvents();
  const keyOf = createKeyOf('a key of the test');
  const accounts = createAccountService({ db });
  const verification = createVerificationService({
    db,
    keys: options.codeKeys ?? ['a key of the test'],
    keyOf,
    limits: { ...limits, ...options.limits },
    messages: {
      requireRoom: async () => undefined,
      add: async (_, message) => {
        messages.push(message);
        await options.whileAdding?.(message);
        return { start: async () => undefined };
      },
    },
    now,
    unknownAccount,
    events,
  });
  const passwordPolicy = createPasswordPolicy({ profile: 'product', brandNames: ['Aurelia'] });
  const passwordLimits = createPasswordLimits({ db, keyOf, events, now });
  const notices = { add: async () => ({ start: async () => undefined }) };
  const factors = {
    secondFactors: createSecondFactorService({
      db,
      totpKeys: sealingKeys(['a key of the test'], totpSealing),
      fingerprint: keyOf,
      messages: notices,
      events,
      now,
    }),
    secondFactorWays: async () => [],
    recoveryWaits: createRecoveryWaitService({ db, messages: notices, events, now }),
  };
  const refusedSignIns = createRefusedSignIns({ db, now });
  const passkeyProofs = createPasskeyProofs({
    db,
    messages: { add: async () => ({ start: async () => undefined }) },
    refusedSignIns,
    events,
    now,
  });
  const authentication = createAuthenticationService({
    db,
    agreements: offered,
    verification,
    hasher,
    passwordPolicy,
    passwordLimits,
    legacySignIn: options.legacySignIn,
    unknownAccount: createUnknownAccount({ db, policy: unknownAccount, keyOf, events, now }),
    events,
    refusedSignIns,
    now,
  });

  const browser = (address = '192.0.2.1', browserId = createOpaqueToken()) => {
    const at = { browserId, address };
    /** Sends a code as the signed-in account of the identifier. */
    const sendCode = async (identifier: string, purpose: CodePurpose) => {
      const account = await findAccountByIdentifier(db, parseIdentifier(identifier));
      return verification.sendCode({
        identifier,
        purpose,
        ...at,
        locale: 'en',
        brand,
        accountId: account?.id,
      });
    };
    const lastCode = (identifier: string): string =>
      messages.findLast(({ to }) => to === parseIdentifier(identifier).value)?.code ?? 'none';
    const getCode = async (identifier: string, purpose: CodePurpose): Promise<string> => {
      await sendCode(identifier, purpose);
      return lastCode(identifier);
    };
    return {
      ...at,
      sendCode,
      getCode,
      verifyCode: (identifier: string, code: string, purpose: CodePurpose) =>
        verification.verifyCode({ identifier, code, purpose, ...at }),
      getTicket: async (identifier: string, purpose: CodePurpose): Promise<string> => {
        const code = await getCode(identifier, purpose);
        return (await verification.verifyCode({ identifier, code, purpose, ...at })).ticket;
      },
      signIn: async (identifier: string, proof: { password?: string; code?: string; ticket?: string }) =>
        accounts.requireAccount(
          (await authentication.signIn({ identifier, ...proof, ...at, isFactorDue: async () => false }))
            .accountId,
        ),
      register: async (identifier: string, proof: Partial<RegisterInput>) => {
        const { accountId } = await authentication.register({
          identifier,
          password: 'sunny42day',
          agreements,
          ...proof,
          ...at,
          locale: 'en',
          brand,
        });
        return accounts.requireAccount(accountId);
      },
    };
  };

  return {
    db,
    clock,
    messages,
    events,
    accounts,
    authentication,
    passkeyProofs,
    passwordLimits,
    verification,
    ...factors,
    browser,
    pass: (seconds: number) => {
      clock.at = new Date(clock.at.getTime() + seconds * 1000);
    },
    /** Registers an account in a new browser and returns the account. */
    signUp: async (identifier: string, password = 'sunny42day') => {
      const one = browser('198.51.100.1');
      return one.register(identifier, { code: await one.getCode(identifier, 'register'), password });
    },
  };
};

/** A six-digit code that differs from the given code. */
export const otherCode = (code: string): string =>
  ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0');

/** The refusal of the work. */
export const refusalOf = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('was not refused', { cause: error });
  return error;
};

export const codeOf = async (work: Promise<unknown>): Promise<string> => (await refusalOf(work)).code;
