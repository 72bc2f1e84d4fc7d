import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { deleteAccountRow } from '../../care/leaving/leaving.repository.ts';
import {
  insertClient,
  listLeftStandIns,
  lockClient,
  updateClientDisabled,
} from '../../clients/client/client.repository.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import { insertSecret, REGISTERED } from '../../clients/client/client-secret.repository.ts';
import type { SecretHashes } from '../../clients/client/secret-hashes.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { createOpaqueToken } from '../../ground/opaque-token.ts';
import { deleteClient } from '../../link/ending/client-ending.ts';
import { deleteInteractionsOfStandIn } from '../../link/oidc-model/stand-in-links.repository.ts';
import { insertAccount, insertIdentifier, lockAccount } from '../../person/account/account.repository.ts';
import { createNickname } from '../../person/account/account.service.ts';
import { insertPassword } from '../../person/credential/password.repository.ts';
import type { PasswordHasher } from '../../person/credential/password-hasher.ts';
import { STAND_IN, STAND_IN_SECONDS } from '../../person/stand-in/stand-in.ts';

/** A copy of a registration with a secret of its own, and a person who links an account to it. */
export interface StandIn {
  /** Of the client and of the person. */
  id: string;
  secret: string;
  /** How the person signs in. */
  identifier: string;
  password: string;
}

export interface StandInOptions {
  db: Kysely<Database>;
  hashes: SecretHashes;
  hasher: Pick<PasswordHasher, 'hash'>;
  now(): Date;
}

/** Nobody receives mail there (RFC 6761 section 6.4). */
const emailOf = (id: string) => `${id}@link-check.invalid`;

const insertPerson = async (
  trx: Kysely<Database>,
  { id, identifier }: StandIn,
  passwordHash: string,
  at: Date,
) => {
  await insertAccount(trx, {
    id,
    nickname: createNickname('en', id),
    locale: 'en',
    status: 'active',
    created_at: at,
    updated_at: at,
  });
  await insertIdentifier(trx, {
    kind: 'email',
    value: identifier,
    display: identifier,
    account_id: id,
    verified_at: at,
    bound_since: null,
  });
  await insertPassword(trx, { account_id: id, hash: passwordHash, changed_at: at });
};

/** Makes the stand-in of a client, in one transaction. Only its secret differs from the registration, and its id. */
export const makeStandIn = async (
  { db, hashes, hasher, now }: StandInOptions,
  row: ClientRow,
): Promise<StandIn> => {
  const id = `${STAND_IN}${randomBytes(16).toString('hex')}`;
  const standIn = { id, secret: createOpaqueToken(), identifier: emailOf(id), password: createOpaqueToken() };
  const passwordHash = await hasher.hash(standIn.password);
  const { brand, metadata, source } = row;
  await inTransaction(db, async (trx) => {
    await insertClient(trx, {
      id,
      brand,
      metadata: { ...metadata, client_id: id },
      firstParty: row.first_party,
      approvedFingerprint: row.approved_fingerprint,
      source,
    });
    if (row.disabled) await updateClientDisabled(trx, id, true);
    const expiresAt = new Date(now().getTime() + STAND_IN_SECONDS * 1_000);
    await insertSecret(trx, {
      clientId: id,
      name: REGISTERED,
      hash: hashes.hashOf(standIn.secret),
      expiresAt,
    });
    await insertPerson(trx, standIn, passwordHash, now());
  });
  return standIn;
};

/**
 * Deletes a stand-in with all that it was given. Its links end with the account, so that nobody is told of them.
 * @param interactions the ids of those that its person went through
 */
export const removeStandIn = async (
  db: Kysely<Database>,
  id: string,
  interactions: readonly string[] = [],
): Promise<void> => {
  await inTransaction(db, async (trx) => {
    await lockAccount(trx, id);
    await lockClient(trx, id);
    await deleteAccountRow(trx, id);
    await deleteClient(trx, id);
    await deleteInteractionsOfStandIn(trx, id, interactions);
  });
};

/** Deletes what checks left that were killed, and answers how many stand-ins. */
export const removeLeftStandIns = async (db: Kysely<Database>): Promise<number> => {
  const left = await listLeftStandIns(db);
  for (const id of left) await removeStandIn(db, id);
  return left.length;
};
