import { presetNames } from '@candela/contract/rules/client-presets';
import * as z from 'zod/mini';
import { areOptional } from '../../branding/scope/optional-scopes.ts';
import { isStandIn, STAND_IN } from '../../person/stand-in/stand-in.ts';
import { policyMetadata } from './policy-metadata.ts';

export const CLIENT_ID = /^[\x21-\x7e]{1,200}$/;

const isPlainHttps = (value: string): boolean => {
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
};

const uris = z.optional(z.array(z.string().check(z.maxLength(2000, 'is longer than 2000 characters'))));
const names = z.optional(z.array(z.string()));

export const ClientEntry = z.looseObject({
  client_id: z.string().check(
    z.regex(CLIENT_ID, 'must be 1 to 200 printable ASCII characters without spaces'),
    // RFC 3986 section 5.2.4: such a segment of a path stands for another one, encoded or not.
    z.refine((id) => id !== '.' && id !== '..', 'must not be "." or ".."'),
    z.refine((id) => !isStandIn(id), `must not begin with "${STAND_IN}", as those of link checks do`),
  ),
  client_secret: z.optional(z.string().check(z.minLength(1, 'must not be empty'))),
  redirect_uris: uris,
  post_logout_redirect_uris: uris,
  grant_types: names,
  response_types: names,
  application_type: z.optional(z.enum(['web', 'native'], 'must be web or native')),
  token_endpoint_auth_method: z.optional(z.string()),
  brand: z.optional(z.string()),
  /** The server fetches the logo; no browser does. */
  logo_uri: z.optional(
    z.string().check(z.maxLength(2000), z.refine(isPlainHttps, 'must be an https URL without credentials')),
  ),
  first_party: z.optional(z.boolean()),
  /** Whether the brand has verified who runs the app. */
  verified: z.optional(z.boolean()),
  /** Scopes that people may leave out when they approve the app, separated by spaces. */
  optional_scopes: z.optional(
    z.string().check(z.refine(areOptional, 'must not name openid or offline_access')),
  ),
  /** Why the app asks for a scope, as people read it when they are asked, by scope. */
  scope_reasons: z.optional(z.record(z.string(), z.string())),
  /** Defaults and checks for a kind of app; see `presets.ts`. */
  preset: z.optional(z.enum(presetNames, `must be one of ${presetNames.join(', ')}`)),
  /** Id of the Alexa developer account, from which the redirect URIs follow. */
  vendor_id: z.optional(z.string()),
  /** Id of the Google Home project, from which the redirect URIs follow. */
  project_id: z.optional(z.string()),
  /** Id of the service at IFTTT, from which the redirect URI follows. */
  service_id: z.optional(z.string()),
  /** Whether the client is disabled: it is issued nothing, and what it was issued ends. Absent: unchanged. */
  disabled: z.optional(z.boolean()),
  /** Identifier of the protected API that this client is: it may introspect tokens for that API (RFC 7662). */
  resource_server: z.optional(z.string()),
  ...policyMetadata,
});

/** The fields that the schema names. */
export const entryNames: readonly string[] = Object.keys(ClientEntry.shape);

/** A client in a file of clients: metadata of RFC 7591, and our own. */
export type ClientEntry = z.infer<typeof ClientEntry>;

/** The entries of CLIENTS_FILE. */
export const ClientEntries = z.array(ClientEntry);
