import { locales } from '@candela/contract';
import { providerKinds } from '@candela/contract/rules/provider-kinds';
import * as z from 'zod/mini';

const text = (maxLength: number) => z.string().check(z.minLength(1), z.maxLength(maxLength));

/** An entry of PROVIDERS_FILE. A secret stands in it, or in a file of its own, by its path from the directory of the file. */
const ProviderEntry = z.strictObject({
  id: z
    .string()
    .check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'must be small letters, digits and hyphens')),
  kind: z.enum(providerKinds, `must be one of ${providerKinds.join(', ')}`),
  issuer: z.optional(text(200)),
  client_id: text(200),
  client_secret: z.optional(text(500)),
  client_secret_file: z.optional(text(500)),
  private_key: z.optional(text(10_000)),
  private_key_file: z.optional(text(500)),
  key_id: z.optional(text(100)),
  team_id: z.optional(text(100)),
  brand: z.optional(z.string()),
  name: z.optional(text(40)),
  scopes: z.optional(z.array(text(100)).check(z.minLength(1), z.maxLength(20))),
  languages: z.optional(z.array(z.enum(locales, `must be one of ${locales.join(', ')}`))),
  subject: z.optional(z.enum(['unionid', 'openid'], 'must be unionid or openid')),
  email_domains: z.optional(
    z.array(
      z
        .string()
        .check(
          z.regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'must be a domain such as example.com, in small letters'),
        ),
    ),
  ),
});

export const ProviderEntries = z.array(ProviderEntry);
export type ProviderEntry = z.infer<typeof ProviderEntry>;
