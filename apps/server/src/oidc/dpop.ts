import type { Configuration } from 'oidc-provider';

type DPoPFeature = NonNullable<NonNullable<Configuration['features']>['dPoP']>;

/** Signatures of proofs that are verified (RFC 9449 section 11.6): asymmetric ones with short keys. */
export const dpopSigningAlgorithms = ['ES256', 'Ed25519', 'EdDSA'] as const;

/**
 * DPoP (RFC 9449). Each proof has to carry a nonce of ours (section 8), so that none can be made ahead, and
 * is accepted once. `nonceKey` has 32 bytes, the same in every process: a nonce of one is good at all.
 */
export const createDPoPFeature = (nonceKey: Buffer): DPoPFeature => ({
  enabled: true,
  nonceSecret: nonceKey,
  requireNonce: () => true,
});
