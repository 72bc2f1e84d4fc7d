import type { Kysely } from 'kysely';
import {
  deleteClientRow,
  listDeletedClients,
  lockClient,
  updateClientDisabled,
} from '../../clients/client/client.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { deleteGoogleSubjectsOfClient } from '../../person/google-subject/google-subject.repository.ts';
import { deleteGrantsOfClient } from '../grant/grant.repository.ts';
import { deleteRememberedConsentsOfClient } from '../grant/remembered-consent.repository.ts';
import { deleteModelsOfClient } from '../oidc-model/oidc-model.repository.ts';
import { deleteStreamsOfClient } from '../stream/stream.repository.ts';
import { endLinks } from './ended-links.ts';

/** Rows of one statement: a statement has five seconds. */
const BATCH = 1_000;

type Reason = 'client_disabled' | 'client_deleted';

/** Deletes at most `limit` rows of each kind, in the order of locks of `end`; answers how many of each. */
const endBatch = async (
  db: Kysely<Database>,
  id: string,
  { reason, limit = BATCH }: { reason: Reason; limit?: number },
): Promise<number[]> => [
  await endLinks(db, reason, (trx) => deleteGrantsOfClient(trx, id, limit)),
  await deleteRememberedConsentsOfClient(db, id, limit),
  await deleteGoogleSubjectsOfClient(db, id, limit),
  await deleteModelsOfClient(db, id, limit),
];

/** Ends all that a client was given. Once it is disabled or deleted, each batch may stand alone. */
export const endAllOfClient = async (db: Kysely<Database>, id: string, reason: Reason): Promise<void> => {
  while ((await endBatch(db, id, { reason })).includes(BATCH));
};

/**
 * Disables or enables a client in the transaction of the caller. A disabled client is unknown to everyone, and what
 * it was given ends, on every process within a second. Nothing of it comes back when the client is enabled. Answers
 * `none` where no client has the id.
 *
 * Disabling deletes one batch in the transaction. More may be left at the commit, but nothing of it is good any more:
 * no process finds a disabled client. `endAllOfClient` deletes it then.
 *
 * Enabling deletes everything first. A process that did not know of the disabling yet may have written a grant in
 * between, and that grant must not come back.
 * @param reason why links end: a client that is deleted is disabled first
 */
export const switchClient = async (
  trx: Kysely<Database>,
  id: string,
  disabled: boolean,
  reason: Reason = 'client_disabled',
): Promise<'none' | 'same' | 'switched'> => {
  const before = await lockClient(trx, id);
  if (!before) return 'none';
  if (before.disabled === disabled) return 'same';
  await updateClientDisabled(trx, id, disabled);
  await (disabled ? endBatch(trx, id, { reason }) : endAllOfClient(trx, id, reason));
  return 'switched';
};

/**
 * Deletes a client, whose row the caller holds, and what is left of what it was given. It was disabled before, and
 * most was ended then, so that this transaction is short.
 */
export const deleteClient = async (trx: Kysely<Database>, id: string): Promise<void> => {
  await endAllOfClient(trx, id, 'client_deleted');
  await deleteStreamsOfClient(trx, id);
  await deleteClientRow(trx, id);
};

/**
 * Ends what was given to clients that are deleted by now, and answers how many rows that were. A process that did not
 * know of the deletion yet may have written a grant.
 */
export const endRestOfDeletedClients = async (db: Kysely<Database>, limit: number): Promise<number> => {
  let ended = 0;
  for (const id of await listDeletedClients(db))
    for (const count of await endBatch(db, id, { reason: 'client_deleted', limit })) ended += count;
  return ended;
};
