import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { type NewPasswordRow, type PasswordRow, passwordColumns } from './password.table.ts';

export const findPassword = async (
  db: Kysely<Database>,
  accountId: string,
): Promise<PasswordRow | undefined> =>
  db.selectFrom('password').select(passwordColumns).where('account_id', '=', accountId).executeTakeFirst();

export const insertPassword = async (db: Kysely<Database>, row: NewPasswordRow): Promise<void> => {
  await db.insertInto('password').values(row).execute();
};

/** One parameter for all rows, so that a batch of any size is the same statement. */
export const insertPasswords = async (
  db: Kysely<Database>,
  rows: readonly NewPasswordRow[],
): Promise<void> => {
  await sql`
    insert into password (account_id, hash, changed_at)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as added(
      account_id text, hash text, changed_at timestamptz)`.execute(db);
};

/** Sets the password of an account, whether or not it had one. */
export const upsertPassword = async (db: Kysely<Database>, row: NewPasswordRow): Promise<void> => {
  const { account_id, ...changed } = row;
  await db
    .insertInto('password')
    .values({ account_id, ...changed })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(changed))
    .execute();
};

/** Notes that somebody else may know the password of an account. */
export const updatePasswordDoubt = async (
  db: Kysely<Database>,
  accountId: string,
  at: Date,
): Promise<void> => {
  await db.updateTable('password').set({ doubted_at: at }).where('account_id', '=', accountId).execute();
};

/** Deletes the password of an account, and notes when; false where it has none. */
export const deletePassword = async (db: Kysely<Database>, accountId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('password')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await db
    .updateTable('account')
    .set({ password_closed_at: sql<Date>`now()` })
    .where('id', '=', accountId)
    .execute();
  return true;
};

/** Replaces the hash of an unchanged password; does nothing when the password was changed meanwhile. */
export const updatePasswordHash = async (
  db: Kysely<Database>,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<void> => {
  await db
    .updateTable('password')
    .set({ hash: to })
    .where('account_id', '=', accountId)
    .where('hash', '=', from)
    .execute();
};
