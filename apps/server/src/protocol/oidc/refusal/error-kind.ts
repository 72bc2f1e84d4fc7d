import type { ClientErrorKind } from '@candela/contract';

/** What tells the kind of a refusal: the error of OAuth, and the words of the engine or of this server. */
export interface Refusal {
  error: string;
  /** The most exact first. */
  texts: readonly string[];
  grantType: string | undefined;
  /** The refused request ended the family of a refresh token. */
  isTheft: boolean;
  /** The secret that was sent is the client's, but has ended. */
  isEndedSecret: boolean;
}

/**
 * By the words of a refusal.
 * @internal exported for tests
 */
export const kindsByText: Readonly<Record<string, ClientErrorKind>> = {
  "redirect_uri did not match any of the client's registered redirect_uris": 'redirect_uri_mismatch',
  'authorization code redirect_uri mismatch': 'redirect_uri_mismatch',
  'post_logout_redirect_uri not registered': 'redirect_uri_mismatch',
  'invalid secret provided': 'wrong_secret',
  // A network that guessed too often looks as any other wrong secret does.
  'too many wrong secrets from this network': 'wrong_secret',
  'the provided authentication mechanism does not match the registered client authentication method':
    'wrong_auth_method',
  'client authentication must only be provided using one mechanism': 'wrong_auth_method',
  'invalid authorization header value format': 'wrong_auth_method',
  'client_id and client_secret in the authorization header are not properly encoded': 'wrong_auth_method',
  'client_secret must be provided in the Authorization header': 'empty_secret',
  'invalid client_assertion format': 'wrong_auth_method',
  'client_assertion_type must be provided': 'wrong_auth_method',
  'Authorization Server policy requires PKCE to be used for this request': 'missing_pkce',
  // The authorization request had none.
  'unsupported code_challenge_method': 'missing_pkce',
  'not supported value of code_challenge_method': 'missing_pkce',
  'authorization code is expired': 'code_expired',
  'device code is expired': 'code_expired',
  'authorization code already consumed': 'code_used',
  'device code already consumed': 'code_used',
  'jwt expired': 'clock',
  'jwt not active yet': 'clock',
  'jwt issued in the future': 'clock',
  'requested grant type is not allowed for this client': 'grant_type_not_registered',
  'the client may not use this grant type': 'grant_type_not_registered',
  'requested response_type is not allowed for this client': 'response_type_not_registered',
  'refresh token already used': 'refresh_token_theft',
  'missing DPoP proof JWT': 'dpop',
  'DPoP proof key thumbprint does not match dpop_jkt': 'dpop',
  'DPoP proof JWT Replay detected': 'dpop',
  'failed jkt verification': 'dpop',
  'Pushed Authorization Request must be used': 'request_object',
  'Request Object must be used by this client': 'request_object',
};

/** By a part of the words, where they name a value. */
const kindsByPattern: readonly (readonly [RegExp, ClientErrorKind])[] = [
  [/was issued in the future|is good for more than an hour/, 'clock'],
  [/^DPoP proof iat /, 'clock'],
  [/^[\w:-]+ is not allowed for this client$/, 'grant_type_not_registered'],
  [/^code_verifier /, 'wrong_verifier'],
  [/code_challenge/, 'missing_pkce'],
];

/** By the error, where its words say no more. */
const kindsByError: Readonly<Record<string, ClientErrorKind>> = {
  invalid_redirect_uri: 'redirect_uri_mismatch',
  expired_token: 'code_expired',
  invalid_scope: 'scope_not_registered',
  insufficient_scope: 'scope_not_registered',
  invalid_target: 'resource_unknown',
  unsupported_grant_type: 'grant_type_not_registered',
  unauthorized_client: 'grant_type_not_registered',
  unsupported_response_type: 'response_type_not_registered',
  invalid_dpop_proof: 'dpop',
  invalid_request_object: 'request_object',
  invalid_request_uri: 'request_object',
  request_not_supported: 'request_object',
  request_uri_not_supported: 'request_object',
  access_denied: 'access_denied',
  login_required: 'interaction_required',
  consent_required: 'interaction_required',
  interaction_required: 'interaction_required',
  account_selection_required: 'interaction_required',
};

/** What a developer can act on in a refusal. */
export const kindOf = ({ error, texts, grantType, isTheft, isEndedSecret }: Refusal): ClientErrorKind => {
  if (isTheft) return 'refresh_token_theft';
  const kind =
    texts.map((text) => kindsByText[text]).find((found) => found !== undefined) ??
    kindsByPattern.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1] ??
    kindsByError[error] ??
    (error === 'invalid_grant' && grantType === 'refresh_token' ? 'refresh_token_unknown' : 'other');
  return kind === 'wrong_secret' && isEndedSecret ? 'expired_secret' : kind;
};
