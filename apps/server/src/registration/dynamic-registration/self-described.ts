import { clientApi } from '@candela/contract';
import { LOOPBACK_HOSTS } from '@candela/contract/rules/client-uri';
import * as z from 'zod/mini';
import { entryNames } from '../../clients/client/client-entry.ts';
import { faultAt, type RegistrationFault } from '../../clients/client/fault.ts';
import { redirectTargetOf } from '../../clients/client/redirect-target.ts';
import type { SelfRegisteredPreset } from '../../clients/registration-token/registration-policy.ts';

const { name: _name, ...developers } = clientApi.updateClient.body.shape;

const text = z.optional(z.nullable(z.string().check(z.maxLength(200))));
const uri = z.optional(z.nullable(z.string().check(z.maxLength(2_048))));
const flag = z.optional(z.nullable(z.boolean()));

/** What a client says of itself (RFC 7591 section 2). Any other name is ignored, as that section asks. */
const SelfDescribed = z.object({
  ...developers,
  preset: text,
  token_endpoint_auth_signing_alg: text,
  request_object_signing_alg: text,
  require_signed_request_object: flag,
  subject_type: text,
  sector_identifier_uri: uri,
  default_max_age: z.optional(z.nullable(z.int())),
  require_auth_time: flag,
  default_acr_values: z.optional(z.nullable(z.array(z.string()).check(z.maxLength(20)))),
  software_id: text,
  software_version: text,
});

export type SelfDescribed = z.infer<typeof SelfDescribed>;

export const selfDescribedNames = Object.keys(SelfDescribed.shape);

/** What no client says of itself, but an operator of it. An id and a secret are the server's to give. */
const reservedNames = new Set(
  entryNames.filter((name) => !selfDescribedNames.includes(name) && !/^client_(id|secret)$/.test(name)),
);

/** What an app would rely on, and not get. Names of wishes that an app does without are ignored. */
const PLAIN = 'take plain JSON and signed id_tokens';
const notOffered: Readonly<Record<string, string>> = {
  userinfo_signed_response_alg: PLAIN,
  userinfo_encrypted_response_alg: PLAIN,
  id_token_encrypted_response_alg: PLAIN,
  // RFC 8705 section 3.4.
  tls_client_certificate_bound_access_tokens: 'bind tokens by dpop_bound_access_tokens',
};

const isGiven = (value: unknown) => value !== undefined && value !== null;

const toFault = ({ path, code }: z.core.$ZodIssue): RegistrationFault => {
  const place = path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`))
    .join('');
  return faultAt(
    place,
    'value_invalid',
    code === 'too_big' ? 'is too long' : 'has a value of the wrong type',
  );
};

const isOnDevice = (uri: string) => {
  const url = URL.parse(uri);
  return (
    url !== null &&
    (url.protocol === 'http:' ? LOOPBACK_HOSTS.includes(url.hostname) : url.protocol !== 'https:')
  );
};

/**
 * Many apps on people's devices do not say that they are native (OpenID Connect Registration section 2). A public one
 * may also have a page that leads to it.
 */
const isNative = (
  { application_type: type, redirect_uris: uris }: SelfDescribed,
  isPublic: boolean,
): boolean => {
  const onDevice = (uris ?? []).map(isOnDevice);
  return (
    type === 'native' ||
    (!isGiven(type) && onDevice.includes(true) && (isPublic || !onDevice.includes(false)))
  );
};

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** The preset of an app that names none. Where no app may have a secret, it does without. */
export const derivePreset = (
  metadata: SelfDescribed,
  allowed: readonly SelfRegisteredPreset[],
): SelfRegisteredPreset => {
  const { grant_types: grantTypes, token_endpoint_auth_method: method } = metadata;
  const asks = grantTypes ?? ['authorization_code'];
  if (!asks.includes('authorization_code')) {
    if (asks.includes(DEVICE_CODE)) return 'device';
    if (asks.includes('client_credentials')) return 'machine';
  }
  const isPublic = method === 'none' || (!allowed.includes('web') && allowed.includes('spa'));
  if (isNative(metadata, isPublic)) return 'native';
  return isPublic ? 'spa' : 'web';
};

/** The name of a client that gives none: everywhere off the device where it is answered, so that it passes for no single place. */
const nameOf = ({ client_name: name, redirect_uris: uris }: SelfDescribed): string | undefined => {
  if (name?.trim()) return name;
  if (!uris?.some((uri) => uri.startsWith('https:'))) return undefined;
  const away = uris.filter((uri) => !LOOPBACK_HOSTS.includes(URL.parse(uri)?.hostname ?? ''));
  const targets = new Set(away.map((uri) => redirectTargetOf(uri)?.replace(/:$/, '') ?? ''));
  return [...targets].filter(Boolean).join(', ');
};

export type Read = { metadata: SelfDescribed } | { faults: RegistrationFault[] };

/** Reads the body of a registration. */
export const readSelfDescribed = (body: Readonly<Record<string, unknown>>): Read => {
  const reserved = Object.keys(body).filter((name) => reservedNames.has(name) && isGiven(body[name]));
  const wanted = Object.entries(notOffered).filter(([name]) => isGiven(body[name]) && body[name] !== false);
  const { data, error } = z.safeParse(SelfDescribed, body);
  const faults = [
    ...wanted.map(([name, instead]) =>
      faultAt(name, 'value_invalid', `is not offered: leave it out, and ${instead}`),
    ),
    ...reserved.map((name) => faultAt(name, 'field_reserved', 'is set by an operator only: leave it out')),
    ...(error?.issues.map(toFault) ?? []),
  ];
  if (!data || faults.length > 0) return { faults };
  const name = nameOf(data);
  return { metadata: { ...data, ...(name !== undefined && { client_name: name }) } };
};

const cleared = z.parse(
  SelfDescribed,
  Object.fromEntries(selfDescribedNames.flatMap((name) => (name === 'client_name' ? [] : [[name, null]]))),
);

/** A patch that leaves nothing of what the client said before. */
export const replacementOf = <M extends SelfDescribed>(metadata: M): SelfDescribed & M => ({
  ...cleared,
  ...metadata,
});
