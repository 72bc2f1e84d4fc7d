import type { Kysely } from 'kysely';
import { lockClient, updateClientDisabled } from '../client/client.repository.ts';
import type { Database } from '../db/database.ts';
import { deleteGrantsOfClient } from '../grant/grant.repository.ts';
import { deleteRememberedConsentsOfClient } from '../grant/remembered-consent.repository.ts';
import { deleteModelsOfClient } from '../oidc-model/oidc-model.repository.ts';

/** Rows of one statement: a statement has five seconds. */
const BATCH = 1_000;

/** Deletes a batch of each kind, in the order of locks of `end`; answers whether there may be more. */
const endBatch = async (db: Kysely<Database>, id: string): Promise<boolean> => {
  const grants = await deleteGrantsOfClient(db, id, BATCH);
  const consents = await deleteRememberedConsentsOfClient(db, id, BATCH);
  const models = await deleteModelsOfClient(db, id, BATCH);
  return [grants, consents, models].includes(BATCH);
};

/** Ends the rest of what a disabled client was given; called once `switchClient` is committed. */
export const endRestOfClient = async (db: Kysely<Database>, id: string): Promise<void> => {
  while (await endBatch(db, id));
};

/**
 * Disables or enables a client in the transaction of the caller. A disabled client is unknown to everyone, and what
 * it was given ends, on every process within a second. Nothing of it comes back when the client is enabled. Answers
 * `none` where no client has the id.
 *
 * Disabling deletes one batch in the transaction. More may be left at the commit, but nothing of it is good any more:
 * no process finds a disabled client. `endRestOfClient` deletes it.
 *
 * Enabling deletes everything first. A process that did not know of the disabling yet may have written a grant in
 * between, and that grant must not come back.
 */
export const switchClient = async (
  trx: Kysely<Database>,
  id: string,
  disabled: boolean,
): Promise<'none' | 'same' | 'switched'> => {
  const before = await lockClient(trx, id);
  if (!before) return 'none';
  if (before.disabled === disabled) return 'same';
  await updateClientDisabled(trx, id, disabled);
  await (disabled ? endBatch(trx, id) : endRestOfClient(trx, id));
  return 'switched';
};
