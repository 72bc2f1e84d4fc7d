import { faultOfRedirectUri, isUnownedScheme } from '@candela/contract/rules/client-uri';
import { readWords } from '../../branding/scope/space-separated.ts';
import { presets } from '../../clients/client/presets.ts';
import type { RegistrationPolicy } from '../../clients/registration-token/registration-policy.ts';
import { allowsUri, withoutForeignUris } from './policy-faults.ts';
import { derivePreset, type SelfDescribed } from './self-described.ts';

export interface AsRegisteredOptions {
  policy: RegistrationPolicy;
  /** Private schemes without a dot that native clients may have. */
  nativeSchemes: readonly string[];
  /** Every scope that a client of the brand may name. */
  scopes: readonly string[];
}

const lists = ['redirect_uris', 'post_logout_redirect_uris'] as const;

/**
 * Leaves out URIs at schemes that no operator listed, where what is left is good. Assistants of several editors send
 * the URIs of all of them.
 */
const withoutUnownedSchemes = (
  metadata: SelfDescribed,
  { policy, nativeSchemes }: AsRegisteredOptions,
): SelfDescribed => {
  const isUnlisted = (uri: string) => {
    const scheme = URL.parse(uri)?.protocol.slice(0, -1) ?? '';
    return isUnownedScheme(scheme) && !nativeSchemes.includes(scheme);
  };
  const isGood = (uri: string) =>
    faultOfRedirectUri(uri, 'native', nativeSchemes) === undefined && allowsUri(policy, uri);
  const next = lists.flatMap((field) => {
    const kept = (metadata[field] ?? []).filter((uri) => !isUnlisted(uri));
    // Where another one is wrong, all are judged as they were sent, so that faults are named by their places.
    return kept.length > 0 && kept.every(isGood) ? [[field, kept] as const] : [];
  });
  return { ...metadata, ...Object.fromEntries(next) };
};

/** Leaves out scopes that nobody could grant: what is left may be asked for. Without any, the client names none. */
const withoutUnknownScopes = (metadata: SelfDescribed, scopes: readonly string[]): SelfDescribed => ({
  ...metadata,
  ...Object.fromEntries(
    (['scope', 'optional_scopes'] as const).flatMap((field) => {
      const { [field]: given } = metadata;
      if (typeof given !== 'string') return [];
      const known = readWords(given).filter((scope) => scopes.includes(scope));
      return [[field, known.length > 0 ? known.join(' ') : null] as const];
    }),
  ),
});

/** A secret that the preset does not have becomes the preset's own method: most libraries send one they never use. */
const withMethodOfPreset = <M extends SelfDescribed & { preset: string }>(metadata: M): M => {
  const { preset, token_endpoint_auth_method: method } = metadata;
  const rules = Object.entries(presets).find(([name]) => name === preset)?.[1];
  const isOther =
    method?.startsWith('client_secret_') && !rules?.only.token_endpoint_auth_method?.includes(method);
  const { token_endpoint_auth_method: own } = rules?.defaults ?? {};
  return isOther && own !== undefined ? { ...metadata, token_endpoint_auth_method: own } : metadata;
};

/** What a stranger says of itself that is registered: nothing that the server would fetch, call or verify. */
const ofStrangers: readonly string[] = [
  'application_type',
  'client_name',
  'client_uri',
  'contacts',
  'dpop_bound_access_tokens',
  'grant_types',
  'id_token_signed_response_alg',
  'logo_uri',
  'optional_scopes',
  'policy_uri',
  'post_logout_redirect_uris',
  'preset',
  'redirect_uris',
  'response_types',
  'scope',
  'software_id',
  'software_version',
  'token_endpoint_auth_method',
  'tos_uri',
];

/** A code that a person types is easily asked for by somebody else, so that strangers have no device flow. */
const grantTypesOfStrangers: readonly string[] = ['authorization_code', 'refresh_token'];

const ofStranger = (metadata: SelfDescribed): SelfDescribed => {
  const { grant_types: grantTypes, ...taken } = Object.fromEntries(
    Object.entries(metadata).filter(([name]) => ofStrangers.includes(name)),
  ) as SelfDescribed;
  const kept = grantTypes?.filter((grantType) => grantTypesOfStrangers.includes(grantType));
  // Without one of these it is judged by what it sent.
  return { ...taken, ...(grantTypes && { grant_types: kept?.length ? kept : grantTypes }) };
};

/**
 * What of a description is registered: a server may leave out and replace what it does not take (RFC 7591 section 2),
 * and answers what it registered (section 3.2.1). Whatever else is wrong is refused.
 */
export const asRegistered = (described: SelfDescribed, options: AsRegisteredOptions) => {
  const { policy, scopes } = options;
  const taken = policy.strangers ? ofStranger(described) : described;
  const metadata = withoutUnknownScopes(withoutUnownedSchemes(taken, options), scopes);
  const preset = metadata.preset ?? derivePreset(metadata, policy.presets);
  return withoutForeignUris(policy, withMethodOfPreset({ ...metadata, preset }));
};
