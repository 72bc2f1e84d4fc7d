import { type ClientErrorCode, clientApi } from '@candela/contract';
import { faultOfShownUri } from '@candela/contract/rules/client-uri';
import * as z from 'zod/mini';
import { readWords } from '../../branding/scope/space-separated.ts';
import { ClientEntry } from '../../clients/client/client-entry.ts';
import { faultAt, type RegistrationFault } from '../../clients/client/fault.ts';
import { platformIdFields } from '../../clients/client/preset.ts';
import {
  hasSecret,
  type Registration,
  type RegistrationAllowances,
  toRegistration,
  withDefaults,
} from '../../clients/client/registration.ts';
import { refuse } from './refusal.ts';

type Fields = Readonly<Record<string, unknown>>;

const Given = z.looseObject({
  ...clientApi.createClient.body.shape,
  preset: z.optional(z.string()),
  // An operator may clear it.
  brand: z.optional(z.nullable(z.string())),
});

const codes: Readonly<Record<string, ClientErrorCode>> = {
  logo_uri: 'uri_not_https',
  preset: 'preset_unknown',
  access_token_ttl: 'lifetime_invalid',
  refresh_token_ttl: 'lifetime_invalid',
  refresh_family_ttl: 'lifetime_invalid',
};

const isUri = (field: string) => /_uris?$/.test(field);

const toFault = ({ path, message, code }: z.core.$ZodIssue): RegistrationFault => {
  const [field = '', ...rest] = path.map(String);
  const place = rest.reduce((text, part) => text + (/^\d+$/.test(part) ? `[${part}]` : `.${part}`), field);
  if (code === 'too_big' && rest.length === 0 && field.endsWith('uris'))
    return faultAt(place, 'too_many_values', 'has too many values');
  if (code === 'too_big' && isUri(field)) return faultAt(place, 'uri_too_long', 'is too long');
  return faultAt(place, codes[field] ?? 'value_invalid', message);
};

/** The form of an entry refuses a logo in words alone. */
const faultOfLogo = ({ logo_uri: uri }: Fields, { path: [field] }: z.core.$ZodIssue) => {
  const fault = field === 'logo_uri' && typeof uri === 'string' ? faultOfShownUri(uri) : undefined;
  return fault && faultAt('logo_uri', ...fault);
};

/** A set of keys has four levels; what has thousands cannot be written. */
const MOST_LEVELS = 10;

const isTooDeep = (value: unknown): boolean => {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) return true;
    level = level.flatMap((inner) =>
      typeof inner === 'object' && inner !== null ? Object.values(inner) : [],
    );
  }
  return false;
};

/** The fields of a draft or patch, by the names of metadata. `name` is short for `client_name`. */
export const toFields = ({ name, owner: _owner, ...given }: Fields): Record<string, unknown> => {
  const deep = Object.keys(given).filter((field) => isTooDeep(given[field]));
  if (deep.length > 0) refuse(deep.map((field) => faultAt(field, 'value_invalid', 'is nested too deeply')));
  const { success, error } = z.safeParse(Given, { name, ...given });
  if (!success) refuse(error.issues.map(toFault));
  const naming = given.client_name ?? name;
  return {
    ...given,
    ...(naming !== undefined && {
      client_name: typeof naming === 'string' ? naming.normalize('NFC').trim() : naming,
    }),
  };
};

/** The fields of a stored client after a patch: null clears a field, and the preset's default takes its place. */
export const patchFields = (stored: Fields, patch: Fields): Record<string, unknown> => {
  const next: Record<string, unknown> = { ...stored, ...patch };
  // The redirect URIs follow from the id at the platform.
  const isIdGiven = platformIdFields.some((field) => (patch[field] ?? null) !== null);
  if (isIdGiven && patch.redirect_uris === undefined) delete next.redirect_uris;
  const reasons = next.scope_reasons;
  if (patch.scope !== undefined && patch.scope_reasons === undefined && reasons instanceof Object) {
    const scopes = readWords(next.scope);
    next.scope_reasons = Object.fromEntries(
      Object.entries(reasons).filter(([scope]) => scopes.includes(scope)),
    );
  }
  return next;
};

/**
 * Completes the fields of a client by its preset, and finds what no file could have either.
 * @param secret stands for the secrets of a client that authenticates by one.
 */
export const completeFields = (
  fields: Fields,
  secret: string,
  allowances: RegistrationAllowances,
): Registration => {
  const given = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
  const { data, error } = z.safeParse(ClientEntry, given);
  if (!data) return refuse(error.issues.map((issue) => faultOfLogo(given, issue) ?? toFault(issue)));
  const registration = toRegistration(
    hasSecret(withDefaults(data)) ? { ...data, client_secret: secret } : data,
    allowances,
  );
  const { client_secret: _secret, ...metadata } = registration.metadata;
  // JSON drops undefined fields, as the database will.
  return { ...registration, metadata: JSON.parse(JSON.stringify(metadata)) };
};
