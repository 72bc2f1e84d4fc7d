import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Identifier } from '../identifier/identifier.ts';
import type { AccountIdentifierRow, AccountRow, NewAccountRow } from './account.table.ts';

export interface AccountRecord {
  account: AccountRow;
  /** The one verified first comes first. */
  identifiers: AccountIdentifierRow[];
}

/** Accounts with their identifiers; those that do not exist are left out. */
export const listAccounts = async (
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<AccountRecord[]> => {
  if (ids.length === 0) return [];
  const accounts = await db.selectFrom('account').selectAll().where('id', 'in', ids).execute();
  const identifiers = await db
    .selectFrom('account_identifier')
    .selectAll()
    .where('account_id', 'in', ids)
    .orderBy('verified_at')
    .orderBy('kind')
    .execute();
  const byAccount = Map.groupBy(identifiers, (row) => row.account_id);
  return accounts.map((account) => ({ account, identifiers: byAccount.get(account.id) ?? [] }));
};

export const findAccountByIdentifier = async (
  db: Kysely<Database>,
  { kind, value }: Pick<Identifier, 'kind' | 'value'>,
): Promise<AccountRow | undefined> =>
  db
    .selectFrom('account')
    .innerJoin('account_identifier', 'account_identifier.account_id', 'account.id')
    .selectAll('account')
    .where('account_identifier.kind', '=', kind)
    .where('account_identifier.value', '=', value)
    .executeTakeFirst();

export const insertAccount = async (db: Kysely<Database>, row: NewAccountRow): Promise<void> => {
  await db.insertInto('account').values(row).execute();
};

/** False when the identifier belongs to an account already. */
export const insertIdentifier = async (db: Kysely<Database>, row: AccountIdentifierRow): Promise<boolean> => {
  const inserted = await db
    .insertInto('account_identifier')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doNothing())
    .returning('account_id')
    .executeTakeFirst();
  return inserted !== undefined;
};

/** From here on no sign-in that began before makes a session; waits for those that are about to. */
export const updateSessionEpoch = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db
    .updateTable('account')
    .set({ session_epoch: sql`session_epoch + 1` })
    .where('id', '=', id)
    .execute();
};
