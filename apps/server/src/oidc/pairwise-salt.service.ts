import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { deriveKey, openWithAny, seal } from '../seal.ts';
import { findSealedSalt, insertSealedSalt, updateSealedSalt } from './pairwise-salt.repository.ts';

const SALT_BYTES = 32;

export interface PairwiseSaltOptions {
  db: Kysely<Database>;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
}

const isSealedWith = (key: Buffer, sealed: string): boolean => {
  try {
    openWithAny([key], sealed);
    return true;
  } catch {
    return false;
  }
};

const findOrMake = async (db: Kysely<Database>, newest: Buffer): Promise<string> => {
  const found = await findSealedSalt(db);
  if (found !== undefined) return found;
  await insertSealedSalt(db, seal(newest, randomBytes(SALT_BYTES).toString('base64url')));
  return findOrMake(db, newest);
};

/**
 * The salt of pairwise subjects (OpenID Connect Core section 8.1), made at the first start. A subject must
 * never change, and SECRET_KEY does: so the salt is a value of its own, sealed again under the newest key.
 * @throws Error when no SECRET_KEY opens it.
 */
export const loadPairwiseSalt = async ({ db, secretKeys }: PairwiseSaltOptions): Promise<Buffer> => {
  const [newest, ...older] = secretKeys.map((secret) => deriveKey(secret, 'pairwise salt'));
  if (!newest) throw new Error('SECRET_KEY is empty');
  const sealed = await findOrMake(db, newest);
  let salt: string;
  try {
    salt = openWithAny([newest, ...older], sealed);
  } catch (cause) {
    throw new Error('SECRET_KEY does not open the salt of pairwise subjects that is in the database', {
      cause,
    });
  }
  if (!isSealedWith(newest, sealed)) await updateSealedSalt(db, { from: sealed, to: seal(newest, salt) });
  return Buffer.from(salt, 'base64url');
};
