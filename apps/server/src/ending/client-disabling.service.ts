import type { Kysely } from 'kysely';
import { lockClient, updateClientDisabled } from '../client/client.repository.ts';
import type { Database } from '../db/database.ts';
import { deleteGrantsOfClient } from '../grant/grant.repository.ts';
import { deleteRememberedConsentsOfClient } from '../grant/remembered-consent.repository.ts';
import { deleteModelsOfClient } from '../oidc-model/oidc-model.repository.ts';

/** What is deleted in one statement, which has five seconds. */
const BATCH = 1_000;

/** The grants go first, in the order in which requests lock what hangs on one. */
const endSome = async (db: Kysely<Database>, id: string): Promise<boolean> => {
  const grants = await deleteGrantsOfClient(db, id, BATCH);
  const consents = await deleteRememberedConsentsOfClient(db, id, BATCH);
  const models = await deleteModelsOfClient(db, id, BATCH);
  return [grants, consents, models].includes(BATCH);
};

/** Deletes all that the client was given. */
export const endClient = async (db: Kysely<Database>, id: string): Promise<void> => {
  while (await endSome(db, id));
};

/**
 * Disables or enables a client; `none` where there is none of that id. A batch of what it was given goes in the same
 * transaction. Of a client with more the rest, which is dead as nobody knows the client any more, is for
 * `endClient` to delete once this is committed. A process that has not heard yet may still write for a client
 * just disabled: that is found by nobody, and goes before the client is enabled.
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
  if (disabled) await endSome(trx, id);
  else await endClient(trx, id);
  return 'switched';
};
