import type { Context } from 'koa';
import { JWT_BEARER } from '../../clients/client/google-linking-rules.ts';
import { html } from '../../http/html.ts';
import { policyOf } from './client/client-policy.ts';
import { endpoints } from './endpoints.ts';
import type { EngineError } from './engine-error.ts';
import { DESCRIPTION_FIELD, ERROR_FIELD } from './seam/engine-forms.ts';

type Protocol = NonNullable<Context['oidc']>;
type Text = string | ((oidc: Protocol, ctx: Context) => string | undefined);

/** A text without the characters that an `error_description` may not have (RFC 6749 section 5.2). */
export const toDescription = (text: string): string => text.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '');

const NOT_OF_THE_REQUEST = 'is not the one of the authorization request';

/**
 * Why a grant was refused, by the engine's detail. `client`: only a client that authenticated learns it. `anyone`: a
 * public client learns it too, since the engine finds it after it verified the code's verifier.
 */
export const refusedGrants: Readonly<Record<string, { to: 'client' | 'anyone'; text: string }>> = {
  'authorization code is expired': { to: 'client', text: 'the code has expired: it is good for 60 seconds' },
  'authorization code already consumed': {
    to: 'anyone',
    text: 'the code was used before: it is good for one request',
  },
  'authorization code redirect_uri mismatch': {
    to: 'anyone',
    text: `redirect_uri ${NOT_OF_THE_REQUEST}: send exactly the same`,
  },
  'code_verifier must be provided': {
    to: 'client',
    text: 'code_verifier is missing: the authorization request had a code_challenge',
  },
  'code_verifier does not match code_challenge': {
    to: 'client',
    text: 'code_verifier is not the one that code_challenge was made of',
  },
  'unsupported code_challenge_method': {
    to: 'client',
    text: 'the authorization request had no code_challenge: send it there, or no code_verifier here',
  },
  'missing DPoP proof JWT': {
    to: 'anyone',
    text: 'the DPoP proof is missing: the authorization request named its key',
  },
  'DPoP proof key thumbprint does not match dpop_jkt': {
    to: 'anyone',
    text: `the key of the DPoP proof ${NOT_OF_THE_REQUEST}`,
  },
  'failed jkt verification': { to: 'client', text: 'the refresh token is bound to another DPoP key' },
};

/**
 * What everybody else learns, by grant type.
 */
export const unexplainedGrants: Readonly<Record<string, string>> = {
  authorization_code:
    'the code is unknown, expired, used or for another client, or code_verifier is not the one that code_challenge was made of',
  refresh_token:
    'the refresh token is unknown, expired, ended or for another client or DPoP key: ask the person to sign in again',
  'urn:ietf:params:oauth:grant-type:device_code':
    'the device_code is unknown, used, withdrawn or for another client: ask for a new one',
  [JWT_BEARER]: 'the assertion is not of Google for this client, is too old, or was used before',
};

const isPublic = ({ client }: Protocol): boolean => client?.clientAuthMethod === 'none';

const describeGrant = (oidc: Protocol, { error_detail: detail }: EngineError): string | undefined => {
  const { grant_type: grantType, code_verifier: verifier } = oidc.params ?? {};
  if (policyOf(oidc.client).bareInvalidGrant) return undefined;
  // By what was sent alone, whatever became of the code.
  if (isPublic(oidc) && grantType === 'authorization_code' && !verifier)
    return 'code_verifier is missing: a public client sends it with each code (PKCE, RFC 7636)';
  const known = refusedGrants[String(detail)];
  if (known && (known.to === 'anyone' || !isPublic(oidc))) return known.text;
  return unexplainedGrants[String(grantType)];
};

/** The engine's own words begin so, and name one scope or several. */
const BEYOND_APPROVAL = /^refresh token missing requested scope/;

const listOf = (values: Iterable<string> | undefined): string => [...(values ?? [])].join(' ');

const describeGrantTypes = ({ client }: Protocol) =>
  `grant_types of this client: ${listOf(client?.grantTypes)}`;

const describeResponseTypes = ({ client }: Protocol) =>
  client?.responseTypes?.length
    ? `response_types of this client: ${listOf(client.responseTypes)}`
    : 'this client has no response_types: nobody signs in to it by a browser';

/** A failed authentication has one description, whether there is such a client and however it is registered. */
const describeAuthentication = ({ params }: Protocol, ctx: Context): string => {
  const { client_secret: secret, client_assertion: assertion } = params ?? {};
  return secret || assertion || ctx.get('authorization')
    ? 'client authentication failed: the client is unknown, its secret or key is another, or its token_endpoint_auth_method is'
    : 'client authentication failed: neither a secret nor an assertion was sent, and no public client is known by this client_id';
};

/** Only the client itself, once it authenticated, learns which scopes it is registered for. */
const describeScope = ({ client }: Protocol, { path }: Context): string =>
  client?.scope && client.clientAuthMethod !== 'none' && path !== endpoints.authorization
    ? `scope of this client: ${client.scope}`
    : 'scope names what this client is not registered for';

/**
 * In place of the engine's description, or of none where an error has none.
 * @internal exported for tests
 */
export const descriptions: Readonly<Record<string, Text>> = {
  'client authentication failed': describeAuthentication,
  'client is invalid': 'no client of this client_id is registered here',
  "redirect_uri did not match any of the client's registered redirect_uris":
    'redirect_uri is none of those registered for this client: they are compared exactly',
  'unsupported grant_type requested': describeGrantTypes,
  'the client may not use this grant type': describeGrantTypes,
  'unsupported response_type requested': describeResponseTypes,
  'requested response_type is not allowed for this client': describeResponseTypes,
  'unsupported response_mode requested': 'response_mode must be query, fragment or form_post',
  'code_challenge_method must be provided': 'code_challenge_method=S256 is missing',
  'not supported value of code_challenge_method': 'code_challenge_method must be S256',
  'unsupported prompt value requested': 'prompt must be none, login, consent, select_account or create',
  'requested scope is not allowed': describeScope,
  'resource indicator is missing, or unknown':
    'resource is none of those that the authorization request named',
  access_denied: 'the end-user approved nothing of what was asked',
  request_uri_not_supported: `request_uri is taken only as ${endpoints.pushed_authorization_request} answered it`,
  registration_not_supported: 'registration is not taken: a client is registered beforehand',
};

/**
 * Describes an error so that a developer can act on it. A caller that has proven nothing learns nothing about codes,
 * tokens and accounts. Undefined where the engine's own description stands.
 */
export const describeError = (ctx: Context, refusal: EngineError): string | undefined => {
  const { oidc } = ctx;
  if (!oidc) return undefined;
  const { error, error_description: description } = refusal;
  if (error === 'invalid_grant' && ctx.path === endpoints.token) return describeGrant(oidc, refusal);
  if (BEYOND_APPROVAL.test(String(description)))
    return 'scope names what the authorization request never asked for: send that scope again, or none';
  const text = descriptions[String(description ?? error)];
  const described = typeof text === 'function' ? text(oidc, ctx) : text;
  return described && toDescription(described);
};

const isError = (body: unknown): body is { error: string; error_description?: string } =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';

/** Of an answer that leads back to the app, by query or by fragment. */
const describeRedirect = (ctx: Context, error: unknown, description: string): void => {
  const url = URL.parse(ctx.response.get('Location') ?? '');
  if (!url) return;
  const fragment = new URLSearchParams(url.hash.slice(1));
  if (url.searchParams.get('error') === error) url.searchParams.set('error_description', description);
  else if (fragment.get('error') !== error) return;
  else {
    fragment.set('error_description', description);
    url.hash = fragment.toString();
  }
  ctx.set('Location', url.href);
};

/** Of a form that a browser posts to the app (OAuth 2.0 Form Post Response Mode). */
const describeForm = (form: string, description: string): string =>
  form
    .replace(DESCRIPTION_FIELD, '')
    .replace(
      ERROR_FIELD,
      (field) =>
        `${field}\n    ${html`<input type="hidden" name="error_description" value="${description}"/>`.markup}`,
    );

/**
 * Puts the description into an answer that is an error, wherever it stands there.
 * @param refusal the engine's error, where it reported one.
 */
export const describeAnswer = (ctx: Context, refusal: EngineError | undefined): void => {
  const { body } = ctx;
  if (isError(body)) {
    const text = describeError(ctx, { ...body, error_detail: refusal?.error_detail });
    if (text) ctx.body = { ...body, error_description: text };
    return;
  }
  const text = refusal && describeError(ctx, refusal);
  if (!text) return;
  if (typeof body === 'string' && ERROR_FIELD.test(body)) ctx.body = describeForm(body, text);
  else describeRedirect(ctx, refusal.error, text);
};
