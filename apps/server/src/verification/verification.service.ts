import type { CodePurpose, Locale } from '@candela/contract';
import { foldCode } from '@candela/contract/rules/verification-code';
import type { Kysely } from 'kysely';
import { type Credentials, findCredentials } from '../credential/credentials.repository.ts';
import { passwordRow } from '../credential/password-row.ts';
import type { Database } from '../db/database.ts';
import { transact, UndecidedError } from '../db/transact.ts';
import { createCodeMessage, type MessageBrand } from '../delivery/code-message.ts';
import { channelOf } from '../delivery/message.ts';
import type { MessageQueue } from '../delivery/message-queue.ts';
import { AppError } from '../errors.ts';
import { emitRefusal } from '../event/emit-refusal.ts';
import type { EventSink } from '../event/events.ts';
import { type Identifier, parseIdentifier } from '../identifier/identifier.ts';
import { createOpaqueToken, hashToken } from '../opaque-token.ts';
import { addressLimits } from '../rate-limit/address-limits.ts';
import type { KeyOf } from '../rate-limit/key-of.ts';
import {
  clearRateLimits,
  countHits,
  giveHitsBack,
  hitRateLimits,
  limitNameOf,
  type RateLimit,
  refuseSpent,
  requireRateLimits,
} from '../rate-limit/rate-limit.service.ts';
import { type CodeCount, createCodeCounters } from './code-counters.ts';
import { isOfSession } from './code-purpose.ts';
import { type CodeGuessed, codeRowKeys, codeRowLimits } from './code-row.ts';
import { type CodeKey, createCode, hashCode } from './secrets.ts';
import { type CodeLimits, type CodeSender, isServed, senderLimits, sharedBudgets } from './send-limits.ts';
import { issueTicket, keepingTicket, type Ticket } from './ticket.service.ts';
import { findVerificationCode, updateOnTry, upsertVerificationCode } from './verification-code.repository.ts';

export interface VerificationOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'requireRoom' | 'add'>;
  /** Of the HMAC under which codes are stored; they are not in the database. The first makes, all verify. */
  keys: readonly [CodeKey, ...CodeKey[]];
  /** Stands for identifiers in the keys of counters. */
  keyOf: KeyOf;
  limits: CodeLimits;
  now: () => Date;
  randomCode?: () => string;
  /** `reveal` restores the product's own way: a code to sign in is not sent where there is no account. */
  unknownAccount?: 'after-code' | 'reveal' | 'uniform';
  events: EventSink;
}

interface SendCodeInput {
  /** As typed. */
  identifier: string;
  purpose: CodePurpose;
  /** The value of the pre-session cookie. */
  device: string;
  /** The caller's IP address. */
  address: string;
  /** What the request is answered in. */
  locale: Locale;
  /** The person chose it in this browser: it comes before that of the account which owns the identifier. */
  choseLocale?: boolean;
  brand: MessageBrand & { id?: string };
  /** Who is signed in: a code to step up goes to this account's own identifiers. */
  accountId?: string | undefined;
  /** The session of who is signed in. */
  sessionUid?: string | undefined;
}

interface VerifyCodeInput {
  identifier: string;
  /** As typed. */
  code: string;
  purpose: CodePurpose;
  device: string;
  address: string;
  /** Who is signed in, where the code opens nothing but something of their session. */
  accountId?: string | undefined;
}

/** What a right code opens. */
interface CodeUse<L, T> {
  /** Locks what it opens, before the code is tried: what it throws leaves the code as it was. */
  lock(trx: Kysely<Database>): Promise<L>;
  /** What it throws leaves the code as it was. */
  open(trx: Kysely<Database>, locked: L): Promise<T>;
}

export interface VerificationService {
  /**
   * Sends a code; the answer is the same whether or not there is an account.
   * @throws AppError identifier_*, phone_invalid, email_invalid, rate_limited, busy or unavailable (no code
   *   was made then), and account_not_found where unknown accounts are revealed
   */
  sendCode(input: SendCodeInput): Promise<{ expiresAt: Date; resendAt: Date }>;
  /**
   * Exchanges a right code for a ticket: bound to purpose, identifier and browser, good for ten minutes.
   * @throws AppError code_incorrect, code_expired, code_exhausted, rate_limited, and those of the identifier.
   *   After too many wrong ones in a row a code has one try, and one to sign in is step_up_required as long as
   *   the account's password signs in
   */
  verifyCode(input: VerifyCodeInput): Promise<Ticket>;
  /**
   * Spends a right code in one transaction with what it opens; a wrong try is counted whatever comes of it.
   * @throws AppError as `verifyCode`, and what `lock` and `open` throw
   */
  spendCode<L, T>(input: VerifyCodeInput, use: CodeUse<L, T>): Promise<T>;
  /** How many codes this process sent, and how many of them were proven. */
  countCodes(): CodeCount[];
}

const FOREIGN_TRIES = { limit: 30, windowSeconds: 3600 };
/** How often a code may be tried that follows too many wrong ones in a row. */
const TRIES_AFTER_ROW = 1;

const later = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1000);

const refuseCode = (code: 'code_incorrect' | 'code_expired' | 'code_exhausted') =>
  new AppError(code, { fields: { code } });

export const createVerificationService = (options: VerificationOptions): VerificationService => {
  const { db, messages, keys, limits, now, randomCode = createCode, unknownAccount = 'after-code' } = options;
  const { events, keyOf } = options;

  const counters = createCodeCounters();

  /**
   * A known contact is written to in the language of its account, which nobody sees but who reads its messages.
   * What a session binds is none of somebody else's account.
   */
  const localeFor = ({ purpose, locale, choseLocale }: SendCodeInput, owner: Credentials | undefined) =>
    choseLocale || purpose === 'bind' ? locale : (owner?.locale ?? locale);

  const senderOf = (input: SendCodeInput, owner: Credentials | undefined, deviceHash: string): CodeSender => {
    const { purpose, accountId, sessionUid = '' } = input;
    if (accountId !== undefined && isOfSession(purpose)) return { kind: 'session', accountId, sessionUid };
    return owner?.known ? { kind: 'known', accountId: owner.accountId, deviceHash } : { kind: 'stranger' };
  };

  /**
   * Counts what everyone shares, by a statement of its own: rows that are locked until a transaction ends would
   * let one process that stops in the middle of it keep all others from sending. Who is beyond limits of their
   * own costs the others nothing.
   * @throws AppError rate_limited
   */
  const hitBudgets = async (
    identifier: Identifier,
    { at, ownLimits }: { at: Date; ownLimits: RateLimit[] },
  ) => {
    const budgets = sharedBudgets(identifier, limits, keyOf).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const giveBack = async (counted: readonly RateLimit[]) => {
      const budgetKeys = counted.map(({ key: budget }) => budget);
      // Where it fails, a budget is counted one too high until its window ends.
      if (budgetKeys.length > 0) await giveHitsBack(db, budgetKeys).catch(() => undefined);
    };
    const refused = await hitRateLimits(db, budgets, at, ownLimits);
    // Beyond a limit of its own nothing is counted, and that limit refuses it next.
    if (refused && ownLimits.includes(refused.spent)) return { giveBack: async () => undefined };
    if (refused) {
      await giveBack(budgets.slice(0, budgets.indexOf(refused.spent) + 1));
      throw refuseSpent(refused, events);
    }
    return { giveBack: () => giveBack(budgets) };
  };

  const send = async (input: SendCodeInput, identifier: Identifier) => {
    const { purpose, address } = input;
    if (!isServed(identifier, limits))
      throw new AppError('phone_invalid', { fields: { identifier: 'phone_invalid' } });
    const binding = { purpose, identifier: identifier.value, deviceHash: hashToken(input.device) };
    const at = now();
    const expiresAt = later(at, limits.ttlSeconds);
    const account = await findCredentials(db, identifier, binding.deviceHash);
    const sender = senderOf(input, account, binding.deviceHash);
    // Such a code would open nothing: none is sent, and there is none to guess.
    const futile =
      (purpose === 'recover' && !account) ||
      (purpose === 'step-up' && (!account || account.accountId !== input.accountId));
    const code = futile ? createOpaqueToken() : randomCode();

    const isUntold = !account && purpose === 'login' && unknownAccount === 'reveal';
    // Asked whether or not a message will go out: the answer does not tell.
    await messages.requireRoom(db, channelOf(identifier.kind));
    const ownLimits = senderLimits({ purpose, address, identifier, sender }, limits, keyOf);
    const budgets = await hitBudgets(identifier, { at, ownLimits });
    // The code and its message are promised together, or neither is.
    const promise = db.transaction().execute(async (trx) => {
      await requireRateLimits(trx, ownLimits, at, events);
      await upsertVerificationCode(trx, {
        purpose,
        identifier: identifier.value,
        device_hash: binding.deviceHash,
        code_hash: hashCode(keys[0], binding, code),
        tries: 0,
        created_at: at,
        expires_at: expiresAt,
        consumed_at: null,
      });
      if (futile || isUntold) return undefined;
      const { ttlSeconds } = limits;
      const locale = localeFor(input, account);
      const message = createCodeMessage({
        identifier,
        purpose,
        code,
        locale,
        brand: input.brand,
        ttlSeconds,
      });
      return messages.add(trx, message, {
        topic: `${purpose} ${identifier.value} ${binding.deviceHash}`,
        lifetimeSeconds: limits.ttlSeconds,
      });
    });
    const delivery = await promise.catch(async (error: unknown) => {
      await budgets.giveBack();
      throw error;
    });

    if (isUntold) throw new AppError('account_not_found');
    if (delivery) {
      counters.count('sent', identifier.kind, purpose);
      events.emit('code.sent', {
        purpose,
        channel: channelOf(identifier.kind),
        accountId: account?.accountId,
        brand: input.brand.id,
      });
      await delivery.start();
    }
    return { expiresAt, resendAt: later(at, limits.resendSeconds) };
  };

  const sendCode: VerificationService['sendCode'] = async (input) => {
    const { purpose, brand } = input;
    const said = { purpose, brand: brand.id };
    const refusing = emitRefusal(events, 'code.send_refused');
    const identifier = await refusing(said, async () => parseIdentifier(input.identifier));
    return refusing({ ...said, channel: channelOf(identifier.kind) }, () => send(input, identifier));
  };

  /** Why no code could be tried. */
  const explain = async (binding: Parameters<typeof findVerificationCode>[1], address: string) => {
    const row = await findVerificationCode(db, binding);
    if (row) {
      return refuseCode(row.tries >= limits.maxTries && !row.consumed_at ? 'code_exhausted' : 'code_expired');
    }
    // Not asked for in this browser: that is held against the address, never against another browser's code.
    const refused = await hitRateLimits(db, addressLimits('code.foreign', address, FOREIGN_TRIES), now());
    return refused ? refuseSpent(refused, events) : refuseCode('code_incorrect');
  };

  /** Whether the password signs in to the account, as far as its wrong ones in a row go. */
  const isPasswordOpen = async (
    trx: Kysely<Database>,
    owner: Credentials | undefined,
    { identifier, deviceHash }: CodeGuessed,
  ): Promise<boolean> => {
    if (owner?.hash === null) return false;
    const guessed = { owner: owner?.accountId ?? keyOf(identifier), deviceHash };
    const row = passwordRow(guessed, owner?.known ?? false);
    return ((await countHits(trx, [row.key], now())).get(row.key) ?? 0) < row.limit;
  };

  /**
   * Counts a code that was compared among the wrong ones in a row, which a right one ends. Beyond their limit
   * it may answer a refusal, and nobody is told whether the code was right.
   */
  const countCompared = async (
    trx: Kysely<Database>,
    guessed: CodeGuessed,
    {
      purpose,
      owner,
      right,
      tries,
    }: { purpose: CodePurpose; owner: Credentials | undefined; right: boolean; tries: number },
  ): Promise<AppError | undefined> => {
    const refused = await hitRateLimits(trx, codeRowLimits(guessed, keyOf), now());
    if (refused) {
      events.emit('rate_limit.exceeded', { limit: limitNameOf(refused.spent) });
      if (purpose === 'login' && (await isPasswordOpen(trx, owner, guessed)))
        return new AppError('step_up_required');
      if (tries > TRIES_AFTER_ROW) return refuseCode('code_exhausted');
    }
    if (right) await clearRateLimits(trx, codeRowKeys(guessed, keyOf));
    return undefined;
  };

  const spendCode: VerificationService['spendCode'] = async (input, { lock, open }) => {
    const { purpose, device, address } = input;
    const { kind, value: identifier } = parseIdentifier(input.identifier);
    const deviceHash = hashToken(device);
    const binding = { purpose, identifier, deviceHash };
    const at = now();
    const codeHashes = keys.map((key) => hashCode(key, binding, foldCode(input.code)));
    const owner = await findCredentials(db, { kind, value: identifier }, deviceHash);
    const accountId = owner?.accountId;
    const signedIn = isOfSession(purpose) ? input.accountId : undefined;
    const guessed = { identifier, deviceHash, known: owner?.known ?? false, signedIn };
    const said = { purpose, channel: channelOf(kind), accountId };

    const refuse = (error: AppError) => {
      events.emit('code.refused', { ...said, reason: error.code });
      return error;
    };

    // A wrong try is committed with the transaction: it is counted for good.
    const outcome = await transact(db, async (trx) => {
      const locked = await lock(trx);
      const tried = await updateOnTry(trx, binding, { codeHashes, maxTries: limits.maxTries, now: at });
      if (!tried) return undefined;
      const refusal = await countCompared(trx, guessed, { purpose, owner, ...tried });
      if (refusal) throw refuse(refusal);
      return tried.right ? { opened: await open(trx, locked) } : tried;
    });
    if (!outcome) throw refuse(await explain(binding, address));
    if (!('opened' in outcome)) throw refuse(refuseCode('code_incorrect'));
    counters.count('verified', kind, purpose);
    events.emit('code.verified', said);
    return outcome.opened;
  };

  const verifyCode: VerificationService['verifyCode'] = async (input) => {
    const ticket = createOpaqueToken();
    const spending = spendCode(input, {
      lock: async () => undefined,
      open: (trx) => {
        const { value: identifier } = parseIdentifier(input.identifier);
        const deviceHash = hashToken(input.device);
        return issueTicket(trx, { purpose: input.purpose, identifier, deviceHash }, now(), ticket);
      },
    });
    return spending.catch((error: unknown) =>
      // The code may be spent: then this stands for it.
      keepingTicket(error instanceof UndecidedError ? ticket : undefined, () => Promise.reject(error)),
    );
  };

  return { sendCode, verifyCode, spendCode, countCodes: counters.read };
};
