import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { neighbourhoodOf } from '../../ground/rate-limit/address-key.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import { insertWithdrawals } from '../../link/ending/withdrawals.ts';
import { listAccounts } from '../../person/account/account.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { upsertPassword } from '../../person/credential/password.repository.ts';
import type { PasswordHasher } from '../../person/credential/password-hasher.ts';
import type { PasswordPolicy } from '../../person/credential/password-policy.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import { stopWaits } from '../../person/recovery-wait/ended-waits.ts';
import { lockOwnAccount } from '../../person/session/lock-own-account.ts';
import { readHoldings } from '../../person/step-up/holdings.ts';
import type { ProvenSession } from '../../person/step-up/proof.ts';
import { stopsWaitOf } from '../../person/step-up/seniority.ts';
import { countChange } from './change-limits.ts';

export interface PasswordOptions {
  db: Kysely<Database>;
  hasher: PasswordHasher;
  passwordPolicy: PasswordPolicy;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

interface SetPasswordInput {
  password: string;
  withdrawAuthorizations: boolean;
  /** The value of the pre-session cookie; other browsers forget the account. */
  browserId: string | undefined;
  /** The caller's IP address. */
  address: string;
  brand: MessageBrand & { id: string };
}

/** A new password for a person who is signed in. */
export interface PasswordService {
  /**
   * Sets the password, ends all other sessions of the account and sends notices to its contacts; this session stays.
   * @throws AppError password_*, busy, not_signed_in; rate_limited after many changes of the account
   */
  setPassword(current: ProvenSession, input: SetPasswordInput): Promise<void>;
}

export const createPasswordService = (options: PasswordOptions): PasswordService => {
  const { db, hasher, passwordPolicy, messages, events, now } = options;

  const setPassword: PasswordService['setPassword'] = async (current, input) => {
    const { password, withdrawAuthorizations, browserId, address, brand } = input;
    const { accountId, uid } = current;
    const [before] = await listAccounts(db, [accountId]);
    if (!before) throw new AppError('not_signed_in');
    passwordPolicy.check(password, before.identifiers);
    const hash = await hasher.hash(password, neighbourhoodOf(address));

    const at = now();
    const { ended, notices } = await inTransaction(db, async (trx) => {
      const { account, identifiers } = await lockOwnAccount(trx, current, {});
      // Once more: the hash took its time, and another identifier may have been bound.
      passwordPolicy.check(password, identifiers);
      await countChange(trx, accountId, { now: at, events });
      await upsertPassword(trx, { account_id: accountId, hash, changed_at: at });
      await noteActivity(trx, { accountId, kind: 'password_changed', session: current });
      const stopped = await stopWaits(trx, options, accountId, {
        brand,
        mayStop: stopsWaitOf(current.proofs, await readHoldings(trx, accountId, at)),
      });
      const row = { ...ends.passwordChanged, ...(withdrawAuthorizations && ends.allGrantsWithdrawn) };
      const { sessions, grants } = await end(trx, row, {
        accountId,
        sessionUid: uid,
        browserHash: browserId && hashToken(browserId),
        identifiers: identifiers.map(({ value }) => value),
      });
      await insertWithdrawals(trx, { accountId, session: current }, grants);
      const notice = { notice: 'password_changed' as const, at, locale: account.locale, brand };
      const told = await addNotices(trx, messages, identifiers, notice);
      return { ended: sessions.length, notices: [stopped, ...told] };
    });
    events.emit('password.changed', { accountId });
    if (ended > 0) events.emit('sessions.ended', { accountId, count: ended });
    await Promise.all(notices.map((notice) => notice.start()));
  };

  return { setPassword };
};
