import type { ClientErrorKind } from '@candela/contract';
import { accountScopes } from '../../../branding/scope/account-scopes.ts';
import { endpoints } from '../endpoints.ts';
import { nearestFirst } from './nearest-uri.ts';

type Metadata = Readonly<Record<string, unknown>>;
type Expected = Record<string, string[]>;

export interface ExpectedOptions {
  /** The endpoint. */
  path: string;
  sent: Readonly<Record<string, string>>;
  metadata: Metadata;
  now: Date;
}

/** As many registered values as a person compares. */
const MOST = 10;

const listIn = (metadata: Metadata, name: string): string[] => {
  const value = metadata[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};

/** The parameter that a refused URI came in, and the URIs that are registered for it. */
export const urisFor = (path: string, metadata: Metadata): { name: string; registered: string[] } =>
  path === endpoints.end_session
    ? { name: 'post_logout_redirect_uri', registered: listIn(metadata, 'post_logout_redirect_uris') }
    : { name: 'redirect_uri', registered: listIn(metadata, 'redirect_uris') };

const expectUris = ({ path, sent, metadata }: ExpectedOptions): Expected => {
  const { name, registered } = urisFor(path, metadata);
  return { [name]: nearestFirst(sent[name] ?? '', registered).slice(0, MOST) };
};

const expectScope = ({ metadata }: ExpectedOptions): Expected => {
  const { scope } = metadata;
  return { scope: [typeof scope === 'string' ? scope : accountScopes.join(' ')] };
};

/** The registered values of a list, or the value that RFC 7591 section 2 gives a client without them. */
const expectList =
  (parameter: string, name: string, fallback: string) =>
  ({ metadata }: ExpectedOptions): Expected => {
    const registered = listIn(metadata, name);
    return { [parameter]: registered.length > 0 ? registered : [fallback] };
  };

const SOON_MS = 5 * 60_000;

/** The server's clock, in place of each time that was sent. */
const expectTimes = ({ sent, now }: ExpectedOptions): Expected =>
  Object.fromEntries(
    Object.keys(sent).flatMap((name) => {
      if (/\.(?:iat|nbf)$/.test(name)) return [[name, [now.toISOString()]]];
      return name.endsWith('.exp') ? [[name, [new Date(now.getTime() + SOON_MS).toISOString()]]] : [];
    }),
  );

const expectations: Partial<Record<ClientErrorKind, (options: ExpectedOptions) => Expected>> = {
  redirect_uri_mismatch: expectUris,
  wrong_auth_method: ({ metadata: { token_endpoint_auth_method: method } }) => ({
    token_endpoint_auth_method: [typeof method === 'string' ? method : 'client_secret_basic'],
  }),
  missing_pkce: () => ({
    code_challenge: ['base64url(sha256(code_verifier))'],
    code_challenge_method: ['S256'],
  }),
  clock: expectTimes,
  scope_not_registered: expectScope,
  grant_type_not_registered: expectList('grant_type', 'grant_types', 'authorization_code'),
  response_type_not_registered: expectList('response_type', 'response_types', 'code'),
};

/** What would have been right, by parameter, as far as the registration says it. */
export const expectedFor = (kind: ClientErrorKind, options: ExpectedOptions): Expected =>
  expectations[kind]?.(options) ?? {};
