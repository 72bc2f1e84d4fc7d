import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { databaseNow } from '../../db/clock.ts';
import { policyOf } from '../client/client-policy.ts';
import { CLOCK_TOLERANCE_SECONDS } from '../jwt/jwt-times.ts';
import { readJwtPart } from '../jwt/unverified-jwt.ts';

type DPoPFeature = NonNullable<NonNullable<Configuration['features']>['dPoP']>;

/** Signatures of proofs that are verified (RFC 9449 section 11.6): asymmetric ones with short keys. */
export const dpopSigningAlgorithms = ['ES256', 'Ed25519', 'EdDSA'] as const;

/** Clocks of phones are wrong by a time zone, those of devices by hours; nobody's by more than that. */
const SKEW_SECONDS = 24 * 3600;

/**
 * The nonce tells how old a proof is, whatever the app's clock says (RFC 9449 section 11.1); a proof that claims
 * another day was not made for this request. One of a FAPI client is not ahead by a minute either (FAPI 2.0 Security
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
 * DPoP (RFC 9449). Each proof has to carry a nonce of ours (section 8), so that none can be made ahead, and
 * is accepted once. `nonceKey` has 32 bytes, the same in every process: a nonce of one is good at all.
 */
export const createDPoPFeature = (nonceKey: Buffer): DPoPFeature => ({
  enabled: true,
  nonceSecret: nonceKey,
  requireNonce: (ctx) => {
    requireLikelyTime(ctx);
    return true;
  },
});
