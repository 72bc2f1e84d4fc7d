import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { insertRevocations } from '../../federation/revocation/identity-revocation.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import type { KeyOf } from '../../ground/rate-limit/key-of.ts';
import { deleteRateLimitsOf } from '../../ground/rate-limit/rate-limit.repository.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import {
  type AccountRecord,
  lockAccount,
  lockIdentifierValues,
} from '../../person/account/account.repository.ts';
import { listActivity } from '../../person/activity/activity.repository.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import { listFederatedIdentities } from '../../person/federated-identity/federated-identity.repository.ts';
import { deleteSignalsToForget } from '../../person/signal/signal.repository.ts';
import { triedPrefixesOf } from '../account-status/sign-in-limits.ts';
import { deleteAccountRow, isDue, updateHistoryNames } from './leaving.repository.ts';

export interface DeletionOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  brands: readonly (MessageBrand & { id: string })[];
  /** Replaces identifiers in the keys of counters. */
  keyOf: KeyOf;
  now: () => Date;
}

/** Says nothing of the account that it stands for, and is not kept beside it. */
const createPseudonym = () => `deleted-${randomBytes(12).toString('base64url')}`;

/** The last message to all contacts, from the brand at which the person left. */
const sayGoodbye = async (
  trx: Kysely<Database>,
  { messages, brands, now }: DeletionOptions,
  { account, identifiers }: AccountRecord,
): Promise<Delivery[]> => {
  const [left] = await listActivity(trx, account.id, { limit: 1, kinds: ['deletion_requested'] });
  const brand = brands.find(({ id }) => id === left?.brand) ?? brands[0];
  if (!brand) return [];
  const { locale } = account;
  return addNotices(trx, messages, identifiers, { notice: 'account_deleted', at: now(), locale, brand });
};

/**
 * Deletes everything of an account: its sessions end and their apps are told, its grants and tokens die, and its
 * identifiers are free. What stays is the history of clients, under a pseudonym, and what ends by itself within a day:
 * the last messages among it, sealed until they are sent. Clients that the person alone developed go on, without a
 * member: operators have them.
 * @param due whether only an account whose grace is over is deleted
 * @returns whether it was deleted: it is kept, or gone, otherwise.
 */
export const deleteAccount = async (
  options: DeletionOptions,
  id: string,
  { due }: { due: boolean },
): Promise<boolean> => {
  const notices = await inTransaction(options.db, async (trx) => {
    const record = await lockAccount(trx, id);
    if (!record || (due && !(await isDue(trx, id)))) return undefined;
    const identifiers = record.identifiers.map(({ value }) => value);
    await lockIdentifierValues(trx, identifiers);
    const row = due ? ends.accountDeleted : ({ ...ends.accountDeleted, by: 'admin' } as const);
    await end(trx, row, { accountId: id, identifiers });
    // After the streams, which `end` locks.
    await deleteSignalsToForget(trx, id);
    await updateHistoryNames(trx, id, createPseudonym());
    await insertRevocations(trx, await listFederatedIdentities(trx, id));
    const goodbye = await sayGoodbye(trx, options, record);
    await deleteAccountRow(trx, id);
    await deleteRateLimitsOf(trx, id, triedPrefixesOf(options, record));
    return goodbye;
  });
  await Promise.all((notices ?? []).map((notice) => notice.start()));
  return notices !== undefined;
};
