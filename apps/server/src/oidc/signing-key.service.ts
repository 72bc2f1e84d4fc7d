import { generateKeyPair, hash } from 'node:crypto';
import { promisify } from 'node:util';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { deriveKey, openWithAny, seal } from '../seal.ts';
import { insertSigningKey, listSigningKeys } from './signing-key.repository.ts';

const signingAlgorithms = ['RS256', 'ES256'] as const;
type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** A private JSON Web Key (RFC 7517). */
export type PrivateJwk = Record<string, unknown> & { kid: string };

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
  return { ...jwk, alg, use: 'sig', kid: hash('sha256', JSON.stringify(members), 'base64url') };
};

export interface SigningKeyOptions {
  db: Kysely<Database>;
  /** SECRET_KEY, newest first. */
  secretKeys: readonly string[];
}

/**
 * The issuers' private keys, current ones first, made when there are none.
 * @throws Error when no SECRET_KEY opens them.
 */
export const loadSigningKeys = async ({ db, secretKeys }: SigningKeyOptions): Promise<PrivateJwk[]> => {
  const sealing = secretKeys.map((secret) => deriveKey(secret, 'signing keys'));
  const [newest] = sealing;
  if (!newest) throw new Error('SECRET_KEY is empty');

  let rows = await listSigningKeys(db);
  const missing = signingAlgorithms.filter(
    (alg) => !rows.some((row) => row.alg === alg && row.status === 'current'),
  );
  for (const alg of missing) {
    const jwk = await createJwk(alg);
    await insertSigningKey(db, {
      kid: jwk.kid,
      alg,
      status: 'current',
      sealed_jwk: seal(newest, JSON.stringify(jwk)),
    });
  }
  if (missing.length > 0) rows = await listSigningKeys(db);

  const rank = { current: 0, next: 1, previous: 2 };
  return rows
    .sort(
      (a, b) =>
        rank[a.status] - rank[b.status] || signingAlgorithmOrder(a.alg) - signingAlgorithmOrder(b.alg),
    )
    .map((row) => {
      try {
        return JSON.parse(openWithAny(sealing, row.sealed_jwk)) as PrivateJwk;
      } catch (cause) {
        throw new Error(`SECRET_KEY does not open the signing key ${row.kid} that is in the database`, {
          cause,
        });
      }
    });
};

const signingAlgorithmOrder = (alg: string) => (signingAlgorithms as readonly string[]).indexOf(alg);
