import type { Kysely } from 'kysely';
import type { Database } from '../src/ground/db/database.ts';
import { seal, sealingKeys } from '../src/ground/seal.ts';
import { insertSigningKey } from '../src/link/signing-key/signing-key.repository.ts';
import {
  loadSigningKeys,
  type PrivateJwk,
  signingKeySealing,
} from '../src/link/signing-key/signing-key.service.ts';

/** Servers that run side by side have keys of their own. */
const SETS = 4;

/** What the first databases of this process got: of each algorithm the current key, and then the next one. */
const made: PrivateJwk[][] = [];
let given = 0;

/**
 * Gives an empty database its signing keys, as a server that ran before has left them: to make two RSA keys takes
 * longer than many a test.
 */
export const giveSigningKeys = async (db: Kysely<Database>, secretKeys: readonly string[]): Promise<void> => {
  if (made.length < SETS) {
    made.push(await loadSigningKeys({ db, secretKeys }));
    return;
  }
  given += 1;
  const [sealing] = sealingKeys(secretKeys, signingKeySealing);
  const algorithms = new Set<string>();
  for (const jwk of made[given % SETS] ?? []) {
    const status = algorithms.has(jwk.alg) ? 'next' : 'current';
    algorithms.add(jwk.alg);
    await insertSigningKey(db, {
      kid: jwk.kid,
      alg: jwk.alg,
      status,
      sealed_jwk: seal(sealing, JSON.stringify(jwk)),
    });
  }
};
