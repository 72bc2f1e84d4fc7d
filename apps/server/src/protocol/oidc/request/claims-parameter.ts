import { type Configuration, errors } from 'oidc-provider';
import * as z from 'zod/mini';
import { toJson } from '../storage/columns.ts';

type ClaimsFeature = NonNullable<NonNullable<Configuration['features']>['claimsParameter']>;

/** A request for every claim fits; deep nesting does not. */
const LONGEST = 4096;

const Names = z.array(z.string());

/** The request for one claim (OpenID Connect Core section 5.5.1). The section says to ignore other members. */
const AskedClaim = z.nullable(
  z.looseObject({
    essential: z.optional(z.boolean()),
    value: z.optional(z.unknown()),
    values: z.optional(z.array(z.unknown())),
  }),
);

const AskedClaims = z.optional(z.record(z.string(), AskedClaim));

/** The claims whose values the engine compares. */
const ComparedClaims = z.optional(
  z.looseObject({
    acr: z.optional(z.nullable(z.looseObject({ value: z.optional(z.string()), values: z.optional(Names) }))),
    sub: z.optional(z.nullable(z.looseObject({ value: z.optional(z.string()) }))),
  }),
);

/**
 * The claims parameter (OpenID Connect Core section 5.5).
 * @throws InvalidRequest where it is too long, has a text that cannot be stored, or asks for a claim by anything
 * but null or an object of the form.
 */
export const claimsParameter: ClaimsFeature = {
  enabled: true,
  assertClaimsParameter: async ({ oidc }, claims) => {
    const { userinfo, id_token } = claims;
    const isFine =
      String(oidc.params?.claims).length <= LONGEST &&
      [userinfo, id_token].every((asked) => z.safeParse(AskedClaims, asked).success) &&
      z.safeParse(ComparedClaims, id_token).success;
    if (!isFine) throw new errors.InvalidRequest('claims parameter is too long or not of the form');
    toJson(claims);
  },
};
