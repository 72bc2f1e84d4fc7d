import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { databaseNow } from '../../../ground/db/clock.ts';
import { policyOf } from '../client/client-policy.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../jwt/jwt-times.ts';
import { readJwtPart } from '../jwt/unverified-jwt.ts';

type DPoPFeature = NonNullable<NonNullable<Configuration['features']>['dPoP']>;

/** The signature algorithms of proofs (RFC 9449 section 11.6): asymmetric, with short keys. */
export const dpopSigningAlgorithms = ['ES256', 'Ed25519', 'EdDSA'] as const;

/** Clocks of phones and devices may be wrong by hours (a wrong time zone), but not by more than a day. */
const SKEW_SECONDS = 24 * 3600;

/**
 * Refuses a proof with an unlikely `iat`. The nonce shows the age of a proof, whatever the app's clock says (RFC 9449
 * section 11.1), so `iat` may be wrong by hours. The `iat` of a FAPI client is at most a minute ahead (FAPI 2.0 Security
 * Profile section 5.3.2.1).
 * @throws InvalidDpopProof
 */
const requireLikelyTime = (ctx: KoaContextWithOIDC) => {
  const issuedAt = readJwtPart(ctx.get('DPoP'), 1)?.iat;
  if (typeof issuedAt !== 'number') return;
  const ahead = issuedAt - databaseNow().getTime() / 1000;
  if (Math.abs(ahead) > SKEW_SECONDS)
    throw new errors.InvalidDpopProof('DPoP proof iat is more than a day from now');
  if (ahead > CLOCK_TOLERANCE_SECONDS && policyOf(ctx.oidc.client).fapi)
    throw new errors.InvalidDpopProof('DPoP proof iat is more than a minute ahead');
};

/**
 * DPoP (RFC 9449). Each proof carries a nonce of this server (section 8), so that nobody can make a proof in advance.
 * Each proof is accepted once. `nonceKey` has 32 bytes. All processes share the key, and accept each other's nonces.
 */
export const createDPoPFeature = (nonceKey: Buffer): DPoPFeature => ({
  enabled: true,
  nonceSecret: nonceKey,
  requireNonce: (ctx) => {
    requireLikelyTime(ctx);
    return true;
  },
});
