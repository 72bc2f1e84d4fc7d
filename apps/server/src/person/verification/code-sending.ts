import type { CodePurpose, Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Caller } from '../../ground/browser/caller.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import { type Credentials, findCredentials } from '../credential/credentials.repository.ts';
import { createCodeMessage, type MessageBrand } from '../delivery/code-message.ts';
import { channelOf } from '../delivery/message.ts';
import type { Delivery } from '../delivery/message-queue.ts';
import { isOfSession } from './code-purpose.ts';
import { createCode, hashCode } from './secrets.ts';
import { type CodeSender, isServed, senderLimits } from './send-limits.ts';
import { hitSharedBudgets } from './shared-budgets.ts';
import { verificationCodeRows } from './verification-code.repository.ts';
import type { VerificationOptions } from './verification-options.ts';

export interface SendCodeInput extends Caller {
  /** As typed. */
  identifier: string;
  purpose: CodePurpose;
  /** The language in which the request is answered. */
  locale: Locale;
  /** The person chose the language in this browser: it comes before the language of the account. */
  choseLocale?: boolean;
  brand: MessageBrand & { id?: string };
  /** Who is signed in: a code to step up goes to this account's own identifiers. */
  accountId?: string | undefined;
  /** The session of who is signed in. */
  sessionUid?: string | undefined;
}

/** A code as it is made: what is stored of it, and whom it concerns. */
interface NewCode {
  code: string;
  identifier: Identifier;
  browserHash: string;
  /** The account of the identifier. */
  owner: Credentials | undefined;
  at: Date;
  expiresAt: Date;
  /**
   * What becomes of the message with the code. Where the code would open nothing, a message is dropped in its place,
   * with the same work.
   */
  message: 'sent' | 'dropped' | 'none';
}

const later = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1000);

/**
 * The language of the message. The account's own may be used, as only its owner reads the message; a contact that is
 * to be bound may belong to another account, whose language says nothing about the reader.
 */
const localeFor = ({ purpose, locale, choseLocale }: SendCodeInput, owner: Credentials | undefined) =>
  choseLocale || purpose === 'bind' ? locale : (owner?.locale ?? locale);

const senderOf = (
  { purpose, accountId, sessionUid = '' }: SendCodeInput,
  owner: Credentials | undefined,
  browserHash: string,
): CodeSender => {
  if (accountId !== undefined && isOfSession(purpose))
    return { kind: 'session', accountId, sessionUid, isHolder: owner?.accountId === accountId };
  return owner?.known ? { kind: 'known', accountId: owner.accountId, browserHash } : { kind: 'stranger' };
};

/** Whether a code would open nothing: there is no account to recover, or it is not the account of the session. */
const isFutile = ({ purpose, accountId }: SendCodeInput, owner: Credentials | undefined): boolean =>
  (purpose === 'recover' && !owner) || (purpose === 'step-up' && (!owner || owner.accountId !== accountId));

/** Stands in the message that is dropped, for a code of that length. */
const NO_CODE = '000000';

/** Stores the code, and promises the message that brings it. */
const storeCode = async (
  trx: Kysely<Database>,
  { keys, limits: { ttlSeconds }, messages }: VerificationOptions,
  input: SendCodeInput,
  { code, identifier, browserHash, owner, at, expiresAt, message: outcome }: NewCode,
): Promise<Delivery | undefined> => {
  const { purpose, brand } = input;
  const row = {
    purpose,
    identifier: identifier.value,
    device_hash: browserHash,
    code_hash: hashCode(keys[0], { purpose, identifier: identifier.value, browserHash }, code),
    tries: 0,
    created_at: at,
    expires_at: expiresAt,
    consumed_at: null,
  };
  await verificationCodeRows.put(trx, row, at);
  if (outcome === 'none') return undefined;
  const locale = localeFor(input, owner);
  const isDropped = outcome === 'dropped';
  const shown = isDropped ? NO_CODE : code;
  const message = createCodeMessage({ identifier, purpose, code: shown, locale, brand, ttlSeconds });
  return messages.add(trx, isDropped ? { ...message, isDropped } : message, {
    topic: `${purpose} ${identifier.value} ${browserHash}`,
    lifetimeSeconds: ttlSeconds,
  });
};

export interface SentCode {
  expiresAt: Date;
  resendAt: Date;
  /** The account of the identifier; undefined where there is none. */
  accountId: string | undefined;
  /** Whether a message brings the code. */
  isSent: boolean;
  /** Sends or drops the message; undefined where there is none. */
  delivery: Delivery | undefined;
}

/**
 * Makes a code and promises its message: both, or neither.
 * @throws AppError phone_invalid, rate_limited, busy or unavailable (no code was made then), and account_not_found
 *   where unknown accounts are revealed
 */
export const makeCode = async (
  options: VerificationOptions,
  input: SendCodeInput,
  identifier: Identifier,
): Promise<SentCode> => {
  const { db, messages, limits, keyOf, events, now, randomCode = createCode } = options;
  const { purpose, address } = input;
  if (!isServed(identifier, limits))
    throw new AppError('phone_invalid', { fields: { identifier: 'phone_invalid' } });
  const browserHash = hashToken(input.browserId);
  const at = now();
  const expiresAt = later(at, limits.ttlSeconds);
  const owner = await findCredentials(db, identifier, browserHash);
  // Nobody can guess the code that takes the place of a futile one.
  const futile = isFutile(input, owner);
  const code = futile ? createOpaqueToken() : randomCode();
  const isRevealed = !owner && purpose === 'login' && options.unknownAccount === 'reveal';

  // Required whether or not a message will go out: the answer must not show that.
  await messages.requireRoom(db, channelOf(identifier.kind));
  const sender = senderOf(input, owner, browserHash);
  const ownLimits = senderLimits({ purpose, address, identifier, sender }, limits, keyOf);
  const counted = await hitSharedBudgets(options, { identifier, sender }, { at, ownLimits });
  const message = isRevealed ? 'none' : futile ? 'dropped' : 'sent';
  const made: NewCode = { code, identifier, browserHash, owner, at, expiresAt, message };
  const storing = inTransaction(db, async (trx) => {
    await requireRateLimits(trx, ownLimits, at, events);
    return storeCode(trx, options, input, made);
  });
  const delivery = await storing.catch(async (error: unknown) => {
    await counted.giveBack();
    throw error;
  });
  if (isRevealed) throw new AppError('account_not_found');
  return {
    expiresAt,
    resendAt: later(at, limits.resendSeconds),
    accountId: owner?.accountId,
    isSent: message === 'sent',
    delivery,
  };
};
