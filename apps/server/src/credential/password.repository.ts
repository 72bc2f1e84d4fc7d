import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { PasswordRow } from './password.table.ts';

export const findPassword = async (
  db: Kysely<Database>,
  accountId: string,
): Promise<PasswordRow | undefined> =>
  db.selectFrom('password').selectAll().where('account_id', '=', accountId).executeTakeFirst();

export const insertPassword = async (db: Kysely<Database>, row: PasswordRow): Promise<void> => {
  await db.insertInto('password').values(row).execute();
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
