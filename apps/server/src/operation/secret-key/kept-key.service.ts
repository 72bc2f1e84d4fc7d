import { createHmac, hash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { hasTable } from '../../ground/db/migrate.ts';
import { transact } from '../../ground/db/transact.ts';
import { deriveKey, openWithAny, seal, sealingKeys } from '../../ground/seal.ts';
import { StartError } from '../../ground/start-error.ts';
import { inUseFirst } from '../../link/pairwise-salt/pairwise-salt.service.ts';
import { insertKeptKey, listKeptKeys, lockKeptKeys } from './kept-key.repository.ts';
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
 * The key of DPoP nonces (RFC 9449 section 8). It is the same in every process, whichever SECRET_KEY stands first
 * there: the first process derives it and keeps it for good.
 */
export const loadNonceKey = async (options: KeptKeyOptions): Promise<Buffer> => {
  const [kept] = await loadKeptKeys(options, 'dpop nonces');
  if (kept) return kept;
  const secretKeys = await inUseFirst(options);
  await keep({ ...options, secretKeys }, 'dpop nonces', deriveKey(secretKeys[0] ?? '', 'dpop nonces'));
  return loadNonceKey(options);
};

/** A key that is the same in every process: made once, under a lock that decides between two first processes. */
const ensureFingerprintKey = async (options: KeptKeyOptions): Promise<Buffer> => {
  const [kept] = await loadKeptKeys(options, 'fingerprints');
  if (kept) return kept;
  const secretKeys = await inUseFirst(options);
  return transact(options.db, async (db) => {
    await lockKeptKeys(db);
    const [other] = await loadKeptKeys({ ...options, db }, 'fingerprints');
    if (other) return other;
    const key = randomBytes(32);
    await keep({ db, secretKeys }, 'fingerprints', key);
    return key;
  });
};

const fingerprintBy = (key: Buffer) => (secret: string) =>
  createHmac('sha256', key).update(secret).digest('base64url');

/** Makes fingerprints by which secrets are compared. The database alone reveals nothing of the secrets. */
export const createFingerprint = async (options: KeptKeyOptions): Promise<(secret: string) => string> => {
  return fingerprintBy(await ensureFingerprintKey(options));
};

const FOREIGN_COOKIE_KEYS =
  'COOKIE_KEYS holds no key that a process of this database ever had: every process needs the same list, and a new key is appended to it before an old one is taken away';

/** Why a process with these COOKIE_KEYS would be refused; undefined where it would not. Nothing is stored. */
export const findForeignCookieKeys = async ({
  cookieKeys,
  ...options
}: KeptKeyOptions & { cookieKeys: readonly string[] }): Promise<string | undefined> => {
  if (!(await hasTable(options.db, 'kept_key'))) return undefined;
  const [key] = await loadKeptKeys(options, 'fingerprints');
  const noted = await loadKeptKeys(options, 'cookie keys');
  if (!key || noted.length === 0) return undefined;
  const own = cookieKeys.map(fingerprintBy(key));
  return noted.some((each) => own.includes(each.toString('base64url'))) ? undefined : FOREIGN_COOKIE_KEYS;
};

/**
 * Stores the COOKIE_KEYS of a process that is about to serve. The first process stores its own. A later process must
 * have one of the stored keys, as it does where keys are appended before they are used.
 * @throws StartError that names the setting; nothing is stored then.
 */
export const admitCookieKeys = async ({
  cookieKeys,
  ...options
}: KeptKeyOptions & { cookieKeys: readonly string[] }): Promise<void> => {
  const fingerprint = await createFingerprint(options);
  const secretKeys = await inUseFirst(options);
  const own = cookieKeys.map((key) => Buffer.from(fingerprint(key), 'base64url'));
  await transact(options.db, async (db) => {
    await lockKeptKeys(db);
    const noted = await loadKeptKeys({ ...options, db }, 'cookie keys');
    const isNoted = (key: Buffer) => noted.some((other) => other.equals(key));
    if (noted.length > 0 && !own.some(isNoted)) throw new StartError(FOREIGN_COOKIE_KEYS);
    for (const key of own) if (!isNoted(key)) await keep({ db, secretKeys }, 'cookie keys', key);
  });
};

/** Purposes whose hashes cannot be made anew, since nobody has the hashed text. */
const hashing = ['client secrets', 'ids of imported accounts'] as const;

/** Keeps the keys that were derived from older SECRET_KEYs and are still in use, so that those can be retired. */
export const keepFormerKeys = async (options: KeptKeyOptions): Promise<void> => {
  for (const secret of options.secretKeys.slice(1)) {
    for (const purpose of hashing) await keep(options, purpose, deriveKey(secret, purpose));
  }
};

/** The purpose of the keys that seal `sealed_key`. */
export const keptKeySealing = PURPOSE;
