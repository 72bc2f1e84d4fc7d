import type { PasskeyAssertion, PasskeyRequestOptions } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Caller } from '../../ground/browser/caller.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { emitRefusal } from '../../ground/event/emit-refusal.ts';
import type { EventFields, EventSink } from '../../ground/event/events.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import type { PasswordLimits } from '../authentication/password-limits.ts';
import { tryPassword } from '../authentication/password-try.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { PasskeyProofs } from '../passkey/passkey-assertion.ts';
import type { RecoveryWaitService } from '../recovery-wait/recovery-wait.service.ts';
import type { SecondFactorService } from '../second-factor/second-factor.service.ts';
import { lockOwnAccount } from '../session/lock-own-account.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import { readHoldings } from './holdings.ts';
import { BY_PASSWORD, BY_TOTP, byPasskey, type Proof, splitProofs } from './proof.ts';
import { type Holdings, stopsWaitOf } from './seniority.ts';
import { insertStepUp, stepUpRows } from './step-up.repository.ts';

/** How long a proof opens sensitive changes. A sign-in is a proof, too. */
export const STEP_UP_SECONDS = 600;

export interface StepUpOptions {
  db: Kysely<Database>;
  verification: Pick<VerificationService, 'spendCode'>;
  secondFactors: Pick<SecondFactorService, 'count' | 'spend' | 'settle'>;
  recoveryWaits: Pick<RecoveryWaitService, 'stop' | 'stopPassed'>;
  hasher: PasswordHasher;
  passwordLimits: PasswordLimits;
  passkeyProofs: PasskeyProofs;
  events: EventSink;
  now: () => Date;
}

/** Who asks, and at which brand. */
interface StepUpAsker extends Caller {
  brand: Brand;
}

/**
 * The password; one of the account's identifiers, as typed, with the code that was sent to it; a passkey; or a code of the
 * authenticator app.
 */
interface StepUpInput extends StepUpAsker {
  password?: string | undefined;
  identifier?: string | undefined;
  code?: string | undefined;
  passkey?: PasskeyAssertion | undefined;
  totp?: string | undefined;
}

/** Proves anew that the person of a session is there. */
export interface StepUpService {
  /**
   * What the browser needs to ask for a passkey of the account.
   * @throws AppError rate_limited
   */
  passkeyOptions(current: CurrentSession, asker: StepUpAsker): Promise<PasskeyRequestOptions>;
  /**
   * Answers the value of the cookie that stands for the proof, in this session alone.
   * @throws AppError invalid_credentials, step_up_required (with a code instead of the password), code_incorrect
   *   (also for an identifier of anyone else), code_expired, code_exhausted, totp_incorrect, passkey_rejected,
   *   challenge_expired, rate_limited, busy, not_signed_in
   */
  stepUp(current: CurrentSession, input: StepUpInput): Promise<string>;
  /**
   * What the person has just proven to be there with: the sign-in, and step-ups. Undefined where there was neither.
   * @param tokens the values of the cookie
   */
  findProofs(current: CurrentSession, tokens: readonly string[]): Promise<Proof[] | undefined>;
  /** What proves an account now, for what was proven. */
  findHoldings(accountId: string): Promise<Holdings>;
}

/**
 * Notes a proof for the session; answers the value of its cookie.
 * @throws AppError not_signed_in when the session ended meanwhile
 */
const issueStepUp = async (
  db: Kysely<Database>,
  now: () => Date,
  { brand, uid }: CurrentSession,
  provenBy: Proof,
): Promise<string> => {
  const token = createOpaqueToken();
  const isIssued = await insertStepUp(db, {
    token_hash: hashToken(token),
    brand,
    session_uid: uid,
    proven_by: provenBy,
    expires_at: new Date(now().getTime() + STEP_UP_SECONDS * 1000),
  });
  if (!isIssued) throw new AppError('not_signed_in');
  return token;
};

const proveByPassword = async (
  options: StepUpOptions,
  current: CurrentSession,
  { password, ...caller }: Caller & { password: string },
): Promise<string> => {
  const { accountId } = current;
  const proof = { ...caller, accountId, password };
  if (!(await tryPassword(options, proof))) throw new AppError('invalid_credentials');
  return issueStepUp(options.db, options.now, current, BY_PASSWORD);
};

const proveByCode = async (
  { verification, passwordLimits, now }: StepUpOptions,
  current: CurrentSession,
  { browserId, address }: Caller,
  proof: { identifier: string; code: string },
): Promise<string> => {
  const { kind, value } = parseIdentifier(proof.identifier);
  const token = await verification.spendCode(
    { ...proof, purpose: 'step-up', browserId, address, accountId: current.accountId },
    {
      lock: (trx) => lockOwnAccount(trx, current),
      open: async (trx, { identifiers }) => {
        const isOwn = identifiers.some((own) => own.kind === kind && own.value === value);
        return isOwn ? issueStepUp(trx, now, current, value) : undefined;
      },
    },
  );
  if (token === undefined) throw new AppError('code_incorrect', { fields: { code: 'code_incorrect' } });
  await passwordLimits.clear({ identifier: value, accountId: current.accountId, browserId, address });
  return token;
};

const proveByTotp = async (
  { db, secondFactors, recoveryWaits, now }: StepUpOptions,
  current: CurrentSession,
  { totp, brand }: { totp: string; brand: Brand },
): Promise<string> => {
  const { accountId } = current;
  const counted = await secondFactors.count(accountId, { totp }, { kind: 'session' });
  const { spent, token, stopped } = await transact(db, async (trx) => {
    await lockOwnAccount(trx, current);
    return {
      spent: await secondFactors.spend(trx, counted, brand),
      token: await issueStepUp(trx, now, current, BY_TOTP),
      stopped: await recoveryWaits.stopPassed(trx, accountId, {
        brand,
        mayStop: stopsWaitOf([BY_TOTP], await readHoldings(trx, accountId, now())),
      }),
    };
  });
  await secondFactors.settle(spent);
  await stopped.start();
  return token;
};

const passkeyUse = ({ uid, accountId }: CurrentSession, asker: StepUpAsker) => ({
  ...asker,
  purpose: 'step-up' as const,
  sessionUid: uid,
  accountId,
});

const proveByPasskey = async (
  { passkeyProofs, recoveryWaits, db, now }: StepUpOptions,
  current: CurrentSession,
  asker: StepUpAsker,
  passkey: PasskeyAssertion,
): Promise<string> => {
  const { passkeyId } = await passkeyProofs.verifyAssertion(passkeyUse(current, asker), passkey);
  const { accountId } = current;
  const proof = byPasskey(passkeyId);
  const mayStop = stopsWaitOf(splitProofs(proof), await readHoldings(db, accountId, now()));
  await recoveryWaits.stop(accountId, { brand: asker.brand, mayStop });
  return issueStepUp(db, now, current, proof);
};

const prove = async (
  options: StepUpOptions,
  current: CurrentSession,
  { password, identifier, code, passkey, totp, ...caller }: StepUpInput,
): Promise<string> => {
  if (passkey) return proveByPasskey(options, current, caller, passkey);
  if (password !== undefined) return proveByPassword(options, current, { ...caller, password });
  if (totp !== undefined) return proveByTotp(options, current, { totp, brand: caller.brand });
  if (identifier === undefined || code === undefined) throw new AppError('invalid_request');
  return proveByCode(options, current, caller, { identifier, code });
};

const methodOf = ({ password, passkey, totp }: StepUpInput): EventFields['method'] => {
  if (passkey) return 'passkey';
  if (totp !== undefined) return 'totp';
  return password === undefined ? 'code' : 'password';
};

export const createStepUpService = (options: StepUpOptions): StepUpService => {
  const { db, passkeyProofs, events, now } = options;

  return {
    passkeyOptions: (current, asker) => passkeyProofs.requestOptions(passkeyUse(current, asker)),

    stepUp: async (current, input) => {
      const { accountId, brand } = current;
      const said = { accountId, brand, method: methodOf(input) };
      const token = await emitRefusal(events, 'step_up.refused')(said, () => prove(options, current, input));
      events.emit('step_up.succeeded', said);
      return token;
    },

    findHoldings: (accountId) => readHoldings(db, accountId, now()),

    findProofs: async (current, tokens) => {
      const at = now();
      const isFresh = at.getTime() - current.signedInAt.getTime() < STEP_UP_SECONDS * 1000;
      const ofSession = { brand: current.brand, session_uid: current.uid };
      const found =
        tokens.length > 0
          ? await stepUpRows.list(db, { token_hash: tokens.map(hashToken), ...ofSession }, at)
          : [];
      if (!isFresh && found.length === 0) return undefined;
      const proven = found.flatMap(({ proven_by }) => splitProofs(proven_by));
      return [...(isFresh ? splitProofs(current.provenBy) : []), ...proven];
    },
  };
};
