import * as z from 'zod/mini';
import { DocumentFault } from './document-fault.ts';
import { type DocumentHosts, documentUrlOf } from './document-url.ts';

const text = (maxLength: number) => z.optional(z.string().check(z.maxLength(maxLength)));
const uri = z.optional(z.string().check(z.maxLength(2000), z.startsWith('https://')));
/** What pages would show: the app works without a link that is plain http or none. A hostile one is refused. */
const shownUri = z.pipe(
  z.transform((value) =>
    typeof value === 'string' && ['http:', undefined].includes(URL.parse(value)?.protocol)
      ? undefined
      : value,
  ),
  uri,
);
const names = z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20)));
const uris = z.array(z.string().check(z.maxLength(2000))).check(z.maxLength(20));

/**
 * What is read of a document: names of RFC 7591 section 2. All others are ignored, `scope` among them: the person
 * decides what an app may do, each time.
 */
const Document = z.object({
  client_id: z.string(),
  client_name: text(60),
  client_uri: shownUri,
  logo_uri: shownUri,
  policy_uri: shownUri,
  tos_uri: shownUri,
  redirect_uris: z._default(uris, []),
  post_logout_redirect_uris: z.optional(uris),
  grant_types: names,
  response_types: names,
  token_endpoint_auth_method: text(100),
  jwks: z.optional(z.object({ keys: z.array(z.record(z.string(), z.unknown())).check(z.maxLength(20)) })),
  jwks_uri: uri,
  dpop_bound_access_tokens: z.optional(z.boolean()),
  client_secret: z.optional(z.never()),
  client_secret_expires_at: z.optional(z.never()),
});
type Document = z.infer<typeof Document>;

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
/** Of others a document may have as well, these are what the client gets. */
const GRANT_TYPES: readonly string[] = ['authorization_code', 'refresh_token', DEVICE_CODE];

/** Libraries write fields that are not set as null, or empty. */
const withoutEmpty = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, given]) => given !== null && given !== ''))
    : value;

const parse = (text: string): Document => {
  let value: unknown;
  try {
    value = withoutEmpty(JSON.parse(text));
  } catch {
    throw new DocumentFault('is not JSON');
  }
  const found = Document.safeParse(value);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const place = issue?.path.join('.');
  throw new DocumentFault(place ? `has a ${place} that is not taken` : 'is not a JSON object');
};

/** An app that is answered on the device is a native one, whatever it says: many documents do not say it. */
const typeOf = ({ redirect_uris }: Document): 'web' | 'native' =>
  redirect_uris.every((redirectUri) => redirectUri.startsWith('https:')) ? 'web' : 'native';

const grantTypesOf = ({ grant_types: named = ['authorization_code'] }: Document): string[] => {
  const taken = named.filter((name) => GRANT_TYPES.includes(name));
  if (!taken.includes('authorization_code') && !taken.includes(DEVICE_CODE))
    throw new DocumentFault('has no grant_types by which a person could approve the app');
  return taken;
};

/** A document anybody can read holds no secret, so that such a client is public or signs. */
const methodOf = ({ token_endpoint_auth_method: method = 'none' }: Document): string => {
  if (method !== 'none' && method !== 'private_key_jwt')
    throw new DocumentFault('has a token_endpoint_auth_method other than none and private_key_jwt');
  return method;
};

const grantsAndAnswersOf = (document: Document) => {
  const grantTypes = grantTypesOf(document);
  const { response_types: responseTypes = ['code'], redirect_uris: uris } = document;
  if (!grantTypes.includes('authorization_code')) return { grant_types: grantTypes, response_types: [] };
  if (!responseTypes.includes('code')) throw new DocumentFault('has response_types without code');
  if (uris.length === 0) throw new DocumentFault('has no redirect_uris');
  return { grant_types: grantTypes, response_types: ['code'] };
};

const keysOf = ({ jwks, jwks_uri: jwksUri }: Document) => {
  if (jwks && jwksUri) throw new DocumentFault('has both jwks and jwks_uri');
  return { ...(jwks && { jwks }), ...(jwksUri !== undefined && { jwks_uri: jwksUri }) };
};

const optionalFields = [
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'post_logout_redirect_uris',
] as const;

const toFields = (document: Document) => {
  const { client_id: id, client_name: name, redirect_uris: uris, dpop_bound_access_tokens: dpop } = document;
  const method = methodOf(document);
  const keys = keysOf(document);
  return {
    client_id: id,
    client_name: name?.trim() || new URL(id).host,
    redirect_uris: uris,
    application_type: typeOf(document),
    ...grantsAndAnswersOf(document),
    token_endpoint_auth_method: method,
    ...(method === 'private_key_jwt' && keys),
    ...Object.fromEntries(
      optionalFields.flatMap((field) => (document[field] ? [[field, document[field]]] : [])),
    ),
    ...(dpop !== undefined && { dpop_bound_access_tokens: dpop }),
    require_pkce: true,
  };
};

/** What a document says, by the names of a registration. */
export type DocumentFields = ReturnType<typeof toFields>;

/** The fields that a document may leave out. */
export const documentFields = [...optionalFields, 'jwks', 'jwks_uri', 'dpop_bound_access_tokens'] as const;

/**
 * The registration that a document describes (draft-ietf-oauth-client-id-metadata-document section 4). Its redirect
 * URIs may be at other hosts: whoever writes the document answers for them, and the person is shown both. The registry
 * judges the values.
 * @throws DocumentFault
 */
export const readDocument = (id: string, content: string, hosts: DocumentHosts): DocumentFields => {
  const document = parse(content);
  if (document.client_id !== id || !documentUrlOf(id, hosts))
    throw new DocumentFault('has another client_id than its own address');
  return toFields(document);
};
