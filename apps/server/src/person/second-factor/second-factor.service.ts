import type { SecondFactorWay } from '@candela/contract';
import { isAtLeast, type StrongClass } from '@candela/contract/rules/authentication-classes';
import type { Kysely } from 'kysely';
import type { Caller } from '../../ground/browser/caller.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { addressKey } from '../../ground/rate-limit/address-key.ts';
import { openWithAny } from '../../ground/seal.ts';
import { listAccounts } from '../account/account.repository.ts';
import { noteActivity } from '../activity/note-activity.ts';
import type { MessageBrand } from '../delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import { isRemembered } from '../remembered-account/remembered-account.repository.ts';
import { clearFactorTries, countFactorTry, type FactorTrier, type FactorTry } from './factor-limits.ts';
import { countRecoveryCodes } from './recovery-code.repository.ts';
import { type Fingerprint, spendRecoveryCode } from './recovery-codes.ts';
import { findActiveSince, findTotp, updateLastStep } from './totp.repository.ts';
import { findStep } from './totp-code.ts';

export interface SecondFactorOptions {
  db: Kysely<Database>;
  /** The keys of `totpSealing`: the first seals, all open. */
  totpKeys: readonly [Buffer, ...Buffer[]];
  fingerprint: Fingerprint;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

type NamedBrand = MessageBrand & { id: string };

/** What a person typed; exactly one of them. */
export interface TypedFactor {
  totp?: string | undefined;
  recoveryCode?: string | undefined;
}

/** A typed factor whose try was counted. */
export interface CountedFactor extends FactorTry {
  typed: string;
  /** Of a wrong one, where the tries were used up. */
  refusal?: AppError | undefined;
}

/** A typed factor that was right. */
export interface SpentFactor {
  counted: CountedFactor;
  notices: Delivery[];
}

/** The state of the second factor of an account. */
export interface FactorState {
  since: Date;
  recoveryCodesLeft: number;
}

/** The second factor of accounts: an authenticator app, and recovery codes in its place. */
export interface SecondFactorService {
  /** Undefined where the account has none. */
  find(accountId: string): Promise<FactorState | undefined>;
  /**
   * Counts a try, before it is compared.
   * @param trier who tries: a browser is `known` where it signed in as the account before
   * @throws AppError rate_limited; invalid_request where not exactly one is typed
   */
  count(
    accountId: string,
    typed: TypedFactor,
    trier:
      | Extract<FactorTrier, { kind: 'session' }>
      | (Omit<Extract<FactorTrier, { kind: 'recovery' }>, 'network'> & Pick<Caller, 'address'>)
      | ({ kind: 'browser' } & Caller),
  ): Promise<CountedFactor>;
  /**
   * Uses up what was typed, in the transaction of what it opens: a code of the app that is at most one step of 30
   * seconds off, and not of a step that was used (RFC 6238 section 5.2), or a recovery code.
   * All contacts are told of a recovery code.
   * @throws AppError totp_incorrect, recovery_code_incorrect
   */
  spend(trx: Kysely<Database>, counted: CountedFactor, brand: NamedBrand): Promise<SpentFactor>;
  /** Starts the counts anew and sends the notices, after the commit of `spend`. */
  settle(spent: SpentFactor): Promise<void>;
}

const refusals = { totp: 'totp_incorrect', recovery_code: 'recovery_code_incorrect' } as const;

/** Whether a factor was compared and was wrong; other refusals say nothing about who tried. */
export const isWrongFactor = (error: unknown): boolean =>
  error instanceof AppError && Object.values<string>(refusals).includes(error.code);

/** The field of a request that proves by each way. */
const fields = { totp: 'totp', recovery_code: 'recoveryCode' } as const;

export const refuseFactor = (guessed: keyof typeof refusals): AppError =>
  new AppError(refusals[guessed], { fields: { [fields[guessed]]: refusals[guessed] } });

/** The ways that pass the factor and make a sign-in of the class `atLeast`. `passkeys` are the classes of the passkeys. */
export const waysOf = (
  state: FactorState | undefined,
  { passkeys, atLeast = 'mfa' }: { passkeys: readonly StrongClass[]; atLeast?: StrongClass | undefined },
): SecondFactorWay[] => {
  const typed = isAtLeast('mfa', atLeast) ? state : undefined;
  return [
    ...(typed ? ['totp' as const] : []),
    ...(typed && typed.recoveryCodesLeft > 0 ? ['recovery_code' as const] : []),
    ...(passkeys.some((held) => isAtLeast(held, atLeast)) ? ['passkey' as const] : []),
  ];
};

export const createSecondFactorService = (options: SecondFactorOptions): SecondFactorService => {
  const { db, totpKeys, fingerprint, messages, events, now } = options;

  const spendTotp = async (trx: Kysely<Database>, { accountId, typed }: CountedFactor): Promise<boolean> => {
    const row = await findTotp(trx, accountId);
    if (!row?.active_since) return false;
    const step = findStep(openWithAny(totpKeys, row.sealed_secret), typed, now());
    return step !== undefined && (await updateLastStep(trx, row, step));
  };

  const addUseNotices = async (
    trx: Kysely<Database>,
    accountId: string,
    brand: NamedBrand,
  ): Promise<Delivery[]> => {
    const [owner] = await listAccounts(trx, [accountId]);
    if (!owner) return [];
    const { account, identifiers } = owner;
    await noteActivity(trx, { accountId, kind: 'recovery_code_used', brand: brand.id });
    const told = { at: now(), locale: account.locale, brand };
    return addNotices(trx, messages, identifiers, { notice: 'recovery_code_used', ...told });
  };

  const trierOf = async (
    accountId: string,
    trier: Parameters<SecondFactorService['count']>[2],
  ): Promise<FactorTrier> => {
    if (trier.kind === 'session') return trier;
    const network = addressKey(trier.address);
    if (trier.kind === 'recovery') return { kind: 'recovery', proven: trier.proven, network };
    const browserHash = hashToken(trier.browserId);
    return (await isRemembered(db, browserHash, accountId))
      ? { kind: 'known', browserHash }
      : { kind: 'stranger', network };
  };

  return {
    find: async (accountId) => {
      const since = await findActiveSince(db, accountId);
      return since && { since, recoveryCodesLeft: await countRecoveryCodes(db, accountId) };
    },

    count: async (accountId, { totp, recoveryCode }, from) => {
      const typed = totp ?? recoveryCode;
      if (typed === undefined || (totp !== undefined && recoveryCode !== undefined))
        throw new AppError('invalid_request');
      const guessed = totp === undefined ? 'recovery_code' : 'totp';
      const tried = { accountId, guessed, trier: await trierOf(accountId, from) } as const;
      const refusal = await countFactorTry(db, tried, { now: now(), events });
      return { ...tried, typed, refusal };
    },

    spend: async (trx, counted, brand) => {
      const { accountId, typed, guessed } = counted;
      const isRight =
        guessed === 'totp'
          ? await spendTotp(trx, counted)
          : await spendRecoveryCode(trx, fingerprint, { accountId, typed, at: now() });
      if (!isRight) throw counted.refusal ?? refuseFactor(guessed);
      return { counted, notices: guessed === 'totp' ? [] : await addUseNotices(trx, accountId, brand) };
    },

    settle: async ({ counted, notices }) => {
      const { accountId, guessed } = counted;
      await clearFactorTries(db, counted);
      if (guessed === 'recovery_code') events.emit('recovery_code.used', { accountId });
      await Promise.all(notices.map((notice) => notice.start()));
    },
  };
};
