import * as z from 'zod/mini';
import { presetNames } from '../rules/client-presets.ts';
import { ClientSummary, LinkEndReason, ResourceScope } from './session.ts';

/** A field of metadata that a body may clear with null. */
const clearable = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema));

/** The server judges the values, and names the fault of each by a code. These bounds only bound the work. */
const text = z.string().check(z.maxLength(2048, 'value_invalid'));
const texts = z.array(text).check(z.maxLength(50, 'too_many_values'));

/** Metadata that a developer may set: the names of RFC 7591 section 2, and Candela's own. */
const metadata = {
  redirect_uris: clearable(texts),
  post_logout_redirect_uris: clearable(texts),
  client_uri: clearable(text),
  logo_uri: clearable(text),
  policy_uri: clearable(text),
  tos_uri: clearable(text),
  contacts: clearable(texts),
  initiate_login_uri: clearable(text),
  backchannel_logout_uri: clearable(text),
  backchannel_logout_session_required: clearable(z.boolean()),
  application_type: clearable(text),
  token_endpoint_auth_method: clearable(text),
  jwks: clearable(z.record(z.string(), z.unknown())),
  jwks_uri: clearable(text),
  grant_types: clearable(texts),
  response_types: clearable(texts),
  scope: clearable(text),
  optional_scopes: clearable(text),
  /** Why the app asks for a scope, in the words that people read on the consent page, by scope. */
  scope_reasons: clearable(z.record(z.string(), z.string())),
  id_token_signed_response_alg: clearable(text),
  id_token_claims: clearable(text),
  require_pkce: clearable(z.boolean()),
  dpop_bound_access_tokens: clearable(z.boolean()),
  require_pushed_authorization_requests: clearable(z.boolean()),
  access_token_ttl: clearable(z.number()),
  refresh_token_ttl: clearable(z.number()),
  refresh_family_ttl: clearable(z.number()),
  refresh_mode: clearable(text),
  /** Whether people are asked each time, whatever they approved before. */
  always_ask: clearable(z.boolean()),
  /** The id of the Alexa developer account, from which the redirect URIs follow. */
  vendor_id: clearable(text),
  /** The id of the Google Home project, from which the redirect URIs follow. */
  project_id: clearable(text),
  /** The id of the service at IFTTT, from which the redirect URI follows. */
  service_id: clearable(text),
};

/** `name` is short for `client_name`. */
const naming = { name: z.optional(text), client_name: z.optional(text) };

export const CreateClient = z.strictObject({
  preset: text,
  brand: z.optional(text),
  ...naming,
  ...metadata,
});
export type CreateClient = z.infer<typeof CreateClient>;

/** Fields that are left out stay; null clears a field, and the preset's default takes its place. */
export const UpdateClient = z.strictObject({ ...naming, ...metadata });
export type UpdateClient = z.infer<typeof UpdateClient>;

/** A secret of a client, without its value. */
export const ClientSecretFacts = z.object({
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** Coarse: to the hour. Absent: never used. */
  lastUsedAt: z.optional(z.iso.datetime()),
  /** Absent: it does not end. */
  expiresAt: z.optional(z.iso.datetime()),
});
export type ClientSecretFacts = z.infer<typeof ClientSecretFacts>;

/** Who made a client known first: a file or a command of an operator, the console, a machine, RFC 7591, a document. */
export const clientSources = ['file', 'operator', 'console', 'machine', 'dynamic', 'document'] as const;
export type ClientSource = (typeof clientSources)[number];

/** A registered client, as its developers see it. Metadata that is not set is absent. */
export const RegisteredClient = z.looseObject({
  client_id: z.string(),
  client_name: z.string(),
  preset: z.optional(z.enum(presetNames)),
  /** The only brand that has the client; absent: every brand. */
  brand: z.optional(z.string()),
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  application_type: z.string(),
  token_endpoint_auth_method: z.string(),
  scope: z.optional(z.string()),
  optional_scopes: z.optional(z.string()),
  scope_reasons: z.optional(z.record(z.string(), z.string())),
  client_uri: z.optional(z.string()),
  logo_uri: z.optional(z.string()),
  policy_uri: z.optional(z.string()),
  tos_uri: z.optional(z.string()),
  first_party: z.boolean(),
  verified: z.boolean(),
  disabled: z.boolean(),
  source: z.enum(clientSources),
  /** What the caller is to the client; a machine is the owner of what it made. */
  role: z.enum(['owner', 'member']),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  secrets: z.array(ClientSecretFacts),
  /** The client as people see it when they approve it. */
  summary: ClientSummary,
  /** The scopes of APIs that the client could register, in their APIs’ words; absent: there are none. */
  apiScopes: z.optional(z.array(ResourceScope)),
  /** Approvals with a refresh token: homes that depend on the client. 10,000 where there are more. */
  links: z.int(),
});
export type RegisteredClient = z.infer<typeof RegisteredClient>;

/** The answer to a registration. */
export const ClientCreated = z.object({
  client: RegisteredClient,
  /** The client secret, in this answer only. Absent for a client that has none. */
  secret: z.optional(z.string()),
});
export type ClientCreated = z.infer<typeof ClientCreated>;

/** What is wrong with a client at a glance. */
export const ClientAlert = z.object({
  lastTokenAt: z.optional(z.iso.datetime()),
  lastErrorAt: z.optional(z.iso.datetime()),
  /** By UTC. Without `access_denied` and `interaction_required`, which are usual in an app without faults. */
  errorsToday: z.int(),
  /** The first end of a secret that works; in the past, where no secret works any more. */
  secretEndsAt: z.optional(z.iso.datetime()),
});
export type ClientAlert = z.infer<typeof ClientAlert>;

export const ClientListItem = z.object({
  client_id: z.string(),
  client_name: z.string(),
  preset: z.optional(z.enum(presetNames)),
  brand: z.optional(z.string()),
  logo: z.optional(z.string()),
  disabled: z.boolean(),
  verified: z.boolean(),
  role: z.enum(['owner', 'member']),
  /** Since when it is shared with the caller, who is a member. */
  sharedAt: z.optional(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  alert: ClientAlert,
});
export type ClientListItem = z.infer<typeof ClientListItem>;

export const ClientList = z.object({ items: z.array(ClientListItem), next: z.optional(z.string()) });
export type ClientList = z.infer<typeof ClientList>;

export const DeleteClient = z.strictObject({ confirm: text });

export const AddClientSecret = z.strictObject({
  name: text,
  /** Absent: it does not end. */
  expiresAt: z.optional(text),
});
export const ClientSecretAdded = z.object({
  name: z.string(),
  /** The value, in this answer only. */
  secret: z.string(),
  expiresAt: z.optional(z.iso.datetime()),
});
export type ClientSecretAdded = z.infer<typeof ClientSecretAdded>;

/** What a developer can act on; `other` is the rest. */
export const clientErrorKinds = [
  'redirect_uri_mismatch',
  'wrong_secret',
  'expired_secret',
  'empty_secret',
  'wrong_auth_method',
  'missing_pkce',
  'wrong_verifier',
  'code_expired',
  'code_used',
  'clock',
  'scope_not_registered',
  'resource_unknown',
  'grant_type_not_registered',
  'response_type_not_registered',
  'refresh_token_unknown',
  'refresh_token_theft',
  'dpop',
  'request_object',
  'access_denied',
  'interaction_required',
  'other',
] as const;
export type ClientErrorKind = (typeof clientErrorKinds)[number];

/** One refused request of a client. Secrets, codes and tokens among its parameters are masked. */
export const ClientError = z.object({
  /** Also on the error page, in the X-Request-Id header and in the log. */
  reference: z.string(),
  at: z.iso.datetime(),
  /** The path of the endpoint. */
  endpoint: z.string(),
  kind: z.enum(clientErrorKinds),
  /** The error code of OAuth. */
  error: z.string(),
  /** The exact reason, in the server's English. */
  reason: z.string(),
  sent: z.record(z.string(), z.string()),
  /** What would have been right, by parameter. */
  expected: z.record(z.string(), z.array(z.string())),
});
export type ClientError = z.infer<typeof ClientError>;

/** The error of a reference, and whose it is. */
export const FoundClientError = z.extend(ClientError, { client_id: z.string() });
export type FoundClientError = z.infer<typeof FoundClientError>;

export const ClientErrorList = z.object({
  items: z.array(ClientError),
  next: z.optional(z.string()),
  /** How many were kept of each kind, the commonest first. */
  kinds: z.array(z.object({ kind: z.enum(clientErrorKinds), count: z.int(), lastAt: z.iso.datetime() })),
});
export type ClientErrorList = z.infer<typeof ClientErrorList>;

/** With `reference`, the one error of that reference; with `kind`, the errors of that kind. */
export const ClientErrorQuery = z.strictObject({
  after: z.optional(z.string().check(z.maxLength(200))),
  reference: z.optional(z.string().check(z.maxLength(200))),
  kind: z.optional(z.enum(clientErrorKinds)),
});

export const ClientDay = z.object({
  /** `2026-11-22`, by UTC. */
  day: z.string(),
  /** Token responses, without those to refreshes. */
  tokens: z.int(),
  refreshes: z.int(),
  /** Refused requests by kind. */
  errors: z.partialRecord(z.enum(clientErrorKinds), z.int()),
});
export type ClientDay = z.infer<typeof ClientDay>;

/** How the links of a client fare; each count stops at 10,000. */
export const LinkFigures = z.object({
  /** Made in the last 30 days, whether they live or ended since. */
  made: z.int(),
  /** Live, without a refresh for two weeks. */
  quiet: z.int(),
  /** Ended in the last 30 days, by reason; reasons without any are left out. */
  ended: z.partialRecord(LinkEndReason, z.int()),
});
export type LinkFigures = z.infer<typeof LinkFigures>;

export const ClientHealth = z.extend(ClientAlert, {
  /** The last 30 days, the oldest first, each of them present. */
  days: z.array(ClientDay),
  links: z.int(),
  linkFigures: LinkFigures,
});
export type ClientHealth = z.infer<typeof ClientHealth>;

export const clientActions = [
  'created',
  'updated',
  'secret_added',
  'secret_removed',
  'disabled',
  'enabled',
  'member_added',
  'member_removed',
  'deleted',
] as const;
export type ClientAction = (typeof clientActions)[number];

/** One change of a registration. */
export const ClientChange = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** `by.name` is the nickname of an account, or the name of a machine. */
  by: z.object({
    kind: z.enum(['operator', 'file', 'account', 'machine', 'registration', 'document']),
    name: z.optional(z.string()),
    /** Whether it was the caller. */
    you: z.boolean(),
  }),
  action: z.enum(clientActions),
  /** `note` stands in place of values that nobody may see, and names the secret or member. */
  changes: z.array(
    z.object({
      field: z.string(),
      from: z.optional(z.unknown()),
      to: z.optional(z.unknown()),
      note: z.optional(z.string()),
    }),
  ),
});
export type ClientChange = z.infer<typeof ClientChange>;

export const ClientHistory = z.object({ items: z.array(ClientChange), next: z.optional(z.string()) });
export type ClientHistory = z.infer<typeof ClientHistory>;

/** A developer of a client. */
export const ClientMember = z.object({
  id: z.string(),
  nickname: z.string(),
  /** Masked. */
  identifier: z.string(),
  role: z.enum(['owner', 'member']),
  addedAt: z.iso.datetime(),
  you: z.boolean(),
});
export type ClientMember = z.infer<typeof ClientMember>;

/** What somebody who was taken off a client may know of it. */
export const ClientMemberRemoved = z.object({
  /** The secrets that work on; `made`: that one made it, and was shown its value. */
  secrets: z.array(z.extend(ClientSecretFacts, { made: z.boolean() })),
});
export type ClientMemberRemoved = z.infer<typeof ClientMemberRemoved>;
export const ClientMembers = z.object({ items: z.array(ClientMember) });
