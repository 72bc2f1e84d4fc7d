import type { CodePurpose } from '@candela/contract';
import { foldCode } from '@candela/contract/rules/verification-code';
import type { Kysely } from 'kysely';
import type { Caller } from '../../ground/browser/caller.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { addressLimits } from '../../ground/rate-limit/address-limits.ts';
import {
  clearRateLimits,
  countHits,
  hitRateLimits,
  limitNameOf,
  refuseSpent,
} from '../../ground/rate-limit/rate-limit.service.ts';
import { type Credentials, findCredentials } from '../credential/credentials.repository.ts';
import { passwordRow } from '../credential/password-row.ts';
import { channelOf } from '../delivery/message.ts';
import { isOfSession } from './code-purpose.ts';
import { type CodeGuessed, codeRowKeys, codeRowLimits } from './code-row.ts';
import { type CodeBinding, hashCode } from './secrets.ts';
import { updateOnTry, verificationCodeRows } from './verification-code.repository.ts';
import type { VerificationOptions } from './verification-options.ts';

export interface VerifyCodeInput extends Caller {
  /** As typed. */
  identifier: string;
  /** As typed. */
  code: string;
  purpose: CodePurpose;
  /** Who is signed in, where the code opens nothing but something of their session. */
  accountId?: string | undefined;
}

/** What a right code opens. */
export interface CodeUse<L, T> {
  /** Locks what the code opens, before the code is tried. The code stays as it was where this throws. */
  lock(trx: Kysely<Database>): Promise<L>;
  /** Opens it. The code stays as it was where this throws. */
  open(trx: Kysely<Database>, locked: L): Promise<T>;
}

const FOREIGN_TRIES = { limit: 30, windowSeconds: 3600 };
/** How often a code may be tried that follows too many wrong ones in a row. */
const TRIES_AFTER_ROW = 1;

const refuseCode = (code: 'code_incorrect' | 'code_expired' | 'code_exhausted') =>
  new AppError(code, { fields: { code } });

/** The refusal where no code could be tried. */
const refuseUntried = async (
  { db, limits, events, now }: VerificationOptions,
  { purpose, identifier, browserHash }: CodeBinding & { purpose: CodePurpose },
  address: string,
): Promise<AppError> => {
  const row = await verificationCodeRows.findKept(db, { purpose, identifier, device_hash: browserHash });
  if (row)
    return refuseCode(row.tries >= limits.maxTries && !row.consumed_at ? 'code_exhausted' : 'code_expired');
  // This browser asked for no code. The try counts against its address, never against another browser's code.
  const refused = await hitRateLimits(db, addressLimits('code.foreign', address, FOREIGN_TRIES), now());
  return refused ? refuseSpent(refused, events) : refuseCode('code_incorrect');
};

/** Whether the account has a password that signs in: too many wrong passwords in a row close that way. */
const isPasswordOpen = async (
  trx: Kysely<Database>,
  { keyOf, now }: VerificationOptions,
  owner: Credentials | undefined,
  { identifier, browserHash }: CodeGuessed,
): Promise<boolean> => {
  if (owner?.hash === null) return false;
  const guessed = { owner: owner?.accountId ?? keyOf(identifier), browserHash };
  const row = passwordRow(guessed, owner?.known ?? false);
  return ((await countHits(trx, [row.key], now())).get(row.key) ?? 0) < row.limit;
};

/** A code that was compared. */
interface ComparedCode {
  purpose: CodePurpose;
  owner: Credentials | undefined;
  right: boolean;
  /** How often the code was tried, this try included. */
  tries: number;
}

/**
 * Counts a compared code among the wrong ones in a row; a right one starts that count anew. Beyond the limit of the
 * count it may answer a refusal, which is the same for a right and a wrong code.
 */
const countCompared = async (
  trx: Kysely<Database>,
  options: VerificationOptions,
  guessed: CodeGuessed,
  { purpose, owner, right, tries }: ComparedCode,
): Promise<AppError | undefined> => {
  const { events, keyOf, now } = options;
  const refused = await hitRateLimits(trx, codeRowLimits(guessed, keyOf), now());
  if (refused) {
    events.emit('rate_limit.exceeded', { limit: limitNameOf(refused.spent) });
    if (purpose === 'login' && (await isPasswordOpen(trx, options, owner, guessed)))
      return new AppError('step_up_required');
    if (tries > TRIES_AFTER_ROW) return refuseCode('code_exhausted');
  }
  if (right) await clearRateLimits(trx, codeRowKeys(guessed, keyOf));
  return undefined;
};

/**
 * Spends a right code in one transaction with what it opens, and writes the event of what came of it. A wrong try is
 * committed: it counts for good.
 * @throws AppError code_incorrect, code_expired, code_exhausted, step_up_required, rate_limited, those of the
 *   identifier, and what `lock` and `open` throw
 */
export const spendRightCode = async <L, T>(
  options: VerificationOptions,
  input: VerifyCodeInput,
  { lock, open }: CodeUse<L, T>,
): Promise<T> => {
  const { db, keys, limits, events, now } = options;
  const { purpose, address } = input;
  const { kind, value: identifier } = parseIdentifier(input.identifier);
  const browserHash = hashToken(input.browserId);
  const binding = { purpose, identifier, browserHash };
  const at = now();
  const codeHashes = keys.map((key) => hashCode(key, binding, foldCode(input.code)));
  const owner = await findCredentials(db, { kind, value: identifier }, browserHash);
  const signedIn = isOfSession(purpose) ? input.accountId : undefined;
  const guessed = { identifier, browserHash, known: owner?.known ?? false, signedIn };
  const said = { purpose, channel: channelOf(kind), accountId: owner?.accountId };
  const refuse = (error: AppError) => {
    events.emit('code.refused', { ...said, reason: error.code });
    return error;
  };

  const outcome = await transact(db, async (trx) => {
    const locked = await lock(trx);
    const tried = await updateOnTry(trx, binding, { codeHashes, maxTries: limits.maxTries, now: at });
    if (!tried) return undefined;
    const refusal = await countCompared(trx, options, guessed, { purpose, owner, ...tried });
    if (refusal) throw refuse(refusal);
    return tried.right ? { opened: await open(trx, locked) } : tried;
  });
  if (!outcome) throw refuse(await refuseUntried(options, binding, address));
  if (!('opened' in outcome)) throw refuse(refuseCode('code_incorrect'));
  events.emit('code.verified', said);
  return outcome.opened;
};
