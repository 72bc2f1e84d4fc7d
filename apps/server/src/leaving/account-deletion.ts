import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { lockAccount, lockIdentifierValues } from '../account/account.repository.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transact.ts';
import { end } from '../ending/end.ts';
import { ends } from '../ending/what-ends-what.ts';
import { deleteAccountRow, isDue, updateHistoryNames } from './leaving.repository.ts';

/** Says nothing of the account that it stands for, and is not kept beside it. */
const createPseudonym = () => `deleted-${randomBytes(12).toString('base64url')}`;

/**
 * Deletes everything of an account: its sessions end and their apps are told, its grants and tokens die, and its
 * identifiers are free. What stays is the history of clients, under a pseudonym, and what ends by itself within a day.
 * Clients that the person alone developed go on, without a member: operators have them.
 * @param due whether only an account whose grace is over is deleted
 * @returns whether it was deleted: it is kept, or gone, otherwise.
 */
export const deleteAccount = (
  db: Kysely<Database>,
  id: string,
  { due }: { due: boolean },
): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const record = await lockAccount(trx, id);
    if (!record || (due && !(await isDue(trx, id)))) return false;
    const identifiers = record.identifiers.map(({ value }) => value);
    await lockIdentifierValues(trx, identifiers);
    await end(trx, ends.accountDeleted, { accountId: id, identifiers });
    await updateHistoryNames(trx, id, createPseudonym());
    await deleteAccountRow(trx, id);
    return true;
  });
