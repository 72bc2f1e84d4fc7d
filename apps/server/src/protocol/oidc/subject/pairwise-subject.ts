import { createHmac } from 'node:crypto';
import type { Configuration } from 'oidc-provider';

type PairwiseIdentifier = NonNullable<Configuration['pairwiseIdentifier']>;

/**
 * The subject that a sector knows an account by (OpenID Connect Core section 8.1): the same for all clients of
 * the sector and all brands, and nothing that two sectors can compare.
 */
export const pairwiseSubject = (salt: Buffer, sectorIdentifier: unknown, accountId: string): string => {
  if (typeof sectorIdentifier !== 'string' || sectorIdentifier === '')
    throw new Error('a pairwise client has a sector');
  return createHmac('sha256', salt).update(`${sectorIdentifier}\n${accountId}`).digest('base64url');
};

/** The engine's `pairwiseIdentifier`. */
export const createPairwiseIdentifier =
  (salt: Buffer): PairwiseIdentifier =>
  (_ctx, accountId, { sectorIdentifier }) =>
    pairwiseSubject(salt, sectorIdentifier, accountId);
