import type { Kysely } from 'kysely';
import { listAccounts } from '../account/account.repository.ts';
import { insertActivity } from '../activity/activity.repository.ts';
import { upsertPassword } from '../credential/password.repository.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { PasswordPolicy } from '../credential/password-policy.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transact.ts';
import type { MessageBrand } from '../delivery/code-message.ts';
import type { MessageQueue } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import { end } from '../ending/end.ts';
import { ends } from '../ending/what-ends-what.ts';
import { insertWithdrawals } from '../ending/withdrawals.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import { hashToken } from '../opaque-token.ts';
import { neighbourhoodOf } from '../rate-limit/address-key.ts';
import { stopWaits } from '../recovery-wait/ended-waits.ts';
import { lockOwnAccount } from '../session/lock-own-account.ts';
import type { CurrentSession } from '../session/session.service.ts';
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
  setPassword(current: CurrentSession, input: SetPasswordInput): Promise<void>;
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
      await insertActivity(trx, { accountId, kind: 'password_changed', session: current });
      const stopped = await stopWaits(trx, options, accountId, { brand });
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
