import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { insertAccountSignals, insertSignalsOfLinks } from './signal.repository.ts';
import { type InitiatingEntity, isOfLinks, type Told } from './told.ts';

/** Tells what happened to an account and to its links, in the transaction in which it happens. */
export const tell = async (
  trx: Kysely<Database>,
  accountId: string,
  tells: readonly Told[],
  by: InitiatingEntity = 'user',
): Promise<void> => {
  const ofAccount = tells.filter(({ event }) => !isOfLinks(event));
  if (ofAccount.length > 0) await insertAccountSignals(trx, accountId, { tells: ofAccount, by });
  for (const { event, suspensions } of tells)
    if (isOfLinks(event)) await insertSignalsOfLinks(trx, accountId, { event, by, suspensions });
};
