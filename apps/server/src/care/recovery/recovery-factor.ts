import type { PasskeyAssertion } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Caller } from '../../ground/browser/caller.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { RefusedSignIns } from '../../person/activity/refused-sign-ins.ts';
import type { Delivery } from '../../person/delivery/message-queue.ts';
import type { PasskeyProofs } from '../../person/passkey/passkey-assertion.ts';
import { type StopOptions, stopWaits } from '../../person/recovery-wait/ended-waits.ts';
import { recoveryWaitRows } from '../../person/recovery-wait/recovery-wait.repository.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import { removeFactor } from '../../person/second-factor/factor-removal.ts';
import {
  type CountedFactor,
  isWrongFactor,
  type SecondFactorService,
  type SpentFactor,
  type TypedFactor,
} from '../../person/second-factor/second-factor.service.ts';
import { findActiveSince } from '../../person/second-factor/totp.repository.ts';
import { readHoldings } from '../../person/step-up/holdings.ts';
import { BY_TOTP, byPasskey, type Proof, splitProofs } from '../../person/step-up/proof.ts';
import { areHeld, mayRemove, stopsWaitOf } from '../../person/step-up/seniority.ts';
import type { ProvenOwner, RecoveryProof } from './proven-owner.ts';

export interface RecoveryFactorOptions extends StopOptions {
  db: Kysely<Database>;
  secondFactors: Pick<SecondFactorService, 'find' | 'count' | 'spend' | 'settle'>;
  recoveryWaits: Pick<RecoveryWaitService, 'findOwn'>;
  passkeyProofs: Pick<PasskeyProofs, 'verifyAssertion' | 'requestOptions'>;
  refusedSignIns: Pick<RefusedSignIns, 'note'>;
}

/** At most one of them. */
export interface SentFactor extends TypedFactor {
  passkey?: PasskeyAssertion | undefined;
}

/**
 * What stands for the second factor of an account that is got back: nothing where it has none, what the person typed, what
 * was proven already (a passkey, or what the ticket holds), or a wait that is due.
 */
export type RecoveryFactor =
  | { by: 'none' }
  | { by: 'typed'; counted: CountedFactor }
  | { by: 'proven'; proofs: readonly Proof[] }
  | { by: 'wait' };

/** What became of the factor: what was used up, and whether it is off from then on. */
export interface FactorOutcome {
  spent: SpentFactor | undefined;
  ends: boolean;
  /** Waits that ended by it. */
  stopped: Delivery[];
  /** Whether the person removes what was added then. Nobody stopped a wait that is due: it removes everything. */
  mayRemove(added: Date): boolean;
}

const isDue = async (
  { recoveryWaits, now }: RecoveryFactorOptions,
  db: Kysely<Database>,
  { proven }: ProvenOwner,
): Promise<boolean> => {
  const dueAt = await recoveryWaits.findOwn(db, proven);
  return dueAt !== undefined && dueAt <= now();
};

const isTyped = ({ totp, recoveryCode }: TypedFactor): boolean =>
  totp !== undefined || recoveryCode !== undefined;

/**
 * Verifies a passkey, or counts the try of what was typed, before the costly part of a recovery. What the ticket holds was
 * proven before.
 * @throws AppError second_factor_required, passkey_rejected, challenge_expired, rate_limited
 */
export const countRecoveryFactor = async (
  options: RecoveryFactorOptions,
  owner: ProvenOwner,
  { passkey, ...typed }: SentFactor,
  { factor, ...asker }: Caller & { brand: Brand } & Pick<RecoveryProof, 'factor'>,
): Promise<RecoveryFactor> => {
  const { db, secondFactors, passkeyProofs } = options;
  const { id } = owner.account;
  if (!(await secondFactors.find(id))) return { by: 'none' };
  if (factor) return { by: 'proven', proofs: splitProofs(factor) };
  if (passkey) {
    const use = { ...asker, purpose: 'recovery', accountId: id } as const;
    const { passkeyId } = await passkeyProofs.verifyAssertion(use, passkey);
    return { by: 'proven', proofs: splitProofs(byPasskey(passkeyId)) };
  }
  if (isTyped(typed)) {
    const trier = { kind: 'recovery', proven: owner.proven.kind, address: asker.address } as const;
    return { by: 'typed', counted: await secondFactors.count(id, typed, trier) };
  }
  if (await isDue(options, db, owner)) return { by: 'wait' };
  throw new AppError('second_factor_required');
};

/** What a factor proves, once it is used up. */
export const proofsOf = (factor: RecoveryFactor): readonly Proof[] => {
  if (factor.by === 'typed') return [BY_TOTP];
  return factor.by === 'proven' ? factor.proofs : [];
};

/**
 * Uses the factor up in the transaction of the recovery, which has locked the account.
 * @throws AppError second_factor_required, totp_incorrect, recovery_code_incorrect
 */
export const spendRecoveryFactor = async (
  trx: Kysely<Database>,
  options: RecoveryFactorOptions,
  { owner, factor, brand }: { owner: ProvenOwner; factor: RecoveryFactor; brand: Brand },
): Promise<FactorOutcome> => {
  const { account, proven } = owner;
  const { id } = account;
  if (factor.by === 'none' && (await findActiveSince(trx, id))) throw new AppError('second_factor_required');
  const spent =
    factor.by === 'typed' ? await options.secondFactors.spend(trx, factor.counted, brand) : undefined;
  if (factor.by === 'wait') {
    // It may have been stopped meanwhile.
    if (!(await isDue(options, trx, owner))) throw new AppError('second_factor_required');
    // It is carried out, not stopped.
    await recoveryWaitRows.endOf(trx, id, { kind: proven.kind });
  }
  const proofs = [proven.value, ...proofsOf(factor)];
  // A wait that is carried out switches the factor off: then nothing waits.
  const holdings = await readHoldings(trx, id, options.now());
  // The passkey may have been removed since it was proven.
  if (!areHeld(proofs, holdings)) throw new AppError('second_factor_required');
  const mayStop = factor.by === 'wait' ? undefined : stopsWaitOf(proofs, holdings);
  const stopped = [await stopWaits(trx, options, id, { brand, ...(mayStop && { mayStop }) })];
  return {
    spent,
    stopped,
    ends: factor.by === 'wait' && (await removeFactor(trx, id)),
    mayRemove: factor.by === 'wait' ? () => true : mayRemove(proofs, holdings),
  };
};

/** Notes a wrong factor, as a sign-in does: whoever reads the messages of the account may be guessing. */
export const noteWrongFactor = (
  { refusedSignIns }: RecoveryFactorOptions,
  { brand, facts }: { brand: Brand; facts?: RequestFacts | undefined },
  { identifier }: RecoveryProof,
  error: unknown,
): void => {
  if (isWrongFactor(error))
    refusedSignIns.note({ who: identifier, method: 'second_factor', brand: brand.id, facts });
};
