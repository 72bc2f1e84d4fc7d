import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isFapiAlgorithm } from '../../../clients/client/fapi.ts';
import { type EngineClient, policyOf } from '../client/client-policy.ts';
import { faultOfTimes, LONGEST_LIFE_SECONDS } from '../jwt/jwt-times.ts';
import { type JwtHeader, REQUEST_OBJECT_TYPE, typeOfJwt } from '../jwt/jwt-type.ts';
import { currentUnit } from '../storage/unit.ts';
import type { AnonymousLimits } from './anonymous-limits.ts';
import { requireBoundedParameters } from './parameter-bounds.ts';

type RequestObjectsFeature = NonNullable<NonNullable<Configuration['features']>['requestObjects']>;

/** A request object without a type is recognised by its claims. */
const TYPES: readonly string[] = ['', 'jwt', REQUEST_OBJECT_TYPE];

const refuse = (debug: string): never => {
  throw new errors.InvalidRequestObject(`the request object ${debug}`);
};

/** Whether the client is not authenticated yet: anybody who opens an address can bring a request object. */
const isAnonymous = ({ oidc }: KoaContextWithOIDC, client: EngineClient): boolean =>
  oidc.route === 'authorization' || client.clientAuthMethod === 'none';

/** FAPI 2.0 Message Signing section 5.3.1, and the Security Profile's section 5.4.1. */
const assertFapi = ({ nbf, exp }: Record<string, unknown>, header: JwtHeader) => {
  if (nbf === undefined) refuse('has no nbf');
  if (Number(exp) - Number(nbf) > LONGEST_LIFE_SECONDS) refuse('is good for more than an hour');
  if (!isFapiAlgorithm(header.alg)) refuse(`is signed with ${header.alg}`);
};

/**
 * Signed request objects by value (RFC 9101). The server fetches no request object. The engine verifies the signature,
 * `iss`, `aud`, `exp` and `nbf`, and ignores all parameters beside the object. This check runs before the signature is
 * verified: the object must be short, valid for an hour at most, and useless as any other JWT.
 */
export const createRequestObjects = (anonymousLimits: AnonymousLimits): RequestObjectsFeature => ({
  enabled: true,
  /** @throws InvalidRequestObject, InvalidRequest or TooManyAnonymousRequests */
  assertJwtClaimsAndHeader: async (ctx, claims, header, client) => {
    const { oidc } = ctx;
    // A pushed object was checked when it was pushed. The engine keeps a request pushed without an object as an object.
    if (oidc.entities.PushedAuthorizationRequest) return;
    requireBoundedParameters({ request: oidc.params?.request });
    if (!TYPES.includes(typeOfJwt(header))) refuse('has another typ');
    const fault = faultOfTimes(claims);
    if (fault) refuse(fault);
    // RFC 9101 section 5: the object must have it. The engine would take it from outside the object.
    if (claims.client_id === undefined) refuse('has no client_id');
    // RFC 9101 section 10.8: with `sub` the object could serve as a client assertion.
    if (claims.sub === client.clientId) refuse('must not have the client_id as its sub');
    if (policyOf(client).fapi) assertFapi(claims, header);
    if (isAnonymous(ctx, client))
      await anonymousLimits.require('request-object', currentUnit()?.facts.address ?? '', 0);
  },
});
