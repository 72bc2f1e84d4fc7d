import { entryNames } from './client-entry.ts';
import { faultAt, type RegistrationFault } from './fault.ts';

/** Client metadata that the engine checks, and `ClientEntry` does not: of RFC 7591 and later specifications. */
export const registeredNames: readonly string[] = [
  // RFC 7591 section 2
  'client_name',
  'client_uri',
  'contacts',
  'jwks',
  'jwks_uri',
  'policy_uri',
  'scope',
  'software_id',
  'software_version',
  'tos_uri',
  // OpenID Connect Dynamic Client Registration section 2
  'default_acr_values',
  'default_max_age',
  'id_token_signed_response_alg',
  'initiate_login_uri',
  'request_object_signing_alg',
  'request_uris',
  'require_auth_time',
  'sector_identifier_uri',
  'subject_type',
  'token_endpoint_auth_signing_alg',
  'userinfo_signed_response_alg',
  // OpenID Connect Back-Channel Logout section 2.2, RFC 9101 section 10.5, RFC 9126 section 6, RFC 9449 section 5.2
  'backchannel_logout_session_required',
  'backchannel_logout_uri',
  'dpop_bound_access_tokens',
  'require_pushed_authorization_requests',
  'require_signed_request_object',
];

const known = new Set([...registeredNames, ...entryNames]);

/** Finds misspelt names, which nothing would read. A name may end in a language, as in `client_name#ru` (RFC 7591 section 2.2). */
export const findUnknownNames = (entry: Record<string, unknown>): RegistrationFault[] =>
  Object.keys(entry)
    .filter((name) => !known.has(name.replace(/#.*$/, '')))
    .map((name) => faultAt(name, 'value_invalid', 'is unknown'));
