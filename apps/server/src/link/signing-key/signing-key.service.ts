import { generateKeyPair, hash, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import { readDatabaseTime } from '../../ground/db/clock.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { openWithAny, seal, sealingKeys } from '../../ground/seal.ts';
import { SESSION_SECONDS } from '../../person/session/session-lifetime.ts';
import { inUseFirst } from '../pairwise-salt/pairwise-salt.service.ts';
import {
  activateNextKeys,
  deleteIdleKey,
  deleteKeysRetiredBefore,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireCurrentKeys,
} from './signing-key.repository.ts';
import type { SigningKeyRow } from './signing-key.table.ts';

const signingAlgorithms = ['RS256', 'ES256'] as const;
type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** A private JSON Web Key (RFC 7517). */
export type PrivateJwk = Pick<JsonWebKey, KeyMember> & { kid: string; alg: string; use: string };

/** The members of RSA and EC keys (RFC 7518 section 6). */
type KeyMember = 'kty' | 'crv' | 'x' | 'y' | 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi';

const generate = promisify(generateKeyPair);

const createJwk = async (alg: SigningAlgorithm): Promise<PrivateJwk> => {
  const { privateKey } =
    alg === 'RS256'
      ? await generate('rsa', { modulusLength: 2048 })
      : await generate('ec', { namedCurve: 'P-256' });
  const jwk = privateKey.export({ format: 'jwk' });
  // RFC 7638: the thumbprint takes the required members in lexicographic order.
  const members =
    alg === 'RS256'
      ? { e: jwk.e, kty: jwk.kty, n: jwk.n }
      : { crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y };
  const kid = hash('sha256', JSON.stringify(members), 'base64url');
  // A kid with a leading hyphen would be an option on the command line.
  return kid.startsWith('-') ? createJwk(alg) : { ...jwk, alg, use: 'sig', kid };
};

export interface SigningKeyOptions {
  db: Kysely<Database>;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
}

/** Current keys sign and stand first; next ones are published ahead, previous ones until nothing of theirs is accepted. */
const statuses = ['current', 'next', 'previous'] as const;

/** An app can sign its person out by an id_token for as long as their session lasts. */
const PUBLISHED_AFTER_MS = SESSION_SECONDS * 1000;

const orderOf = ({ status, alg }: SigningKeyRow): number =>
  statuses.indexOf(status) * signingAlgorithms.length + (signingAlgorithms as readonly string[]).indexOf(alg);

/** The purpose from which the key that seals the signing keys is derived. */
export const signingKeySealing = 'signing keys';

/** Seals under the SECRET_KEY in use: other processes do not know a key that was put in front too early or by mistake. */
const sealingOf = async (options: SigningKeyOptions): Promise<[Buffer, ...Buffer[]]> =>
  sealingKeys(await inUseFirst(options), signingKeySealing);

/** @throws Error when none of the keys opens it. */
const openJwk = (sealing: readonly Buffer[], { kid, sealed_jwk }: SigningKeyRow): PrivateJwk => {
  try {
    return JSON.parse(openWithAny(sealing, sealed_jwk));
  } catch (cause) {
    throw new Error(`SECRET_KEY does not open the signing key ${kid} that is in the database`, { cause });
  }
};

/**
 * Makes the keys that are missing, so that each algorithm has a current and a next key.
 * @throws Error where an existing key cannot be opened: then it makes none.
 */
const fillUp = async (
  db: Kysely<Database>,
  sealing: readonly [Buffer, ...Buffer[]],
): Promise<SigningKeyRow[]> => {
  const rows = await listSigningKeys(db);
  for (const row of rows) openJwk(sealing, row);
  const missing = (['current', 'next'] as const).flatMap((status) =>
    signingAlgorithms
      .filter((alg) => !rows.some((row) => row.alg === alg && row.status === status))
      .map((alg) => ({ alg, status })),
  );
  for (const { alg, status } of missing) {
    const jwk = await createJwk(alg);
    await insertSigningKey(db, {
      kid: jwk.kid,
      alg,
      status,
      sealed_jwk: seal(sealing[0], JSON.stringify(jwk)),
    });
  }
  return missing.length > 0 ? listSigningKeys(db) : rows;
};

/**
 * The issuers' private keys in the order of their use: those that sign, then the next ones, then the
 * previous. Missing ones are made.
 * @throws Error when no SECRET_KEY opens them.
 */
export const loadSigningKeys = async (options: SigningKeyOptions): Promise<PrivateJwk[]> => {
  const sealing = await sealingOf(options);
  const rows = await fillUp(options.db, sealing);
  return rows.toSorted((a, b) => orderOf(a) - orderOf(b)).map((row) => openJwk(sealing, row));
};

export interface RotateOptions extends SigningKeyOptions {
  /** When the keys change; by default the database's time. */
  now?: Date;
  /** Rotates only keys that have signed for that long; by default any. */
  olderThanMs?: number;
}

/**
 * The next keys begin to sign, the current ones cease, and new next ones are published: relying parties have
 * known a key for as long as one rotation when they see its first signature. Answers whether it rotated.
 */
export const rotateSigningKeys = async ({
  db,
  secretKeys,
  now: given,
  olderThanMs = 0,
}: RotateOptions): Promise<boolean> => {
  const now = given ?? (await readDatabaseTime(db));
  const sealing = await sealingOf({ db, secretKeys });
  const isDue = ({ status, activated_at }: SigningKeyRow) =>
    status === 'current' && now.getTime() - (activated_at?.getTime() ?? 0) >= olderThanMs;
  const rows = await fillUp(db, sealing);
  if (!rows.some(isDue)) return false;
  const rotated = await inTransaction(db, async (trx) => {
    await lockSigningKeys(trx);
    // Another process may have been first.
    const held = await listSigningKeys(trx);
    const unchanged = rows.every(({ kid, status }) =>
      held.some((row) => row.kid === kid && row.status === status),
    );
    if (!unchanged) return false;
    await deleteKeysRetiredBefore(trx, new Date(now.getTime() - PUBLISHED_AFTER_MS));
    await retireCurrentKeys(trx, now);
    await activateNextKeys(trx, now);
    return true;
  });
  await fillUp(db, sealing);
  return rotated;
};

/**
 * Withdraws a key that does not sign: nothing it signed verifies any more. A next key is replaced. Answers
 * whether there was one; a current key has to be rotated first.
 */
export const revokeSigningKey = async (options: SigningKeyOptions, kid: string): Promise<boolean> => {
  const { db } = options;
  const sealing = await sealingOf(options);
  await fillUp(db, sealing);
  const revoked = await inTransaction(db, async (trx) => {
    // A rotation that is under way would find no next key to let sign, and apps would not know the one made in its place.
    await lockSigningKeys(trx);
    return deleteIdleKey(trx, kid);
  });
  await fillUp(db, sealing);
  return revoked;
};
