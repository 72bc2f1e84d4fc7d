import { createHmac } from 'node:crypto';
import type { Configuration } from 'oidc-provider';

type PairwiseIdentifier = NonNullable<Configuration['pairwiseIdentifier']>;

/**
 * The subject that a sector knows an account by (OpenID Connect Core section 8.1): the same for all clients of
 * the sector and all brands, and nothing that two sectors can compare.
 */
export const createPairwiseIdentifier =
  (salt: Buffer): PairwiseIdentifier =>
  (_ctx, accountId, { sectorIdentifier }) => {
    if (!sectorIdentifier) throw new Error('a pairwise client has a sector');
    return createHmac('sha256', salt).update(`${sectorIdentifier}\n${accountId}`).digest('base64url');
  };
