import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { type PasskeyRow, passkeyColumns } from './passkey.table.ts';

/** The passkeys of an account, newest first. */
export const listPasskeys = (db: Kysely<Database>, accountId: string): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkey')
    .select(passkeyColumns)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();

/** False where the credential is known already, be it this account's or another's. */
export const insertPasskey = async (db: Kysely<Database>, row: PasskeyRow): Promise<boolean> => {
  const inserted = await db
    .insertInto('passkey')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
};

type Own = Pick<PasskeyRow, 'id' | 'account_id'>;

export const updatePasskeyName = (
  db: Kysely<Database>,
  { id, account_id }: Own,
  name: string,
): Promise<PasskeyRow | undefined> =>
  db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', account_id)
    .returning(passkeyColumns)
    .executeTakeFirst();

export const deletePasskey = async (db: Kysely<Database>, { id, account_id }: Own): Promise<void> => {
  await db.deleteFrom('passkey').where('id', '=', id).where('account_id', '=', account_id).execute();
};

/** A passkey with what a sign-in needs to know of its account. */
export interface OwnedPasskey extends PasskeyRow {
  handle: string;
  status: string;
  epoch: number;
}

/** The passkey of a relying party with this credential id. */
export const findOwnedPasskey = (
  db: Kysely<Database>,
  { rp_id, credential_id }: Pick<PasskeyRow, 'rp_id' | 'credential_id'>,
): Promise<OwnedPasskey | undefined> =>
  db
    .selectFrom('passkey')
    .innerJoin('account', 'account.id', 'passkey.account_id')
    .innerJoin('user_handle', 'user_handle.account_id', 'passkey.account_id')
    .select(passkeyColumns.map((column) => `passkey.${column}` as const))
    .select(['user_handle.handle', 'account.status', 'account.session_epoch as epoch'])
    .where('passkey.rp_id', '=', rp_id)
    .where('passkey.credential_id', '=', credential_id)
    .executeTakeFirst();

/**
 * Notes a use. False where the counter went back, also beside another use, or the passkey is gone (Web Authentication
 * section 6.1.1): a counter grows, or was and stays 0.
 */
export const updatePasskeyUse = async (
  db: Kysely<Database>,
  { id, counter, backed_up }: Pick<PasskeyRow, 'id' | 'counter' | 'backed_up'>,
  now: Date,
): Promise<boolean> => {
  const used = await db
    .updateTable('passkey')
    .set({ counter, backed_up, last_used_at: now })
    .where('id', '=', id)
    .where(sql<SqlBool>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
};

/** True for the first warning of a passkey. */
export const updatePasskeyWarning = async (db: Kysely<Database>, id: string, now: Date): Promise<boolean> => {
  const warned = await db
    .updateTable('passkey')
    .set({ warned_at: now })
    .where('id', '=', id)
    .where('warned_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return warned !== undefined;
};

export const findUserHandle = async (db: Kysely<Database>, accountId: string): Promise<string | undefined> =>
  (await db.selectFrom('user_handle').select('handle').where('account_id', '=', accountId).executeTakeFirst())
    ?.handle;

/** Keeps the handle that the account has already. */
export const insertUserHandle = async (
  db: Kysely<Database>,
  accountId: string,
  handle: string,
): Promise<void> => {
  await db
    .insertInto('user_handle')
    .values({ account_id: accountId, handle })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
};

export const upsertOfferDeclined = async (
  db: Kysely<Database>,
  accountId: string,
  now: Date,
): Promise<void> => {
  await db
    .insertInto('passkey_offer')
    .values({ account_id: accountId, declined_at: now })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ declined_at: now }))
    .execute();
};

export const findOfferDeclined = async (db: Kysely<Database>, accountId: string): Promise<Date | undefined> =>
  (
    await db
      .selectFrom('passkey_offer')
      .select('declined_at')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
  )?.declined_at;
