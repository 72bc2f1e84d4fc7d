import { locales } from '@candela/contract';
import * as z from 'zod/mini';
import { readSettingsFile, type SettingsFile } from '../settings-file.ts';
import { ConfigError } from '../start-error.ts';

/** Scopes of OpenID Connect, which say something about the account and nothing about an API. */
const ACCOUNT_SCOPES = ['openid', 'offline_access', 'profile', 'email', 'phone', 'address'];
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
    z.refine((name) => !ACCOUNT_SCOPES.includes(name), 'is a scope of the account'),
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
  /** Seconds. Short unless told: a JWT cannot be taken back. */
  access_token_ttl: z._default(
    z
      .number()
      .check(
        z.refine(
          (value) => Number.isInteger(value) && value >= 360 && value <= 86_400,
          'must be a whole number of seconds from 360 to 86400',
        ),
      ),
    600,
  ),
  access_token_signing_alg: z._default(z.enum(['ES256', 'RS256'], 'must be ES256 or RS256'), 'ES256'),
};

const ResourceServerMetadata = z.object(metadata);
export type ResourceServerMetadata = z.infer<typeof ResourceServerMetadata>;

const ResourceServerFileEntry = z.strictObject({
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
export const ResourceServerFile = z
  .array(ResourceServerFileEntry)
  .check(
    z.refine(
      (entries) => new Set(entries.map(({ identifier }) => identifier)).size === entries.length,
      'names an identifier twice',
    ),
  );

/** One entry of RESOURCES_FILE, with what it leaves out. */
export type ResourceServerFileEntry = z.infer<typeof ResourceServerFileEntry>;

/**
 * Reads a file of resource servers.
 * @param brands the ids of the brands that one can be of.
 * @throws ConfigError naming the file, and each place in it that is wrong.
 */
export const readResourceServerFile = (
  file: SettingsFile,
  brands: readonly string[],
): ResourceServerFileEntry[] => {
  const entries = readSettingsFile(file, ResourceServerFile);
  const problems = entries.flatMap(({ brand }, index) =>
    brand === undefined || brands.includes(brand)
      ? []
      : [`${file.name}: [${index}].brand "${brand}" is none of ${brands.join(', ')}`],
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return entries;
};
