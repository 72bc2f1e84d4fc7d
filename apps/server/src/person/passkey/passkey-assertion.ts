import type { PasskeyAssertion, PasskeyRequestOptions } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Caller } from '../../ground/browser/caller.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventFields, EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { lockAccount } from '../account/account.repository.ts';
import { noteActivity } from '../activity/note-activity.ts';
import type { RefusedSignIns } from '../activity/refused-sign-ins.ts';
import type { MessageQueue } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import { readClientData, verifyUse } from './authenticator-answer.ts';
import {
  findOwnedPasskey,
  listPasskeys,
  type OwnedPasskey,
  updatePasskeyUse,
  updatePasskeyWarning,
} from './passkey.repository.ts';
import { toDescriptor } from './passkey.ts';
import { CHALLENGE_SECONDS } from './passkey-challenge.repository.ts';
import { type ChallengeUse, issueChallenge, useChallenge } from './passkey-challenge.ts';
import { PasskeyRefusal, toAppError } from './passkey-refusal.ts';

export interface PasskeyProofOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  refusedSignIns: Pick<RefusedSignIns, 'note'>;
  now: () => Date;
}

/**
 * What a passkey is asked for:
 * - `sign-in`: in an interaction, alone or as the second factor of a pending sign-in, whose account is then known;
 * - `step-up`: in a session;
 * - `recovery`: of an account whose identifier was proven.
 */
type PasskeyUse = Caller & { brand: Brand } & (
    | {
        purpose: 'sign-in';
        interaction: string;
        accountId?: string | undefined;
        facts?: RequestFacts | undefined;
      }
    | { purpose: 'step-up'; sessionUid: string; accountId: string }
    | { purpose: 'recovery'; accountId: string }
  );

/** Who used a passkey. */
interface ProvenPasskey {
  accountId: string;
  passkeyId: string;
  /** The account's session epoch before the proof was checked. */
  epoch: number;
  /** RFC 8176: `hwk` where the key cannot leave its device, else `swk`; the person was verified. */
  amr: string[];
}

/** Proves by passkeys who a person is. */
export interface PasskeyProofs {
  /**
   * What the browser needs to ask for a passkey. A sign-in names none: the person chooses. Its challenge is good for 5
   * minutes and one answer.
   * @throws AppError rate_limited
   */
  requestOptions(use: PasskeyUse): Promise<PasskeyRequestOptions>;
  /**
   * Verifies what the browser answered, spends the challenge and notes the use. The person was verified by their device,
   * so a passkey is more than one factor.
   * @throws AppError passkey_rejected, challenge_expired; account_disabled after all else was right
   */
  verifyAssertion(use: PasskeyUse, answer: PasskeyAssertion): Promise<ProvenPasskey>;
}

const challengeUseOf = (use: PasskeyUse): ChallengeUse => {
  const { brand, browserId, address, purpose } = use;
  const asked = { brand, browserId, address, purpose };
  if (use.purpose === 'sign-in')
    return { ...asked, boundTo: hashToken(use.interaction), accountId: undefined };
  const boundTo = use.purpose === 'step-up' ? use.sessionUid : use.accountId;
  return { ...asked, boundTo, accountId: use.accountId };
};

/** The passkey that answered, where it may answer for this account. Without a known account its user handle says whose it is. */
const findAnswering = async (
  db: Kysely<Database>,
  { brand, accountId }: PasskeyUse,
  { id, response: { userHandle } }: PasskeyAssertion,
): Promise<OwnedPasskey> => {
  const passkey = await findOwnedPasskey(db, { rp_id: brand.rpId, credential_id: id });
  if (!passkey) throw new PasskeyRefusal('credential_unknown');
  const isNamed = userHandle ? userHandle === passkey.handle : accountId !== undefined;
  if (!isNamed || (accountId ?? passkey.account_id) !== passkey.account_id)
    throw new PasskeyRefusal('account_differs');
  return passkey;
};

/** Marks a passkey whose counter went back, and tells all contacts of its account, once. */
const warn = async (
  { db, messages, now }: PasskeyProofOptions,
  { id, name, account_id: accountId }: OwnedPasskey,
  brand: Brand,
): Promise<void> => {
  const at = now();
  const notices = await inTransaction(db, async (trx) => {
    const record = await lockAccount(trx, accountId);
    if (!record || !(await updatePasskeyWarning(trx, id, at))) return [];
    const { account, identifiers } = record;
    await noteActivity(trx, { accountId, kind: 'passkey_counter', brand: brand.id, detail: { name } });
    const notice = { notice: 'passkey_counter' as const, at, locale: account.locale, brand };
    return addNotices(trx, messages, identifiers, notice);
  });
  await Promise.all(notices.map((notice) => notice.start()));
};

/** @param said the fields of the event; they get the account as soon as it is known */
const verify = async (
  options: PasskeyProofOptions,
  use: PasskeyUse,
  answer: PasskeyAssertion,
  said: EventFields,
): Promise<ProvenPasskey> => {
  const { db, now } = options;
  const clientData = await readClientData(answer);
  await useChallenge(options, clientData.challenge, challengeUseOf(use));
  const passkey = await findAnswering(db, use, answer);
  said.accountId = passkey.account_id;
  const { counter, backedUp } = await verifyUse(answer, clientData, use.brand, passkey);
  if (passkey.status === 'disabled') throw new AppError('account_disabled');
  const { id, account_id: accountId, epoch, backup_eligible: canBeBackedUp } = passkey;
  if (!(await updatePasskeyUse(db, { id, counter, backed_up: backedUp }, now()))) {
    await warn(options, passkey, use.brand);
    throw new PasskeyRefusal('counter_went_back');
  }
  return { accountId, passkeyId: id, epoch, amr: [canBeBackedUp ? 'swk' : 'hwk', 'user', 'mfa'] };
};

/** Notes a refused sign-in of the account whose passkey it is. A credential that nobody has is nobody's. */
const noteRefusal = (
  { refusedSignIns }: PasskeyProofOptions,
  use: PasskeyUse,
  { accountId }: EventFields,
): void => {
  if (use.purpose !== 'sign-in' || accountId === undefined) return;
  refusedSignIns.note({ who: { accountId }, method: 'passkey', brand: use.brand.id, facts: use.facts });
};

export const createPasskeyProofs = (options: PasskeyProofOptions): PasskeyProofs => {
  const { db, events } = options;

  return {
    requestOptions: async (use) => {
      const { brand, purpose, accountId } = use;
      const own = purpose !== 'sign-in' && accountId ? await listPasskeys(db, accountId) : undefined;
      return {
        challenge: await issueChallenge(options, challengeUseOf(use)),
        rpId: brand.rpId,
        timeout: CHALLENGE_SECONDS * 1000,
        userVerification: 'required',
        ...(own && { allowCredentials: own.filter(({ rp_id }) => rp_id === brand.rpId).map(toDescriptor) }),
      };
    },

    verifyAssertion: async (use, answer) => {
      const { purpose, brand } = use;
      const said: EventFields = { purpose, brand: brand.id };
      try {
        return await verify(options, use, answer, said);
      } catch (error) {
        if (!(error instanceof PasskeyRefusal)) throw error;
        noteRefusal(options, use, said);
        events.emit('passkey.refused', { ...said, reason: error.fault });
        throw toAppError(error);
      }
    },
  };
};
