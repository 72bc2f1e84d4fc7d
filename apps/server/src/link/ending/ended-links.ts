import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { insertEndedLinks } from '../../person/signal/ended-link.repository.ts';
import { insertSignalsOfEnded } from '../../person/signal/signal.repository.ts';
import type { LinkEndReason } from '../../person/signal/signal.table.ts';
import { deleteWaitingValues } from '../../person/signal/waiting-value.repository.ts';
import type { EndedGrant } from '../grant/ended-grant.ts';

/**
 * Keeps what is known of the links among deleted grants, and tells of them, in the transaction that deleted them. What the
 * clients have not been told of an account, and may not read any more, is told to nobody.
 */
export const noteEndedLinks = async (
  trx: Kysely<Database>,
  ended: readonly EndedGrant[],
  reason: LinkEndReason,
): Promise<void> => {
  if (ended.length > 0) await deleteWaitingValues(trx, ended);
  const links = ended.filter(({ has_refresh_token }) => has_refresh_token);
  if (links.length === 0) return;
  await insertEndedLinks(trx, links, reason);
  await insertSignalsOfEnded(trx, links, reason);
};

/** Deletes grants and notes the links among them, all or nothing; joins the transaction of a caller that has one. */
export const endLinks = async (
  db: Kysely<Database>,
  reason: LinkEndReason,
  remove: (trx: Kysely<Database>) => Promise<EndedGrant[]>,
): Promise<number> => {
  const work = async (trx: Kysely<Database>): Promise<number> => {
    const ended = await remove(trx);
    await noteEndedLinks(trx, ended, reason);
    return ended.length;
  };
  return db.isTransaction ? work(db) : inTransaction(db, work);
};
