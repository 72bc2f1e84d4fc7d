import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A 256-bit key for one purpose, derived with HKDF-SHA-256 (RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `candela ${purpose}`, 32));

/** Encrypts and authenticates a text with AES-256-GCM. Answers base64url of iv, ciphertext and tag. */
export const seal = (key: Buffer, text: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
};

/** @throws Error when `sealed` was not made with this key. */
export const open = (key: Buffer, sealed: string): string => {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString(
    'utf8',
  );
};

/** Derives the keys of one purpose from all SECRET_KEYs: the first seals, all open. */
export const sealingKeys = (secretKeys: readonly string[], purpose: string): [Buffer, ...Buffer[]] => {
  const [newest, ...older] = secretKeys.map((secret) => deriveKey(secret, purpose));
  if (!newest) throw new Error('SECRET_KEY is empty');
  return [newest, ...older];
};

/**
 * Opens with the first key that fits; the newest key stands first.
 * @throws Error when no key opens it.
 */
export const openWithAny = (keys: readonly Buffer[], sealed: string): string => {
  let failure: unknown = new Error('no key to open with');
  for (const key of keys) {
    try {
      return open(key, sealed);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
};

/** Whether one of the keys opens `sealed`. */
export const opens = (keys: readonly Buffer[], sealed: string): boolean => {
  try {
    openWithAny(keys, sealed);
    return true;
  } catch {
    return false;
  }
};

/**
 * Seals the text of `sealed` under the first key; undefined where the first key sealed it.
 * @throws Error when no key opens it.
 */
export const sealAnew = (keys: readonly [Buffer, ...Buffer[]], sealed: string): string | undefined =>
  opens([keys[0]], sealed) ? undefined : seal(keys[0], openWithAny(keys, sealed));
