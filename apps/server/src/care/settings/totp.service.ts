import type { ActivityKind, RecoveryCodes, TotpStarted } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventName } from '../../ground/event/event-names.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { openWithAny, seal } from '../../ground/seal.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import type { AccountRecord } from '../../person/account/account.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { noteAddition } from '../../person/addition/addition.repository.ts';
import type { AdditionRow } from '../../person/addition/addition.table.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { AccountNoticeKind } from '../../person/delivery/message.ts';
import type { Delivery } from '../../person/delivery/message-queue.ts';
import { addAdditionNotices } from '../../person/passkey/addition-notices.ts';
import { stopWaits } from '../../person/recovery-wait/ended-waits.ts';
import { clearFactorTries, countFactorTry } from '../../person/second-factor/factor-limits.ts';
import { removeFactor } from '../../person/second-factor/factor-removal.ts';
import { replaceRecoveryCodes } from '../../person/second-factor/recovery-codes.ts';
import { refuseFactor, type SecondFactorOptions } from '../../person/second-factor/second-factor.service.ts';
import {
  findActiveSince,
  findTotp,
  updateActive,
  upsertTotpStart,
} from '../../person/second-factor/totp.repository.ts';
import { createTotpSecret, findStep, totpUri } from '../../person/second-factor/totp-code.ts';
import { lockOwnAccount } from '../../person/session/lock-own-account.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import { readHoldings } from '../../person/step-up/holdings.ts';
import type { ProvenSession } from '../../person/step-up/proof.ts';
import { stopsWaitOf } from '../../person/step-up/seniority.ts';
import { countChange } from './change-limits.ts';

/** How long the setting up of an app may take. */
export const SETTING_UP_SECONDS = 900;

export type TotpOptions = SecondFactorOptions;

type NamedBrand = MessageBrand & { id: string };

/** What happens to a factor: as the notice and the activity call it. */
type FactorChange = AccountNoticeKind & ActivityKind & `${'totp' | 'recovery'}_${string}`;

/** The authenticator app of a person who is signed in. */
export interface TotpService {
  /**
   * Makes a secret, good in this session for 15 minutes, in place of one that was not activated.
   * @throws AppError totp_exists, not_signed_in
   */
  start(current: CurrentSession, brand: NamedBrand): Promise<TotpStarted>;
  /**
   * Switches the app on by a right code; answers ten recovery codes. All other sessions end, as by a new password, and no
   * browser is trusted any more.
   * @param browserId the value of the pre-session cookie: every other browser forgets the account
   * @throws AppError totp_not_started, totp_exists, totp_incorrect, rate_limited, not_signed_in
   */
  activate(
    current: CurrentSession,
    input: { code: string; browserId: string | undefined },
    brand: NamedBrand,
  ): Promise<RecoveryCodes>;
  /**
   * Switches the app off, and its recovery codes with it.
   * @throws AppError not_found where none is on; rate_limited, not_signed_in
   */
  remove(current: CurrentSession, brand: NamedBrand): Promise<void>;
  /** Makes ten recovery codes in place of the present ones. @throws AppError as `remove` */
  makeRecoveryCodes(current: ProvenSession, brand: NamedBrand): Promise<RecoveryCodes>;
}

/** What can be taken back, by the notice of its change. */
const additions: Partial<Record<AccountNoticeKind, AdditionRow['kind']>> = {
  totp_added: 'totp',
  recovery_codes_made: 'recovery_codes',
};

/** Adds the notice for all contacts, and counts it among the changes of the account. */
const tell = async (
  trx: Kysely<Database>,
  { messages, events, now }: TotpOptions,
  { account, identifiers }: AccountRecord,
  { notice, brand, current: { uid } }: { notice: FactorChange; brand: NamedBrand; current: CurrentSession },
): Promise<Delivery[]> => {
  const at = now();
  await countChange(trx, account.id, { now: at, events });
  const added = additions[notice];
  const row = added && { account_id: account.id, kind: added, session_uid: uid, at };
  const undoToken = row && (await noteAddition(trx, row));
  return addAdditionNotices(trx, messages, identifiers, {
    notice,
    at,
    locale: account.locale,
    brand,
    ...(undoToken && { undoToken }),
  });
};

/** Stops waits: who changes the factor has not lost it. Where one is switched off, nothing waits any more. */
const stopOwn = async (
  trx: Kysely<Database>,
  options: TotpOptions,
  { accountId, proofs = [] }: CurrentSession & Partial<ProvenSession>,
  { brand, notice }: { brand: NamedBrand; notice: FactorChange },
): Promise<Delivery> => {
  if (notice === 'totp_removed') return stopWaits(trx, options, accountId, { brand });
  const mayStop = stopsWaitOf(proofs, await readHoldings(trx, accountId, options.now()));
  return stopWaits(trx, options, accountId, { brand, mayStop });
};

/** Finds the step of a right code of the app that this session sets up. */
const requireRightStep = async (
  trx: Kysely<Database>,
  { totpKeys, now }: TotpOptions,
  { accountId, uid }: CurrentSession,
  code: string,
): Promise<number> => {
  const row = await findTotp(trx, accountId);
  if (row?.active_since) throw new AppError('totp_exists');
  const end = (row?.started_at.getTime() ?? 0) + SETTING_UP_SECONDS * 1000;
  if (row?.session_uid !== uid || end <= now().getTime()) throw new AppError('totp_not_started');
  const step = findStep(openWithAny(totpKeys, row.sealed_secret), code, now());
  if (step === undefined) throw refuseFactor('totp');
  return step;
};

/** Stores a new secret; answers what the app shows of the account. */
const storeStart = async (
  trx: Kysely<Database>,
  { totpKeys, now }: TotpOptions,
  current: CurrentSession,
  secret: string,
): Promise<string> => {
  const { account, identifiers } = await lockOwnAccount(trx, current);
  const isStarted = await upsertTotpStart(trx, {
    account_id: account.id,
    sealed_secret: seal(totpKeys[0], secret),
    session_uid: current.uid,
    started_at: now(),
  });
  if (!isStarted) throw new AppError('totp_exists');
  const shown = identifiers.find(({ kind }) => kind === 'email') ?? identifiers[0];
  return shown?.display ?? account.nickname;
};

export const createTotpService = (options: TotpOptions): TotpService => {
  const { db, fingerprint, events, now } = options;

  /** Changes the factor of the account that the transaction locks, and tells all contacts after the commit. */
  const change = async <T>(
    current: CurrentSession & Partial<ProvenSession>,
    { brand, notice, event }: { brand: NamedBrand; notice: FactorChange; event: EventName },
    work: (trx: Kysely<Database>, record: AccountRecord) => Promise<T>,
  ): Promise<T> => {
    const { result, notices } = await inTransaction(db, async (trx) => {
      const record = await lockOwnAccount(trx, current, {});
      const { accountId } = current;
      const stopped = await stopOwn(trx, options, current, { brand, notice });
      const result = await work(trx, record);
      await noteActivity(trx, { accountId, kind: notice, session: current });
      const told = await tell(trx, options, record, { notice, brand, current });
      return { result, notices: [stopped, ...told] };
    });
    events.emit(event, { accountId: current.accountId });
    await Promise.all(notices.map((one) => one.start()));
    return result;
  };

  return {
    start: async (current, brand) => {
      const secret = createTotpSecret();
      const label = await inTransaction(db, (trx) => storeStart(trx, options, current, secret));
      return { secret, uri: totpUri(secret, { issuer: brand.name, label }) };
    },

    activate: async (current, { code, browserId }, brand) => {
      const { accountId } = current;
      const tried = { accountId, guessed: 'totp', trier: { kind: 'session' } } as const;
      await countFactorTry(db, tried, { now: now(), events });
      const about = { brand, notice: 'totp_added', event: 'second_factor.added' } as const;
      const { recoveryCodes, ended } = await change(current, about, async (trx, { identifiers }) => {
        const step = await requireRightStep(trx, options, current, code);
        await updateActive(trx, accountId, { at: now(), step });
        const made = await replaceRecoveryCodes(trx, fingerprint, accountId);
        const { sessions } = await end(trx, ends.factorSwitchedOn, {
          accountId,
          sessionUid: current.uid,
          browserHash: browserId && hashToken(browserId),
          identifiers: identifiers.map(({ value }) => value),
        });
        return { recoveryCodes: made, ended: sessions.length };
      });
      if (ended > 0) events.emit('sessions.ended', { accountId, count: ended });
      await clearFactorTries(db, tried);
      return { recoveryCodes };
    },

    remove: async (current, brand) => {
      const about = { brand, notice: 'totp_removed', event: 'second_factor.removed' } as const;
      await change(current, about, async (trx) => {
        if (!(await removeFactor(trx, current.accountId))) throw new AppError('not_found');
      });
    },

    makeRecoveryCodes: async (current, brand) => {
      const { accountId } = current;
      const about = { brand, notice: 'recovery_codes_made', event: 'recovery_codes.made' } as const;
      const recoveryCodes = await change(current, about, async (trx) => {
        if (!(await findActiveSince(trx, accountId))) throw new AppError('not_found');
        return replaceRecoveryCodes(trx, fingerprint, accountId);
      });
      return { recoveryCodes };
    },
  };
};
