import type { Account, Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import { textsOf } from '../../branding/texts/texts.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { findPassword } from '../credential/password.repository.ts';
import { listWaitingChanges } from '../identifier-change/identifier-change.repository.ts';
import { listAccounts } from './account.repository.ts';
import type { AccountRow } from './account.table.ts';
import { toAccount, toIdentifierChange } from './account.ts';

/** An account, with the columns that only the server reads. */
interface AccountState {
  account: Account;
  status: AccountRow['status'];
  updatedAt: Date;
}

export interface AccountService {
  /** Undefined when there is no such account; a disabled account is found. */
  findAccount(id: string): Promise<AccountState | undefined>;
  /**
   * The account, where it may be used.
   * @throws AppError not_signed_in when it does not exist any more, account_disabled
   */
  requireAccount(id: string): Promise<Account>;
}

export const createAccountService = ({ db }: { db: Kysely<Database> }): AccountService => {
  const findAccount = async (id: string): Promise<AccountState | undefined> => {
    const [record] = await listAccounts(db, [id]);
    if (!record) return undefined;
    const account = toAccount(record, await findPassword(db, id));
    return { account, status: record.account.status, updatedAt: record.account.updated_at };
  };

  const requireAccount = async (id: string): Promise<Account> => {
    const found = await findAccount(id);
    if (!found) throw new AppError('not_signed_in');
    if (found.status === 'disabled') throw new AppError('account_disabled');
    const changes = (await listWaitingChanges(db, id)).map(toIdentifierChange);
    return { ...found.account, ...(changes.length > 0 && { changes }) };
  };

  return { findAccount, requireAccount };
};

/** A first nickname. Apps see it, so it has no part of the phone number or e-mail address. */
export const createNickname = (locale: Locale, id: string): string =>
  `${textsOf(locale).brands.nickname} ${id.replaceAll(/[^a-z0-9]/gi, '').slice(0, 4)}`;
