import { isHttps } from '@candela/contract/rules/is-https';
import type { ClientEntry } from './client-entry.ts';
import { findUnknownNames } from './metadata-names.ts';
import { type PlatformRedirects, type Preset, presets } from './presets.ts';
import { faultOfRedirectUri } from './redirect-uris.ts';

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
  /** Faults that refuse the entry: each names the place, and what to write there. */
  problems: string[];
}

const quote = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value) ?? 'left out').join(' or ');

const findPlatformProblems = (
  entry: ClientEntry,
  { id, form, of }: PlatformRedirects,
  name: string,
): string[] => {
  const given = id && entry[id.field];
  if (id && given !== undefined) {
    if (entry.redirect_uris) return [`.${id.field} stands for redirect_uris: leave one of the two out`];
    return id.form.test(given) ? [] : [`.${id.field} must look like "${id.example}"`];
  }
  if (id && !entry.redirect_uris)
    return [`.${id.field} is missing: preset ${name} takes it, or the redirect_uris themselves`];
  return (entry.redirect_uris ?? []).flatMap((uri, index) =>
    form.test(uri)
      ? []
      : [`.redirect_uris[${index}] is none of preset ${name}, such as ${of(id?.example ?? '')[0]}`],
  );
};

/** Finds what the rules of a preset do not allow. `why` names the field that brings the rules. */
const findRuleProblems = (
  asked: ClientEntry,
  { defaults, only, grantTypes }: Preset,
  why: string,
): string[] => {
  const problems = Object.entries<readonly unknown[] | undefined>(only).flatMap(([field, values = []]) =>
    values.includes(asked[field]) ? [] : [`.${field} must be ${quote(values)} with ${why}`],
  );
  // The defaults of RFC 7591 section 2.
  const { grant_types: asks = ['authorization_code'], response_types: types = ['code'] } = asked;
  for (const grantType of grantTypes.needed)
    if (!asks.includes(grantType)) problems.push(`.grant_types must have "${grantType}" with ${why}`);
  for (const grantType of asks)
    if (![...grantTypes.needed, ...grantTypes.possible].includes(grantType))
      problems.push(`.grant_types must not have "${grantType}" with ${why}`);
  if (types.join() !== defaults.response_types?.join())
    problems.push(`.response_types must be ${JSON.stringify(defaults.response_types)} with ${why}`);
  return problems;
};

const findPresetProblems = (entry: ClientEntry, asked: ClientEntry): string[] => {
  const { preset: name } = entry;
  const { redirects } = (name && presets[name]) ?? {};
  return [
    ...(name ? findRuleProblems(asked, presets[name], `preset ${name}`) : []),
    ...(name && redirects ? findPlatformProblems(entry, redirects, name) : []),
    ...(name !== 'fapi' && asked.fapi ? findRuleProblems(asked, presets.fapi, 'fapi') : []),
  ];
};

/** Finds ids of platforms that the preset of the entry does not take. */
const findStrayIds = (entry: ClientEntry): string[] =>
  (['vendor_id', 'project_id'] as const).flatMap((field) => {
    const taken = entry.preset && presets[entry.preset].redirects?.id?.field === field;
    if (entry[field] === undefined || taken) return [];
    return [`.${field} goes with preset ${field === 'vendor_id' ? 'alexa' : 'google-home'}`];
  });

const findUriProblems = (entry: ClientEntry): string[] =>
  (['redirect_uris', 'post_logout_redirect_uris'] as const).flatMap((field) =>
    (entry[field] ?? []).flatMap((uri, index) => {
      const fault =
        faultOfRedirectUri(uri, entry.application_type ?? 'web') ??
        // FAPI 2.0 Security Profile section 5.3.2.2.
        (entry.fapi && !isHttps(uri) ? 'must be https with fapi' : undefined);
      return fault ? [`.${field}[${index}] ${fault}`] : [];
    }),
  );

/** A public client may not have everything that a client which authenticates may have (RFC 6749 section 2.1). */
const findAuthenticationProblems = (entry: ClientEntry): string[] => {
  const method = entry.token_endpoint_auth_method ?? 'client_secret_basic';
  if (method === 'private_key_jwt') {
    return entry.jwks === undefined && entry.jwks_uri === undefined
      ? [
          '.jwks is missing: with token_endpoint_auth_method "private_key_jwt" it has the public keys, or jwks_uri names them',
        ]
      : [];
  }
  if (method !== 'none') {
    return entry.client_secret === undefined
      ? [`.client_secret is missing: token_endpoint_auth_method is "${method}"; a public client says "none"`]
      : [];
  }
  const problems: string[] = [];
  if (entry.client_secret !== undefined)
    problems.push(
      '.client_secret is not for a public client: leave it out, or say another token_endpoint_auth_method than "none"',
    );
  // RFC 6749 section 4.4.
  if (entry.grant_types?.includes('client_credentials'))
    problems.push('.grant_types must not have "client_credentials" for a public client');
  // RFC 7662 section 2.1.
  if (entry.resource_server !== undefined)
    problems.push('.resource_server is not for a public client: introspection needs a proof of who asks');
  // RFC 9700 section 2.1.1.
  if (entry.require_pkce === false) problems.push('.require_pkce must not be false for a public client');
  // RFC 9700 section 4.14.2.
  if (entry.refresh_mode === 'static' && entry.dpop_bound_access_tokens !== true)
    problems.push('.refresh_mode must not be "static" for a public client without dpop_bound_access_tokens');
  return problems;
};

/** A client that signs request objects registers the keys that verify them (RFC 9101 section 5.2). */
const findRequestObjectProblems = (entry: ClientEntry): string[] => {
  const signs =
    entry.require_signed_request_object === true || entry.request_object_signing_alg !== undefined;
  if (!signs || entry.jwks !== undefined || entry.jwks_uri !== undefined) return [];
  return ['.jwks is missing: with signed request objects it has the public keys, or jwks_uri names them'];
};

/** Fills in the preset's values for the fields that the entry leaves out. */
const withDefaults = (entry: ClientEntry, preset: Preset | undefined): ClientEntry => {
  if (!preset) return entry;
  const { redirects, defaults } = preset;
  if (!redirects) return { ...defaults, ...entry };
  const id = redirects.id ? entry[redirects.id.field] : '';
  const known = id !== undefined && (redirects.id?.form.test(id) ?? true);
  return { ...(known && { redirect_uris: redirects.of(id) }), ...defaults, ...entry };
};

/** Completes an entry by its preset, and finds the faults that the engine would not find. */
export const toRegistration = (entry: ClientEntry): Registration => {
  const completed = withDefaults(entry, entry.preset && presets[entry.preset]);
  const { brand, first_party, disabled, vendor_id: _vendor, project_id: _project, ...metadata } = completed;
  const problems = [
    ...findUnknownNames(entry),
    ...findStrayIds(entry),
    ...findPresetProblems(entry, completed),
    ...findUriProblems(completed),
    ...findAuthenticationProblems(completed),
    ...findRequestObjectProblems(completed),
  ];
  return {
    id: entry.client_id,
    brand,
    firstParty: first_party ?? false,
    disabled,
    metadata,
    problems: [...new Set(problems)],
  };
};
