import { locales } from '@candela/contract';
import * as z from 'zod/mini';
import { reservedScopes } from '../../branding/scope/account-scopes.ts';
import { accessTokenSeconds } from '../../ground/settings-file/seconds.ts';

/** RFC 6749 section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** RFC 8707 section 2: an absolute URI without a fragment; here of characters that stand in no list of names. */
const isResourceIndicator = (value: string): boolean =>
  SCOPE.test(value) && !value.includes('#') && URL.canParse(value);

const text = (maxLength: number) =>
  z.string().check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(maxLength, `must have at most ${maxLength} characters`),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses.
    z.refine((value) => !/[\x00-\x1f\x7f]/.test(value), 'must not have control characters'),
  );

const Scope = z.strictObject({
  name: z.string().check(
    z.maxLength(200, 'must have at most 200 characters'),
    z.regex(SCOPE, 'must be printable ASCII characters without spaces, " and \\'),
    z.refine((name) => !reservedScopes.includes(name), 'is a scope of the account'),
  ),
  /** What an app may do with it, as people read it on the consent page, by language. */
  description: z.optional(z.partialRecord(z.enum(locales), text(200))),
});

const metadata = {
  /** The API, as people know it. */
  name: text(100),
  scopes: z.array(Scope).check(
    z.minLength(1, 'must have a scope'),
    z.maxLength(100, 'must have at most 100 scopes'),
    z.refine(
      (scopes) => new Set(scopes.map(({ name }) => name)).size === scopes.length,
      'must not name a scope twice',
    ),
  ),
  /** `jwt`, which is RFC 9068, or `opaque`, which the API introspects. */
  access_token_format: z._default(z.enum(['jwt', 'opaque'], 'must be jwt or opaque'), 'jwt'),
  /** Seconds. The default is short: a JWT cannot be revoked. */
  access_token_ttl: z._default(accessTokenSeconds, 600),
  access_token_signing_alg: z._default(z.enum(['ES256', 'RS256'], 'must be ES256 or RS256'), 'ES256'),
  /** Who lets a client act on its own with scopes of the API: operators, which is the default, or developers too. */
  machine_access: z.optional(z.enum(['operators', 'developers'], 'must be operators or developers')),
};

const ResourceServerMetadata = z.object(metadata);
export type ResourceServerMetadata = z.infer<typeof ResourceServerMetadata>;

const ResourceServerEntry = z.strictObject({
  identifier: z
    .string()
    .check(
      z.maxLength(500, 'must have at most 500 characters'),
      z.refine(isResourceIndicator, 'must be an absolute URI without a fragment'),
    ),
  /** Absent: every brand's. */
  brand: z.optional(z.string()),
  ...metadata,
});

/** The entries of RESOURCES_FILE. */
export const ResourceServerEntries = z.array(ResourceServerEntry);

/** One entry of RESOURCES_FILE, with what it leaves out. */
export type ResourceServerEntry = z.infer<typeof ResourceServerEntry>;
