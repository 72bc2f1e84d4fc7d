import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { isFapiAlgorithm } from '../../client/fapi.ts';
import { type EngineClient, policyOf } from '../client/client-policy.ts';
import { faultOfTimes, LONGEST_LIFE_SECONDS } from '../jwt/jwt-times.ts';
import { currentUnit } from '../storage/unit.ts';
import type { AnonymousLimits } from './anonymous-limits.ts';
import { requireBoundedParameters } from './parameter-bounds.ts';

type RequestObjectsFeature = NonNullable<NonNullable<Configuration['features']>['requestObjects']>;
type Header = Readonly<Record<string, unknown>>;

/** RFC 9101 section 10.8.1; what names no type, or none but that of any JWT, is known by its claims. */
const TYPE = 'oauth-authz-req+jwt';

/** A media type as a header may shorten it (RFC 7515 section 4.1.9). */
const typeOf = ({ typ }: Header): string =>
  typ === undefined
    ? ''
    : String(typ)
        .toLowerCase()
        .replace(/^application\//, '');

/** Whether a JWT says that it is a request object, so that it is taken for nothing else. */
export const isRequestObject = (header: Header): boolean => typeOf(header) === TYPE;

const refuse = (debug: string): never => {
  throw new errors.InvalidRequestObject(`the request object ${debug}`);
};

/** Whether nobody has proven yet to be the client: whoever opens an address can bring a request object. */
const isAnonymous = ({ oidc }: KoaContextWithOIDC, client: EngineClient): boolean =>
  oidc.route === 'authorization' || client.clientAuthMethod === 'none';

/** FAPI 2.0 Message Signing section 5.3.1, and the Security Profile's section 5.4.1. */
const assertFapi = ({ nbf, exp }: Record<string, unknown>, header: Header) => {
  if (nbf === undefined) refuse('has no nbf');
  if (Number(exp) - Number(nbf) > LONGEST_LIFE_SECONDS) refuse('is good for more than an hour');
  if (!isFapiAlgorithm(header.alg)) refuse(`is signed with ${header.alg}`);
};

/**
 * Signed request objects by value (RFC 9101). The engine verifies signature, `iss`, `aud`, `exp` and `nbf`, and
 * takes no parameter from beside the object; none is fetched. What is asked here comes before the signature is
 * verified: that it is short, that it is good for an hour at most, and that it cannot serve as anything else.
 */
export const createRequestObjects = (anonymousLimits: AnonymousLimits): RequestObjectsFeature => ({
  enabled: true,
  /** @throws InvalidRequestObject, InvalidRequest or TooManyAnonymousRequests */
  assertJwtClaimsAndHeader: async (ctx, claims, header, client) => {
    const { oidc } = ctx;
    // It was looked at when it was pushed; what came without one the engine keeps as one of its own.
    if (oidc.entities.PushedAuthorizationRequest) return;
    requireBoundedParameters({ request: oidc.params?.request });
    if (!['', 'jwt', TYPE].includes(typeOf(header))) refuse('has another typ');
    const fault = faultOfTimes(claims);
    if (fault) refuse(fault);
    // RFC 9101 section 5: the engine would look for it where nothing counts.
    if (claims.client_id === undefined) refuse('has no client_id');
    // RFC 9101 section 10.8: with it the object could be sent as a client assertion.
    if (claims.sub === client.clientId) refuse('must not have the client_id as its sub');
    if (policyOf(client).fapi) assertFapi(claims, header);
    if (isAnonymous(ctx, client))
      await anonymousLimits.require('request-object', currentUnit()?.facts.address ?? '', 0);
  },
});
