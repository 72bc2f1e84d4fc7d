import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { lockNames } from '../../ground/db/name-lock.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import {
  type AccountIdentifierRow,
  type AccountRow,
  accountColumns,
  identifierColumns,
  type NewAccountIdentifierRow,
  type NewAccountRow,
} from './account.table.ts';

export interface AccountRecord {
  account: AccountRow;
  /** In the order in which they were verified. */
  identifiers: AccountIdentifierRow[];
  /** The name of its picture. */
  avatar: string | null;
}

/** Accounts with their identifiers; those that do not exist are left out. */
export const listAccounts = async (
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<AccountRecord[]> => {
  if (ids.length === 0) return [];
  const accounts = await db
    .selectFrom('account')
    .leftJoin('avatar', 'avatar.account_id', 'account.id')
    .select(accountColumns.map((column) => `account.${column}` as const))
    .select('avatar.name as avatar')
    .where('account.id', 'in', ids)
    .execute();
  const identifiers = await db
    .selectFrom('account_identifier')
    .select(identifierColumns)
    .where('account_id', 'in', ids)
    .orderBy('verified_at')
    .orderBy('kind')
    .execute();
  const byAccount = Map.groupBy(identifiers, (row) => row.account_id);
  return accounts.map(({ avatar, ...account }) => ({
    account,
    identifiers: byAccount.get(account.id) ?? [],
    avatar,
  }));
};

export const findAccountByIdentifier = async (
  db: Kysely<Database>,
  { kind, value }: Pick<Identifier, 'kind' | 'value'>,
): Promise<AccountRow | undefined> =>
  db
    .selectFrom('account')
    .innerJoin('account_identifier', 'account_identifier.account_id', 'account.id')
    .select(accountColumns.map((column) => `account.${column}` as const))
    .where('account_identifier.kind', '=', kind)
    .where('account_identifier.value', '=', value)
    .executeTakeFirst();

export const insertAccount = async (db: Kysely<Database>, row: NewAccountRow): Promise<void> => {
  await db.insertInto('account').values(row).execute();
};

/** False when the identifier belongs to an account already. */
export const insertIdentifier = async (
  db: Kysely<Database>,
  row: NewAccountIdentifierRow,
): Promise<boolean> => {
  const inserted = await db
    .insertInto('account_identifier')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'value']).doNothing())
    .returning('account_id')
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Waits for sign-ins that are making their session; every other sign-in that began before makes none. */
export const updateSessionEpoch = async (db: Kysely<Database>, id: string): Promise<void> => {
  await db
    .updateTable('account')
    .set({ session_epoch: sql`session_epoch + 1` })
    .where('id', '=', id)
    .execute();
};

/**
 * Locks an account: nobody else changes it or its identifiers until the transaction ends. Rows that refer to the
 * account can still be inserted. Every change of an account begins with this lock; `end` says which locks follow.
 */
export const lockAccount = async (db: Kysely<Database>, id: string): Promise<AccountRecord | undefined> => {
  await db.selectFrom('account').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  const [record] = await listAccounts(db, [id]);
  return record;
};

/**
 * Nobody else binds or gives up these identifiers until the transaction ends. They are locked in the order of their
 * values, so that two accounts which exchange identifiers do not lock each other up.
 */
export const lockIdentifierValues = async (
  db: Kysely<Database>,
  values: readonly string[],
): Promise<void> => {
  await lockNames(db, 'identifier', values);
};

/** Changes the fields that are given; false where they are as they were, and the time stays as well. */
export const updateProfile = async (
  db: Kysely<Database>,
  id: string,
  { nickname, locale, updated_at }: Partial<Pick<AccountRow, 'nickname' | 'locale'>> & { updated_at: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({
      ...(nickname !== undefined && { nickname }),
      ...(locale !== undefined && { locale }),
      updated_at,
    })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        ...(nickname === undefined ? [] : [where('nickname', '!=', nickname)]),
        ...(locale === undefined ? [] : [where('locale', '!=', locale)]),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const updateAccountTime = async (db: Kysely<Database>, id: string, at: Date): Promise<void> => {
  await db.updateTable('account').set({ updated_at: at }).where('id', '=', id).execute();
};

/** Sets how an identifier is shown: as it was typed last. */
export const updateIdentifierDisplay = async (
  db: Kysely<Database>,
  { kind, value, display }: Identifier,
): Promise<void> => {
  await db
    .updateTable('account_identifier')
    .set({ display })
    .where('kind', '=', kind)
    .where('value', '=', value)
    .execute();
};

/** Sets when an identifier was verified, and since when it counts as bound. */
export const updateIdentifierTimes = async (
  db: Kysely<Database>,
  {
    kind,
    value,
    verified_at,
    bound_since,
  }: Pick<AccountIdentifierRow, 'kind' | 'value' | 'verified_at' | 'bound_since'>,
): Promise<void> => {
  await db
    .updateTable('account_identifier')
    .set({ verified_at, bound_since })
    .where('kind', '=', kind)
    .where('value', '=', value)
    .execute();
};

export const deleteIdentifier = async (
  db: Kysely<Database>,
  { kind, value }: Pick<AccountIdentifierRow, 'kind' | 'value'>,
): Promise<void> => {
  await db.deleteFrom('account_identifier').where('kind', '=', kind).where('value', '=', value).execute();
};
