import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { lockNames } from '../../ground/db/name-lock.ts';
import type { ClientMemberRow } from './client-member.table.ts';
import type { Holder } from './holder.ts';

/** What an account is to a client; undefined where it is nothing to it. */
export const findRole = async (
  db: Kysely<Database>,
  clientId: string,
  accountId: string,
): Promise<ClientMemberRow['role'] | undefined> => {
  const row = await db
    .selectFrom('client_member')
    .select('role')
    .where('client_id', '=', clientId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.role;
};

/** The caller holds the row of the client. False where the account is a member already. */
export const insertMember = async (
  db: Kysely<Database>,
  { clientId, accountId, role }: { clientId: string; accountId: string; role: ClientMemberRow['role'] },
): Promise<boolean> => {
  const inserted = await db
    .insertInto('client_member')
    .values({ client_id: clientId, account_id: accountId, role })
    .onConflict((conflict) => conflict.columns(['client_id', 'account_id']).doNothing())
    .returning('client_id')
    .executeTakeFirst();
  return inserted !== undefined;
};

/** Nobody else registers a client for this holder until the transaction ends. Taken before every client. */
export const lockHolder = async (db: Kysely<Database>, holder: Holder): Promise<void> => {
  const name = 'accountId' in holder ? `account ${holder.accountId}` : `machine ${holder.machineId}`;
  await lockNames(db, 'clients of', [name]);
};

/** The members of a client, the owners first, then by the time at which they were added. */
export const listMembers = (db: Kysely<Database>, clientId: string): Promise<ClientMemberRow[]> =>
  db
    .selectFrom('client_member')
    .select(['client_id', 'account_id', 'role', 'added_at'])
    .where('client_id', '=', clientId)
    .orderBy('role', 'desc')
    .orderBy('added_at')
    .orderBy('account_id')
    .execute();

/** The caller holds the row of the client. */
export const deleteMember = async (
  db: Kysely<Database>,
  clientId: string,
  accountId: string,
): Promise<void> => {
  await db
    .deleteFrom('client_member')
    .where('client_id', '=', clientId)
    .where('account_id', '=', accountId)
    .execute();
};
