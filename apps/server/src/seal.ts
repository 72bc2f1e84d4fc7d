import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A 256-bit key for one purpose, derived with HKDF-SHA-256 (RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `candela ${purpose}`, 32));

/** Encrypts and authenticates; the answer is base64url of iv, ciphertext and tag. */
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

/** Opens with the first of the keys that fits: secrets are lists, newest first. */
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
