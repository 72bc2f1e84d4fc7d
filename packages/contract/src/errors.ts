/** The codes of the API of clients, whose texts only the developers’ pages load. */
export const clientErrorStatus = {
  /** Where several fields have faults, `fields` has the code of each. */
  client_invalid: 400,
  preset_unknown: 400,
  /** The preset allows another value only. */
  preset_forbids: 400,
  client_name_blank: 400,
  client_name_too_long: 400,
  /** It mixes scripts or has invisible characters, so that it can pass for another name. */
  client_name_confusing: 400,
  uri_invalid: 400,
  uri_not_https: 400,
  /** `javascript:`, `data:` and other schemes that lead to no app. */
  uri_scheme_refused: 400,
  uri_has_fragment: 400,
  uri_has_wildcard: 400,
  uri_has_credentials: 400,
  /** The platform of the preset does not have it. */
  uri_not_of_platform: 400,
  /** The host is not allowed here: another’s, or not public. */
  uri_host_refused: 400,
  uri_too_long: 400,
  uris_missing: 400,
  too_many_values: 400,
  scope_unknown: 400,
  scope_reason_invalid: 400,
  auth_method_invalid: 400,
  keys_missing: 400,
  keys_invalid: 400,
  lifetime_invalid: 400,
  brand_unknown: 400,
  value_invalid: 400,
  /** Only an operator sets the field. */
  field_reserved: 400,
  secret_name_invalid: 400,
  expiry_invalid: 400,
  confirmation_differs: 400,
  /** Neither the client nor the app that approves it is registered with it. */
  redirect_uri_unknown: 400,
  /** The account is no developer: an operator allows it. */
  not_a_developer: 403,
  /** Who disabled the client enables it. */
  disabled_by_operator: 403,
  /** The brand's own client: an operator changes what people and tokens depend on. */
  operator_required: 403,
  /** Only an owner of the client may do it. */
  owner_required: 403,
  /** The token of a machine is good, but not for this. */
  scope_insufficient: 403,
  /** The token is of no app of the brand's own, or lacks the scope. */
  own_app_required: 403,
  /** The client is unknown here, or is approved in a browser alone. */
  approval_not_taken: 403,
  developer_unknown: 404,
  secret_name_taken: 409,
  secrets_exhausted: 409,
  /** A client that authenticates by a secret keeps at least one that works. */
  last_secret: 409,
  last_owner: 409,
  /** A client has one stream of signals at a brand. */
  stream_exists: 409,
  /** Only a webhook has a secret. */
  stream_not_webhook: 409,
  clients_exhausted: 409,
  /** The client is of no platform that homes are linked to. */
  not_of_platform: 409,
  /** A check of the link of this client runs already. */
  link_check_running: 409,
} as const satisfies Record<string, number>;

export type ClientErrorCode = keyof typeof clientErrorStatus;

/** The codes of the desk alone, whose texts only its pages load. */
export const deskErrorStatus = {
  reason_blank: 400,
  reason_too_long: 400,
  /** The session of the desk is over: `openDesk` opens another. */
  desk_closed: 403,
  role_insufficient: 403,
  /** Staff do nothing at their own account. */
  own_account: 403,
  /** Who approves is another operator than who asked. */
  own_approval: 403,
  /** The act takes a caller who has proven who they are. */
  caller_unproven: 403,
  /** What the caller told is no contact of the account. */
  contact_differs: 403,
  /** The contact is not bound long enough to prove anything. */
  contact_too_young: 409,
  /** Nobody is signed in who could read the digits. */
  not_there: 409,
  /** Too many answers by digits were wrong today, whoever asked: a code is left. */
  digits_exhausted: 429,
  /** A second operator is asked already. */
  approval_asked: 409,
  /** It is so already, or was never so. */
  nothing_to_do: 409,
  /** Somebody put other words in force meanwhile. */
  words_changed: 409,
  /** `fields` names the faults by language and key: `ru.login.forgot`. */
  words_invalid: 400,
  word_unknown: 400,
  word_blank: 400,
  word_too_long: 400,
  /** The text has a placeholder that is not filled in. */
  word_placeholder_unknown: 400,
  /** The text lacks a placeholder of the one that it replaces. */
  word_placeholder_missing: 400,
  /** `$t(` would bring another text. */
  word_forbidden: 400,
} as const satisfies Record<string, number>;

export type DeskErrorCode = keyof typeof deskErrorStatus;
/** The codes of identity providers, whose texts load where the brand has some. */
export const providerErrorStatus = {
  /** Nobody signed in at the identity provider: the person, or the provider, declined. */
  provider_refused: 403,
  /** The provider was asked for a new sign-in, and answered by an old one. */
  provider_stale: 403,
  /** Another account has this way in. */
  provider_taken: 409,
  /** The account has a way in through this provider. */
  provider_exists: 409,
  /** The answer of the identity provider was used, or came too late. */
  provider_expired: 410,
  /** What the identity provider answered proves nothing. */
  provider_failed: 502,
  /** The identity provider does not answer as it should. */
  provider_unavailable: 503,
} as const satisfies Record<string, number>;

export type ProviderErrorCode = keyof typeof providerErrorStatus;

/** Each error code of the REST API and its HTTP status. The pages have a text for each code in every language. */
export const errorStatus = {
  ...clientErrorStatus,
  ...deskErrorStatus,
  ...providerErrorStatus,
  invalid_request: 400,
  identifier_blank: 400,
  identifier_invalid: 400,
  phone_blank: 400,
  phone_invalid: 400,
  email_blank: 400,
  email_invalid: 400,
  code_blank: 400,
  password_blank: 400,
  password_too_short: 400,
  password_too_long: 400,
  password_has_symbols: 400,
  password_too_common: 400,
  passwords_differ: 400,
  nickname_invalid: 400,
  passkey_name_invalid: 400,
  /** The name of a link. */
  label_invalid: 400,
  /** The app does not work without the scope: only the whole approval can be withdrawn. */
  scope_required: 400,
  /** An approval never gets more: the app asks for it. */
  scope_not_approved: 400,
  agreements_required: 400,
  not_signed_in: 401,
  invalid_credentials: 401,
  code_incorrect: 401,
  code_expired: 401,
  code_exhausted: 401,
  ticket_invalid: 401,
  /**
   * The passkey opens nothing here, whatever the reason. Where nobody has it any more, `fields` maps `response.id` to
   * `not_found`: only then may a page tell the browser that it is unknown.
   */
  passkey_rejected: 401,
  /** The question that the passkey answers is over: asked again, the same passkey may do. */
  challenge_expired: 401,
  totp_incorrect: 401,
  recovery_code_incorrect: 401,
  cross_site: 403,
  step_up_required: 403,
  second_factor_required: 403,
  /** The app insists on more than the account has: a second factor or a passkey. */
  factor_missing: 403,
  /** The app insists on a passkey that is bound to its device: one that is synced is not enough. */
  bound_passkey_missing: 403,
  /** The app insists on a code: a password is not enough. */
  code_required: 403,
  account_disabled: 403,
  not_found: 404,
  account_not_found: 404,
  method_not_allowed: 405,
  identifier_taken: 409,
  last_identifier: 409,
  passkey_exists: 409,
  passkeys_exhausted: 409,
  /** Without it nobody could sign in to the account. */
  last_way_in: 409,
  totp_exists: 409,
  totp_not_started: 409,
  /** The account is to be deleted already. */
  deletion_pending: 409,
  /** The link lasts as long as it is used: there is nothing to renew. */
  link_has_no_end: 409,
  interaction_expired: 410,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  image_unreadable: 422,
  rate_limited: 429,
  internal_error: 500,
  busy: 503,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof errorStatus;

/** The codes whose texts every page may show. */
export type SharedErrorCode = Exclude<ErrorCode, ClientErrorCode | DeskErrorCode | ProviderErrorCode>;

/** The error codes that every endpoint can answer besides its own. */
export type CommonErrorCode =
  | 'invalid_request'
  | 'cross_site'
  | 'not_found'
  | 'method_not_allowed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'misdirected_request'
  | 'rate_limited'
  | 'internal_error'
  | 'busy'
  | 'unavailable';

/** The body of every response of 400 and above of the REST API. It has codes and no texts. */
export interface ErrorBody {
  error: {
    code: ErrorCode;
    /** The error code of each wrong field of the request. The name of a nested field is `a.b`. */
    fields?: Record<string, ErrorCode>;
    /** Present where a refused request had a right code: the ticket replaces the code, as a ticket of `verify` does. */
    ticket?: string;
    /** Seconds to wait; the same as the Retry-After header. */
    retryAfterSeconds?: number;
    /** Also in the log and the X-Request-Id header. */
    requestId: string;
  };
}

export const isErrorCode = (value: unknown): value is ErrorCode =>
  typeof value === 'string' && Object.hasOwn(errorStatus, value);

export const isClientErrorCode = (code: string): code is ClientErrorCode =>
  Object.hasOwn(clientErrorStatus, code);
