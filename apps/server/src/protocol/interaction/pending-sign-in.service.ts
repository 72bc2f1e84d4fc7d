import type { PasskeyAssertion } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import { listFederatedIdentities } from '../../person/federated-identity/federated-identity.repository.ts';
import type { PasskeyProofs } from '../../person/passkey/passkey-assertion.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import type {
  CountedFactor,
  SecondFactorService,
  TypedFactor,
} from '../../person/second-factor/second-factor.service.ts';
import { readHoldings } from '../../person/step-up/holdings.ts';
import {
  BY_RECOVERY_CODE,
  BY_TOTP,
  byPasskey,
  identityOf,
  joinProofs,
  splitProofs,
} from '../../person/step-up/proof.ts';
import { stopsWaitOf } from '../../person/step-up/seniority.ts';
import type {
  BrowserAt,
  TrustedBrowserService,
} from '../../person/trusted-browser/trusted-browser.service.ts';
import type { SignIn } from './answers.ts';
import { type PendingKey, pendingSignInRows, updatePassed } from './pending-sign-in.repository.ts';
import type { PendingSignInRow } from './pending-sign-in.table.ts';
import type { PassedFactor } from './pending-sign-in.ts';

export interface PendingSignInOptions {
  db: Kysely<Database>;
  secondFactors: SecondFactorService;
  trustedBrowsers: Pick<TrustedBrowserService, 'isTrusted' | 'trust'>;
  recoveryWaits: Pick<RecoveryWaitService, 'stopPassed'>;
  passkeyProofs: Pick<PasskeyProofs, 'verifyAssertion'>;
  now: () => Date;
}

/** The interaction, and the browser that it belongs to. */
interface PendingPlace {
  brand: string;
  interaction: string;
  browserId: string;
}

/** Where a factor is passed. */
interface PassingPlace extends Omit<PendingPlace, 'brand'> {
  brand: Brand;
  /** The IP address. */
  address: string;
  /** What was sent, whole. */
  sent: unknown;
  /** The cookie of trust, where the person asked not to be asked again in this browser. */
  trust?: { token: string } | undefined;
  facts: RequestFacts;
  /** Refuses by the methods of the whole sign-in, before anything is used up but the passkey's answer. */
  requireStrength(amr: readonly string[]): void;
}

/** Exactly one of them. */
export interface SentFactor extends TypedFactor {
  passkey?: PasskeyAssertion | undefined;
}

export type TypedSignIn = SignIn & {
  /** The identifier as it was typed; empty where none was. */
  typed: string;
};

/** A sign-in whose factor is due. */
export interface PendingSignIn {
  accountId: string;
  /** Masked; undefined where none was typed. */
  identifier: string | undefined;
}

/** Sign-ins between the first proof and the second factor. */
export interface PendingSignIns {
  /**
   * Whether a second factor comes next: the account has an authenticator app, and the browser is not trusted.
   * @param hasFactor whether it has the app, where that was read with the epoch of the sign-in
   */
  isDue(accountId: string, at: BrowserAt, hasFactor?: boolean): Promise<boolean>;
  /** Notes a sign-in whose factor is due. In this interaction and browser the first proof stands for 10 minutes. */
  begin(place: PendingPlace, signIn: TypedSignIn): Promise<void>;
  find(place: PendingPlace): Promise<PendingSignIn | undefined>;
  /**
   * Passes the factor; answers the whole sign-in. What was sent is good once, but the browser
   * that did not get the answer may send it again in the same interaction.
   * @throws AppError totp_incorrect, recovery_code_incorrect, passkey_rejected, challenge_expired, rate_limited,
   *   account_disabled, interaction_expired, and what `requireStrength` throws: another factor can be sent then
   */
  pass(place: PassingPlace, factor: SentFactor): Promise<TypedSignIn>;
  /** Forgets the sign-in, for a person who begins as somebody else. */
  drop(place: Omit<PendingPlace, 'browserId'>): Promise<void>;
}

const toKey = ({ brand, interaction, browserId }: PendingPlace): PendingKey => ({
  brand,
  interaction_hash: hashToken(interaction),
  device_hash: hashToken(browserId),
});

/** RFC 8176 section 2: a code of the app is a one-time password; either way there were two factors. */
const passings = {
  totp: { amr: ['otp', 'mfa'], proof: BY_TOTP },
  recovery_code: { amr: ['mfa'], proof: BY_RECOVERY_CODE },
} as const;

/** A factor; one that was typed is still to be compared. */
type Proving = Omit<PassedFactor, 'digest'> & { counted: CountedFactor | undefined };

const toSignIn = (row: PendingSignInRow, passed: PassedFactor): TypedSignIn => ({
  accountId: row.account_id,
  epoch: row.epoch,
  amr: [...new Set([...row.amr, ...passed.amr])],
  provenBy: joinProofs(row.proven_by, passed.proof),
  typed: row.identifier,
});

/** Verifies a passkey, or counts the try of what was typed, which is compared later. */
const prove = async (
  { passkeyProofs, secondFactors }: PendingSignInOptions,
  accountId: string,
  { interaction, brand, address, browserId, facts }: PassingPlace,
  { passkey, ...typed }: SentFactor,
): Promise<Proving> => {
  if (passkey) {
    const at = { interaction, brand, address, browserId, facts };
    const use = { purpose: 'sign-in' as const, accountId, ...at };
    const { amr, passkeyId } = await passkeyProofs.verifyAssertion(use, passkey);
    return { counted: undefined, amr, proof: byPasskey(passkeyId) };
  }
  const counted = await secondFactors.count(accountId, typed, { kind: 'browser', browserId, address });
  const { amr, proof } = passings[counted.guessed];
  return { counted, amr: [...amr], proof };
};

/** Whether the way in by which the person came from an identity provider is open; true where they came by none. */
const isWayOpen = async (
  trx: Kysely<Database>,
  { account_id, proven_by }: PendingSignInRow,
): Promise<boolean> => {
  const [id] = splitProofs(proven_by).flatMap((proof) => identityOf(proof) ?? []);
  if (id === undefined) return true;
  const ways = await listFederatedIdentities(trx, account_id);
  return ways.some((way) => way.id === id && way.closed_at === null);
};

/**
 * Locks the account of a sign-in, before its factor and its row: in this order everybody locks them.
 * @throws AppError interaction_expired where its sessions ended, or the way in was removed or closed, since the first
 *   proof; account_disabled
 */
const lockSigningIn = async (trx: Kysely<Database>, row: PendingSignInRow): Promise<void> => {
  const record = await lockAccount(trx, row.account_id);
  if (record?.account.status === 'disabled') throw new AppError('account_disabled');
  if (record?.account.session_epoch !== row.epoch || !(await isWayOpen(trx, row)))
    throw new AppError('interaction_expired');
};

/** Passes the factor. */
const passProven = async (
  { db, secondFactors, trustedBrowsers, recoveryWaits, now }: PendingSignInOptions,
  row: PendingSignInRow,
  {
    place,
    counted,
    passed,
  }: { place: PassingPlace; counted: CountedFactor | undefined; passed: PassedFactor },
): Promise<void> => {
  const { account_id: accountId, epoch } = row;
  const { trust, browserId, brand, facts } = place;
  const { spent, stopped } = await transact(db, async (trx) => {
    await lockSigningIn(trx, row);
    const factor = counted && (await secondFactors.spend(trx, counted, brand));
    if (!(await updatePassed(trx, row, passed))) throw new AppError('interaction_expired');
    if (trust)
      await trustedBrowsers.trust(trx, { accountId, epoch }, { browserId, brand: brand.id, facts, ...trust });
    const proofs = splitProofs(toSignIn(row, passed).provenBy);
    const mayStop = stopsWaitOf(proofs, await readHoldings(trx, accountId, now()));
    return { spent: factor, stopped: await recoveryWaits.stopPassed(trx, accountId, { brand, mayStop }) };
  });
  if (spent) await secondFactors.settle(spent);
  await stopped.start();
};

export const createPendingSignIns = (options: PendingSignInOptions): PendingSignIns => {
  const { db, secondFactors, trustedBrowsers, now } = options;

  const requirePending = async (key: PendingKey): Promise<PendingSignInRow> => {
    const row = await pendingSignInRows.find(db, key, now());
    if (!row) throw new AppError('interaction_expired');
    return row;
  };

  const pass: PendingSignIns['pass'] = async (place, factor) => {
    const key = toKey({ ...place, brand: place.brand.id });
    const digest = hashToken(JSON.stringify(place.sent));
    const findPassed = ({ passed_by }: PendingSignInRow) =>
      passed_by?.digest === digest ? passed_by : undefined;
    const row = await requirePending(key);
    const before = findPassed(row);
    if (before) return toSignIn(row, before);
    try {
      const { counted, ...passing } = await prove(options, row.account_id, place, factor);
      const passed = { digest, ...passing };
      place.requireStrength(toSignIn(row, passed).amr);
      await passProven(options, row, { place, counted, passed });
      return toSignIn(row, passed);
    } catch (error) {
      // The same request may have passed meanwhile; the interaction itself is answered once.
      if (!(error instanceof AppError)) throw error;
      const again = await requirePending(key);
      const passed = findPassed(again);
      if (!passed) throw error;
      return toSignIn(again, passed);
    }
  };

  return {
    isDue: async (accountId, at, hasFactor) => {
      const isOn = hasFactor ?? (await secondFactors.find(accountId)) !== undefined;
      return isOn && !(await trustedBrowsers.isTrusted(accountId, at));
    },

    begin: async (place, { accountId, epoch, amr, provenBy, typed }) => {
      const proven = { account_id: accountId, epoch, amr: JSON.stringify(amr), proven_by: provenBy };
      const row = { ...toKey(place), ...proven, identifier: typed, passed_by: null };
      await pendingSignInRows.put(db, row, now());
    },

    find: async (place) => {
      const row = await pendingSignInRows.find(db, toKey(place), now());
      if (!row || row.passed_by) return undefined;
      const { identifier: typed } = row;
      const identifier = typed === '' ? undefined : maskIdentifier(parseIdentifier(typed).value);
      return { accountId: row.account_id, identifier };
    },

    pass,

    drop: async ({ brand, interaction }) => {
      await pendingSignInRows.endOf(db, hashToken(interaction), { brand });
    },
  };
};
