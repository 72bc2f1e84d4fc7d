import type { ClientErrorCode } from '@candela/contract';
import { faultOfRedirectUri } from '@candela/contract/rules/client-uri';
import { isHttps } from '@candela/contract/rules/is-https';
import type { ClientEntry } from './client-entry.ts';
import { faultAt, type RegistrationFault } from './fault.ts';
import { findGoogleLinkingFaults } from './google-linking-rules.ts';
import { findUnknownNames } from './metadata-names.ts';
import { findNativeApprovalFaults } from './native-approval-rules.ts';
import { findPlatformFaults, findStrayIds, findStrayRules } from './platform-faults.ts';
import { type Preset, platformIdFields } from './preset.ts';
import { presets } from './presets.ts';
import { findReasonFaults } from './scope-reasons.ts';

/** An entry of a file of clients, completed by its preset and checked. */
export interface Registration {
  id: string;
  /** undefined: every brand has the client. */
  brand: string | undefined;
  firstParty: boolean;
  /** undefined: unchanged. */
  disabled: boolean | undefined;
  /** Metadata of RFC 7591 and our own, with the preset's defaults. The secret is still in clear. */
  metadata: Record<string, unknown> & { client_id: string };
  /** Why the entry is refused; empty if it is not. */
  faults: RegistrationFault[];
}

const quote = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value) ?? 'left out').join(' or ');

/** How a client authenticates: the default is that of RFC 7591 section 2. */
export const methodOf = ({ token_endpoint_auth_method: method }: Record<string, unknown>): string =>
  typeof method === 'string' ? method : 'client_secret_basic';

/** Whether a client authenticates by a secret. */
export const hasSecret = (metadata: Record<string, unknown>): boolean =>
  !['none', 'private_key_jwt'].includes(methodOf(metadata));

/** The codes of fields that have one of their own. */
const codes: Readonly<Record<string, ClientErrorCode>> = {
  token_endpoint_auth_method: 'auth_method_invalid',
};

/** Finds what the rules of a preset do not allow. `why` names the field that brings the rules. */
const findRuleFaults = (
  asked: ClientEntry,
  { defaults, only, grantTypes }: Preset,
  why: string,
): RegistrationFault[] => {
  const faults = Object.entries<readonly unknown[] | undefined>(only).flatMap(([field, values = []]) =>
    values.includes(asked[field])
      ? []
      : [faultAt(field, codes[field] ?? 'preset_forbids', `must be ${quote(values)} with ${why}`)],
  );
  const forbid = (field: string, text: string) => faults.push(faultAt(field, 'preset_forbids', text));
  // The defaults of RFC 7591 section 2.
  const { grant_types: asks = ['authorization_code'], response_types: types = ['code'] } = asked;
  for (const grantType of grantTypes.needed)
    if (!asks.includes(grantType)) forbid('grant_types', `must have "${grantType}" with ${why}`);
  for (const grantType of asks)
    if (![...grantTypes.needed, ...grantTypes.possible].includes(grantType))
      forbid('grant_types', `must not have "${grantType}" with ${why}`);
  if (types.join() !== defaults.response_types?.join())
    forbid('response_types', `must be ${JSON.stringify(defaults.response_types)} with ${why}`);
  return faults;
};

const findPresetFaults = (entry: ClientEntry, asked: ClientEntry): RegistrationFault[] => {
  const { preset: name } = entry;
  const { redirects } = (name && presets[name]) ?? {};
  return [
    ...(name ? findRuleFaults(asked, presets[name], `preset ${name}`) : []),
    ...(name && redirects ? findPlatformFaults(entry, redirects, name) : []),
    ...(name !== 'fapi' && asked.fapi ? findRuleFaults(asked, presets.fapi, 'fapi') : []),
  ];
};

const findUriFaults = (entry: ClientEntry, nativeSchemes: readonly string[]): RegistrationFault[] =>
  (['redirect_uris', 'post_logout_redirect_uris'] as const).flatMap((field) =>
    (entry[field] ?? []).flatMap((uri, index) => {
      const fault =
        faultOfRedirectUri(uri, entry.application_type ?? 'web', nativeSchemes) ??
        // FAPI 2.0 Security Profile section 5.3.2.2.
        (entry.fapi && !isHttps(uri) ? (['uri_not_https', 'must be https with fapi'] as const) : undefined);
      return fault ? [faultAt(`${field}[${index}]`, ...fault)] : [];
    }),
  );

/** A public client may not have everything that a client which authenticates may have (RFC 6749 section 2.1). */
const findPublicFaults = (entry: ClientEntry): RegistrationFault[] => {
  const faults: RegistrationFault[] = [];
  if (entry.client_secret !== undefined)
    faults.push(
      faultAt(
        'client_secret',
        'value_invalid',
        'is not for a public client: leave it out, or say another token_endpoint_auth_method than "none"',
      ),
    );
  // RFC 6749 section 4.4.
  if (entry.grant_types?.includes('client_credentials'))
    faults.push(
      faultAt('grant_types', 'value_invalid', 'must not have "client_credentials" for a public client'),
    );
  // RFC 7662 section 2.1.
  if (entry.resource_server !== undefined)
    faults.push(
      faultAt(
        'resource_server',
        'value_invalid',
        'is not for a public client: introspection needs a proof of who asks',
      ),
    );
  // RFC 9700 section 2.1.1.
  if (entry.require_pkce === false)
    faults.push(faultAt('require_pkce', 'value_invalid', 'must not be false for a public client'));
  // RFC 9700 section 4.14.2.
  if (entry.refresh_mode === 'static' && entry.dpop_bound_access_tokens !== true)
    faults.push(
      faultAt(
        'refresh_mode',
        'value_invalid',
        'must not be "static" for a public client without dpop_bound_access_tokens',
      ),
    );
  return faults;
};

const findAuthenticationFaults = (entry: ClientEntry): RegistrationFault[] => {
  const method = methodOf(entry);
  if (method === 'none') return findPublicFaults(entry);
  if (method === 'private_key_jwt') {
    if (entry.jwks !== undefined || entry.jwks_uri !== undefined) return [];
    const why = 'with token_endpoint_auth_method "private_key_jwt" it has the public keys';
    return [faultAt('jwks', 'keys_missing', `is missing: ${why}, or jwks_uri names them`)];
  }
  if (entry.client_secret !== undefined) return [];
  const text = `is missing: token_endpoint_auth_method is "${method}"; a public client says "none"`;
  return [faultAt('client_secret', 'value_invalid', text)];
};

/** A client that signs request objects registers the keys that verify them (RFC 9101 section 5.2). */
const findRequestObjectFaults = (entry: ClientEntry): RegistrationFault[] => {
  const signs =
    entry.require_signed_request_object === true || entry.request_object_signing_alg !== undefined;
  if (!signs || entry.jwks !== undefined || entry.jwks_uri !== undefined) return [];
  const text = 'is missing: with signed request objects it has the public keys, or jwks_uri names them';
  return [faultAt('jwks', 'keys_missing', text)];
};

/** What JSON escapes beside quotes and backslashes: control characters and halves of characters. */
const UNWRITABLE = /\\(?:u[0-9a-f]{4}|[bfnrt])/;

/** The database takes no such characters, and nobody writes them into a registration on purpose. */
const hasUnwritable = (value: unknown): boolean =>
  UNWRITABLE.test((JSON.stringify(value) ?? '').replaceAll('\\\\', ''));

const findCharacterFaults = (entry: ClientEntry): RegistrationFault[] =>
  Object.entries(entry)
    // Reasons have a rule of their own.
    .filter(([field, value]) => field !== 'scope_reasons' && hasUnwritable(value))
    .map(([field]) => faultAt(field, 'value_invalid', 'must not have control characters'));

/** Fills in the preset's values for the fields that the entry leaves out. */
export const withDefaults = (entry: ClientEntry): ClientEntry => {
  const preset = entry.preset && presets[entry.preset];
  if (!preset) return entry;
  const { redirects, defaults } = preset;
  if (!redirects) return { ...defaults, ...entry };
  const id = redirects.id ? entry[redirects.id.field] : '';
  const known = id !== undefined && (redirects.id?.form.test(id) ?? true);
  const uris = known ? redirects.of(id) : [];
  return { ...(uris.length > 0 && { redirect_uris: uris }), ...defaults, ...entry };
};

/** What the operator allows beyond what every client may have. */
export interface RegistrationAllowances {
  /** Private schemes without a dot that native clients may have. */
  nativeSchemes: readonly string[];
}

/** Completes an entry by its preset, and finds the faults that the engine would not find. */
export const toRegistration = (
  entry: ClientEntry,
  { nativeSchemes }: RegistrationAllowances,
): Registration => {
  const completed = withDefaults(entry);
  const { brand, first_party, disabled, ...rest } = completed;
  const metadata = { ...rest };
  for (const field of platformIdFields) delete metadata[field];
  const faults = [
    ...findUnknownNames(entry),
    ...findCharacterFaults(entry),
    ...findStrayIds(entry),
    ...findStrayRules(entry),
    ...findPresetFaults(entry, completed),
    ...findUriFaults(completed, nativeSchemes),
    ...findAuthenticationFaults(completed),
    ...findRequestObjectFaults(completed),
    ...findNativeApprovalFaults(completed),
    ...findGoogleLinkingFaults(completed),
    ...findReasonFaults(completed),
  ];
  return {
    id: entry.client_id,
    brand,
    firstParty: first_party ?? false,
    disabled,
    metadata,
    faults: [...new Map(faults.map((fault) => [fault.problem, fault])).values()],
  };
};
