import type { IdentifierChange } from '@candela/contract';
import type { Kysely } from 'kysely';
import { databaseNow } from '../../ground/db/clock.ts';
import type { Database } from '../../ground/db/database.ts';
import { isStorable } from '../../ground/db/storable-text.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import { type AccountRecord, listAccounts, lockAccount } from '../../person/account/account.repository.ts';
import { toIdentifierChange } from '../../person/account/account.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { findPassword } from '../../person/credential/password.repository.ts';
import { listWaitingChanges } from '../../person/identifier-change/identifier-change.repository.ts';
import { listPasskeys } from '../../person/passkey/passkey.repository.ts';
import { recoveryWaitRows } from '../../person/recovery-wait/recovery-wait.repository.ts';
import { countRecoveryCodes } from '../../person/second-factor/recovery-code.repository.ts';
import { findActiveSince } from '../../person/second-factor/totp.repository.ts';
import { disabledWithLinks, suspended } from '../../person/signal/told.ts';
import { trustedBrowserRows } from '../../person/trusted-browser/trusted-browser.repository.ts';
import { findHoldings, type Holdings, updateDisabled, updateEnabled } from './account-status.repository.ts';
import { findNamedAccount } from './named-account.ts';

/** An account as support sees it: no hash of anything, and no name of an app. */
export interface ShownAccount extends Holdings {
  id: string;
  nickname: string;
  locale: string;
  /** In the order in which they were verified. */
  identifiers: { kind: 'phone' | 'email'; identifier: string; verifiedAt: Date }[];
  status: 'active' | 'disabled';
  disabledAt?: Date;
  disabledReason?: string;
  /** When it is deleted, unless its person keeps it. */
  leavingAt?: Date;
  createdAt: Date;
  passwordChangedAt?: Date;
  /** Absent: no authenticator app is asked for. */
  secondFactor?: { since: Date; recoveryCodesLeft: number };
  passkeys: number;
  /** Browsers that are not asked for the second factor. */
  trustedBrowsers: number;
  /** Recoveries without the second factor that wait. */
  recoveryWaits: { kind: 'phone' | 'email'; dueAt: Date }[];
  /** Changes of identifiers that wait, and can be undone. */
  waitingChanges: IdentifierChange[];
}

export interface DisabledAccount {
  id: string;
  /** How many sessions ended. */
  sessions: number;
  /** What became of the links. */
  links: 'suspended' | 'ended';
}

/** What an operator does with the account of a person. An account is named by its id, or by an identifier as typed. */
export interface AccountStatusService {
  /** @throws AppError identifier_blank, identifier_invalid, phone_invalid, email_invalid, account_not_found */
  show(named: string): Promise<ShownAccount>;
  /**
   * Ends all sessions, the tokens bound to them and the sign-ins under way, on every process at once, and lets nobody
   * sign in. Links are suspended: a refresh is answered 503 and an access token is inactive, until the account is
   * enabled. With `endLinks` they end for good. An account that is disabled already gets the new reason.
   * @param reason 1 to 500 characters, for the next person who looks.
   * @throws AppError as `show`; invalid_request for another reason
   */
  disable(named: string, options: { reason: string; endLinks: boolean }): Promise<DisabledAccount>;
  /**
   * Lets the person sign in again; suspended links live on.
   * @returns `changed`: false where the account was not disabled.
   * @throws AppError as `show`
   */
  enable(named: string): Promise<{ id: string; changed: boolean }>;
}

export interface AccountStatusOptions {
  db: Kysely<Database>;
  events: EventSink;
}

const REASON_LENGTH = 500;

const describeFactors = async (db: Kysely<Database>, id: string) => {
  const at = databaseNow();
  const since = await findActiveSince(db, id);
  const waits = await recoveryWaitRows.list(db, { account_id: id }, at);
  return {
    ...(since && { secondFactor: { since, recoveryCodesLeft: await countRecoveryCodes(db, id) } }),
    passkeys: (await listPasskeys(db, id)).length,
    trustedBrowsers: (await trustedBrowserRows.list(db, { account_id: id }, at)).length,
    recoveryWaits: waits.map(({ kind, due_at }) => ({ kind, dueAt: due_at })),
  };
};

const describe = async (
  db: Kysely<Database>,
  { account, identifiers }: AccountRecord,
): Promise<ShownAccount> => {
  const { id, nickname, locale, status, created_at, disabled_at, disabled_reason, leaving_at } = account;
  const password = await findPassword(db, id);
  return {
    id,
    nickname,
    locale,
    identifiers: identifiers.map(({ kind, display, verified_at }) => ({
      kind,
      identifier: display,
      verifiedAt: verified_at,
    })),
    status,
    ...(disabled_at && { disabledAt: disabled_at }),
    ...(disabled_reason !== null && { disabledReason: disabled_reason }),
    ...(leaving_at && { leavingAt: leaving_at }),
    createdAt: created_at,
    ...(password && { passwordChangedAt: password.changed_at }),
    ...(await describeFactors(db, id)),
    ...(await findHoldings(db, id)),
    waitingChanges: (await listWaitingChanges(db, id)).map(toIdentifierChange),
  };
};

export const createAccountStatusService = ({ db, events }: AccountStatusOptions): AccountStatusService => ({
  show: async (named) => {
    const [record] = await listAccounts(db, [await findNamedAccount(db, named)]);
    if (!record) throw new AppError('account_not_found');
    const shown = await describe(db, record);
    events.emit('account.shown', { accountId: shown.id, actor: 'operator' });
    return shown;
  },

  disable: async (named, { reason, endLinks }) => {
    const text = reason.trim();
    if (text === '' || text.length > REASON_LENGTH || !isStorable(text))
      throw new AppError('invalid_request');
    const id = await findNamedAccount(db, named);
    const { sessions } = await transact(db, async (trx) => {
      const record = await lockAccount(trx, id);
      if (!record) throw new AppError('account_not_found');
      await updateDisabled(trx, id, text);
      if (record.account.status !== 'disabled')
        await noteActivity(trx, {
          accountId: id,
          kind: 'account_disabled',
          tells: endLinks ? disabledWithLinks : suspended,
          by: 'admin',
        });
      const identifiers = record.identifiers.map(({ value }) => value);
      const row = endLinks ? ends.accountDisabledWithLinks : ends.accountDisabled;
      return end(trx, row, { accountId: id, identifiers });
    });
    const links = endLinks ? 'ended' : 'suspended';
    events.emit('account.disabled', {
      accountId: id,
      actor: 'operator',
      detail: `links are ${links}`,
      count: sessions.length,
    });
    return { id, sessions: sessions.length, links };
  },

  enable: async (named) => {
    const id = await findNamedAccount(db, named);
    const changed = await transact(db, async (trx) => {
      const isEnabled = await updateEnabled(trx, id);
      if (isEnabled) await noteActivity(trx, { accountId: id, kind: 'account_enabled', by: 'admin' });
      return isEnabled;
    });
    if (changed) events.emit('account.enabled', { accountId: id, actor: 'operator' });
    return { id, changed };
  },
});
