import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { opens, openWithAny, seal, sealingKeys } from '../../ground/seal.ts';
import { findSealedSalt, insertSealedSalt } from './pairwise-salt.repository.ts';

const SALT_BYTES = 32;

export interface PairwiseSaltOptions {
  db: Kysely<Database>;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
}

/** The purpose from which the key that seals the salt is derived. */
export const saltSealing = 'pairwise salt';

/** The sealed salt of the database; makes one where there is none. */
export const ensureSealedSalt = async ({ db, secretKeys }: PairwiseSaltOptions): Promise<string> => {
  const found = await findSealedSalt(db);
  if (found !== undefined) return found;
  const [newest] = sealingKeys(secretKeys, saltSealing);
  await insertSealedSalt(db, seal(newest, randomBytes(SALT_BYTES).toString('base64url')));
  return ensureSealedSalt({ db, secretKeys });
};

/**
 * The SECRET_KEYs, first the one that the salt is sealed under. Every process knows that key, and so opens what is newly
 * sealed under it, even where another key was put in front of this list too early or by mistake.
 */
export const inUseFirst = async (options: PairwiseSaltOptions): Promise<readonly string[]> => {
  const sealed = await ensureSealedSalt(options);
  const isInUse = (secret: string) => opens(sealingKeys([secret], saltSealing), sealed);
  const { secretKeys } = options;
  return [...secretKeys.filter(isInUse), ...secretKeys.filter((secret) => !isInUse(secret))];
};

/**
 * The salt of pairwise subjects (OpenID Connect Core section 8.1), made at the first start. A subject must
 * never change, and SECRET_KEY does: so the salt is a value of its own.
 * @throws Error when no SECRET_KEY opens it.
 */
export const loadPairwiseSalt = async ({ db, secretKeys }: PairwiseSaltOptions): Promise<Buffer> => {
  const keys = sealingKeys(secretKeys, saltSealing);
  const sealed = await ensureSealedSalt({ db, secretKeys });
  try {
    return Buffer.from(openWithAny(keys, sealed), 'base64url');
  } catch (cause) {
    throw new Error('SECRET_KEY does not open the salt of pairwise subjects that is in the database', {
      cause,
    });
  }
};
