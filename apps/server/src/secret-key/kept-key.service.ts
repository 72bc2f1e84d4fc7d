import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { deriveKey, openWithAny, seal, sealingKeys } from '../seal.ts';
import { insertKeptKey, listKeptKeys } from './kept-key.repository.ts';
import type { KeptKeyPurpose } from './kept-key.table.ts';

const PURPOSE = 'kept keys';

export interface KeptKeyOptions {
  db: Kysely<Database>;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
}

const keep = async ({ db, secretKeys }: KeptKeyOptions, purpose: KeptKeyPurpose, key: Buffer) => {
  const [newest] = sealingKeys(secretKeys, PURPOSE);
  await insertKeptKey(db, {
    purpose,
    fingerprint: hash('sha256', key, 'base64url'),
    sealed_key: seal(newest, key.toString('base64url')),
  });
};

/**
 * The keys kept for a purpose, the oldest first.
 * @throws Error when no SECRET_KEY opens one.
 */
export const loadKeptKeys = async (
  { db, secretKeys }: KeptKeyOptions,
  purpose: KeptKeyPurpose,
): Promise<Buffer[]> => {
  const keys = sealingKeys(secretKeys, PURPOSE);
  const rows = await listKeptKeys(db, purpose);
  return rows.map(({ sealed_key }) => Buffer.from(openWithAny(keys, sealed_key), 'base64url'));
};

/**
 * The key of DPoP nonces: the same in every process, whichever SECRET_KEY stands first in its list. The first
 * one that is derived is kept for good.
 */
export const loadNonceKey = async (options: KeptKeyOptions): Promise<Buffer> => {
  const [kept] = await loadKeptKeys(options, 'dpop nonces');
  if (kept) return kept;
  await keep(options, 'dpop nonces', deriveKey(options.secretKeys[0] ?? '', 'dpop nonces'));
  return loadNonceKey(options);
};

/** What was hashed under these cannot be hashed anew, since nobody has it in clear. */
const hashing = ['client secrets', 'ids of imported accounts'] as const;

/** Keeps what the older SECRET_KEYs were used for and still are, so that they can be retired. */
export const keepFormerKeys = async (options: KeptKeyOptions): Promise<void> => {
  for (const secret of options.secretKeys.slice(1)) {
    for (const purpose of hashing) await keep(options, purpose, deriveKey(secret, purpose));
  }
};

/** What `sealed_key` of every row is sealed with. */
export const keptKeySealing = PURPOSE;
