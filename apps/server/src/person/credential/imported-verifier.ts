import { pbkdf2, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { verify as argon2Verify } from '@node-rs/argon2';
import { createBcryptVerifier, isReadByBcrypt } from './bcrypt.ts';
import { type ImportedHash, parseImportedHash } from './imported-hash.ts';

const deriveByScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const deriveByPbkdf2 = promisify(pbkdf2);

/** Beyond the 128 * N * r of the algorithm itself. */
const SCRYPT_OVERHEAD_BYTES = 1_048_576;

/** As typed, and composed: systems differ in what they hashed. */
const spellingsOf = (password: string): string[] => [...new Set([password, password.normalize('NFC')])];

/** Compares passwords with hashes of other systems; undefined for one that no import takes. */
export const createImportedVerifier = () => {
  const verifyBcrypt = createBcryptVerifier();

  const matches = async (hash: string, parsed: ImportedHash, password: string): Promise<boolean> => {
    switch (parsed.scheme) {
      case 'argon2':
        return argon2Verify(hash, password);
      case 'bcrypt':
        return isReadByBcrypt(password) && verifyBcrypt(hash, password);
      case 'scrypt': {
        const { cost, blockSize, parallelism, salt, key } = parsed;
        const maxmem = 128 * blockSize * (cost + parallelism) + SCRYPT_OVERHEAD_BYTES;
        const options = { cost, blockSize, parallelization: parallelism, maxmem };
        return timingSafeEqual(await deriveByScrypt(password, salt, key.length, options), key);
      }
      case 'pbkdf2': {
        const { digest, iterations, salt, key } = parsed;
        return timingSafeEqual(await deriveByPbkdf2(password, salt, iterations, key.length, digest), key);
      }
    }
  };

  return async (hash: string, password: string): Promise<boolean | undefined> => {
    const parsed = parseImportedHash(hash);
    if (typeof parsed === 'string') return undefined;
    for (const spelling of spellingsOf(password)) {
      if (await matches(hash, parsed, spelling)) return true;
    }
    return false;
  };
};
