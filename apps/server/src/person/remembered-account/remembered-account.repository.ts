import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { RememberedAccountRow } from './remembered-account.table.ts';

/**
 * Remembers an account in a browser, where the account is still of the session epoch. A transaction that raises the
 * epoch is waited for, or finds the row and deletes it.
 */
export const upsertRememberedAccount = async (
  db: Kysely<Database>,
  { device_hash, account_id, last_used_at, kind, value, display }: RememberedAccountRow,
  epoch: number,
): Promise<void> => {
  await sql`
    insert into device_account (device_hash, account_id, last_used_at, kind, value, display)
    select ${device_hash}::text, id, ${last_used_at}::timestamptz, ${kind}::text, ${value}::text, ${display}::text
    from account where id = ${account_id} and session_epoch = ${epoch}::int for share
    on conflict (device_hash, account_id) do update set
      last_used_at = excluded.last_used_at, kind = excluded.kind, value = excluded.value,
      display = excluded.display`.execute(db);
};

export interface RememberedIdentifier {
  accountId: string;
  /** As it was typed in that browser. */
  identifier: string;
}

/**
 * The identifiers that were submitted in the browser, the last used first, where they still belong to the account that
 * they opened and the account may be used.
 */
export const listRememberedIdentifiers = (
  db: Kysely<Database>,
  browserHash: string,
  limit: number,
): Promise<RememberedIdentifier[]> =>
  db
    .selectFrom('device_account')
    .innerJoin('account_identifier as bound', (join) =>
      join
        .onRef('bound.account_id', '=', 'device_account.account_id')
        .onRef('bound.kind', '=', 'device_account.kind')
        .onRef('bound.value', '=', 'device_account.value'),
    )
    .innerJoin('account', 'account.id', 'device_account.account_id')
    .select(['device_account.account_id as accountId', 'device_account.display as identifier'])
    .$narrowType<{ identifier: string }>()
    .where('device_hash', '=', browserHash)
    .where('device_account.display', 'is not', null)
    .where('account.status', '=', 'active')
    .orderBy('last_used_at', 'desc')
    .orderBy('device_account.account_id')
    .limit(limit)
    .execute();

export const deleteRememberedAccount = async (
  db: Kysely<Database>,
  browserHash: string,
  accountId: string,
): Promise<void> => {
  await db
    .deleteFrom('device_account')
    .where('device_hash', '=', browserHash)
    .where('account_id', '=', accountId)
    .execute();
};

/** Makes every browser forget the account, except the browser with the digest `except`. */
export const deleteRememberedAccountsOf = async (
  db: Kysely<Database>,
  accountId: string,
  except?: string,
): Promise<void> => {
  const query = db.deleteFrom('device_account').where('account_id', '=', accountId);
  await (except === undefined ? query : query.where('device_hash', '!=', except)).execute();
};

/** Whether the browser signed in as the account before. */
export const isRemembered = async (
  db: Kysely<Database>,
  browserHash: string,
  accountId: string,
): Promise<boolean> => {
  const row = await db
    .selectFrom('device_account')
    .select('account_id')
    .where('device_hash', '=', browserHash)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
};
