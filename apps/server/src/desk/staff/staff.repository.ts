import type { StaffRole } from '@candela/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { StaffRow } from './staff.table.ts';

/** Gives the account the role; false where it has it already. */
export const upsertStaff = async (
  db: Kysely<Database>,
  row: { account_id: string; role: StaffRole },
): Promise<boolean> => {
  const changed = await db
    .insertInto('staff')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ role: row.role }).where('staff.role', '!=', row.role),
    )
    .returning('account_id')
    .executeTakeFirst();
  return changed !== undefined;
};

/** False where the account is no staff. Its sessions of the desk, and what it asked, go with the row. */
export const deleteStaff = async (db: Kysely<Database>, accountId: string): Promise<boolean> => {
  const deleted = await db
    .deleteFrom('staff')
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst();
  return deleted !== undefined;
};

/** The newest first; at most `limit`. */
export const listStaff = (db: Kysely<Database>, limit: number): Promise<StaffRow[]> =>
  db
    .selectFrom('staff')
    .select(['account_id', 'role', 'allowed_at'])
    .orderBy('allowed_at', 'desc')
    .orderBy('account_id')
    .limit(limit)
    .execute();

export const findStaffRole = async (
  db: Kysely<Database>,
  accountId: string,
): Promise<StaffRole | undefined> =>
  (await db.selectFrom('staff').select('role').where('account_id', '=', accountId).executeTakeFirst())?.role;

/** The role of the account, which nobody takes away or changes until the transaction ends. */
export const lockStaffRole = async (
  trx: Kysely<Database>,
  accountId: string,
): Promise<StaffRole | undefined> =>
  (
    await trx
      .selectFrom('staff')
      .select('role')
      .where('account_id', '=', accountId)
      .forShare()
      .executeTakeFirst()
  )?.role;

/** Whether there is a desk: without staff there is none. */
export const hasStaff = async (db: Kysely<Database>): Promise<boolean> => {
  const { rows } = await sql<{ has: boolean }>`select exists (select from staff) as has`.execute(db);
  return rows[0]?.has === true;
};
