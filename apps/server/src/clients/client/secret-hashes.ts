import { createHmac, hash, randomBytes } from 'node:crypto';
import { deriveKey } from '../../ground/seal.ts';

/** Client secrets as they are stored: keyed hashes. */
export interface SecretHashes {
  /** The hash to store: `stored` itself, where it is a hash of this secret under a known SECRET_KEY. */
  hashOf(secret: string, stored?: string): string;
  /** The first of what is stored whose hash is one of `secret`; undefined where none is. */
  findMatch<Stored extends { hash: string }>(stored: readonly Stored[], secret: string): Stored | undefined;
}

export interface SecretHashesOptions {
  /** SECRET_KEYs; new secrets are hashed under the first. */
  secretKeys: readonly string[];
  /** Keys that secrets were hashed under, of SECRET_KEYs that are retired. */
  formerHashKeys?: readonly Buffer[];
}

const ACCEPTED_SIZE = 5_000;

const hashWith = (key: Buffer, secret: string) =>
  createHmac('sha256', key).update(secret).digest('base64url');

export const createSecretHashes = ({
  secretKeys,
  formerHashKeys = [],
}: SecretHashesOptions): SecretHashes => {
  const knownKeys = secretKeys.map((secret) => deriveKey(secret, 'client secrets'));
  /** Plain hashes of secrets that matched, by the stored hash: comparing them costs much less than a keyed hash. */
  const accepted = new Map<string, string>();
  const processSalt = randomBytes(16).toString('base64url');

  return {
    hashOf: (secret, stored) => {
      const [newest] = knownKeys;
      if (!newest) throw new Error('SECRET_KEY is empty');
      // A process that knows an older key only goes on verifying a hash that stays.
      const held = knownKeys.map((key) => hashWith(key, secret)).find((known) => known === stored);
      return held ?? hashWith(newest, secret);
    },

    findMatch: (stored, secret) => {
      const seen = hash('sha256', processSalt + secret, 'base64url');
      const known = stored.find((one) => accepted.get(one.hash) === seen);
      if (known || stored.length === 0) return known;
      const hashes = [...knownKeys, ...formerHashKeys].map((key) => hashWith(key, secret));
      const found = stored.find((one) => hashes.includes(one.hash));
      if (found && accepted.size < ACCEPTED_SIZE) accepted.set(found.hash, seen);
      return found;
    },
  };
};
