import * as z from 'zod/mini';
import { linkTargets } from '../rules/link-targets.ts';
import { Locale } from './locale.ts';

const Software = z.object({ name: z.string(), version: z.string() });

/** The browser, the place and the time of a use. A name or version that the browser does not send is empty. */
const Device = z.object({
  createdAt: z.iso.datetime(),
  /** Coarse: to the minute. */
  lastAccessedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  browser: Software,
  platform: z.string(),
  os: Software,
  /** BCP 47, as the browser asked. */
  locale: z.string(),
  userAgent: z.string(),
});

/** One browser's sign-in. */
export const Session = z.extend(Device, {
  id: z.string(),
  current: z.boolean(),
  /** IANA name, as the browser told it at the latest sign-in; absent where it did not. */
  timeZone: z.optional(z.string()),
});
export type Session = z.infer<typeof Session>;

/** A third-party app, as end users see it. Only `host`, from its registered URIs, can be trusted. */
export const ClientSummary = z.object({
  id: z.string(),
  name: z.string(),
  uri: z.optional(z.string()),
  logo: z.optional(z.string()),
  policyUri: z.optional(z.string()),
  tosUri: z.optional(z.string()),
  host: z.string(),
  /** The app describes itself, at this host (OAuth client id metadata document). Absent: somebody registered it. */
  documentHost: z.optional(z.string()),
  verified: z.boolean(),
  /** Who the account is linked to; absent: the app links no home. */
  linksTo: z.optional(z.enum(linkTargets)),
});
export type ClientSummary = z.infer<typeof ClientSummary>;

/** What a scope of an API lets an app do, by language; absent: the API gives no words. */
export const ScopeWords = z.optional(z.partialRecord(Locale, z.string()));

/** A scope of a protected API, in the API's own words. */
export const ResourceScope = z.object({
  name: z.string(),
  /** The API's name. */
  resource: z.string(),
  description: ScopeWords,
});
export type ResourceScope = z.infer<typeof ResourceScope>;

const Approved = {
  id: z.string(),
  client: ClientSummary,
  scopes: z.array(z.string()),
  /** The scopes among `scopes` that registered APIs describe. */
  resourceScopes: z.optional(
    z.array(
      z.extend(ResourceScope, {
        /** Tells it from a scope of the same name of another API. */
        key: z.string(),
      }),
    ),
  ),
  /** What the person calls it. */
  label: z.optional(z.string()),
};

/** Why a link ended. */
export const LinkEndReason = z.enum([
  'withdrawn',
  'revoked_by_client',
  'token_theft',
  'code_reused',
  'client_disabled',
  'client_deleted',
  'account_disabled',
  'account_deleted',
  'expired',
]);
export type LinkEndReason = z.infer<typeof LinkEndReason>;

/** How an app stays connected. */
export const Link = z.object({
  /** When it was made. */
  since: z.iso.datetime(),
  /** When the app last got tokens by it; absent of one that ended. */
  lastRefreshAt: z.optional(z.iso.datetime()),
  /** How often the app refreshed it, today and on the six days before (UTC). */
  refreshes7d: z.int(),
  /** `quiet`: no refresh for two weeks. */
  state: z.enum(['working', 'quiet', 'ended']),
  /** When it ends however often it is used, unless its person renews it; absent where it has no such end. */
  endsAt: z.optional(z.iso.datetime()),
  endedBecause: z.optional(LinkEndReason),
});
export type Link = z.infer<typeof Link>;

/** A grant: the approval of a client by an account. */
export const Authorization = z.extend(Device, {
  ...Approved,
  grantMode: z.enum(['authorization_code', 'device_code']),
  /** What its person can take away without ending it: names, and the keys of scopes of APIs; absent: nothing. */
  optionalScopes: z.optional(z.array(z.string())),
  /** Absent where the app does not stay connected. */
  link: z.optional(Link),
});
export type Authorization = z.infer<typeof Authorization>;

/** A link that ended. */
export const EndedAuthorization = z.object({ ...Approved, endedAt: z.iso.datetime(), link: Link });
export type EndedAuthorization = z.infer<typeof EndedAuthorization>;

/** One change at a time. */
export const ChangeAuthorization = z
  .strictObject({
    /** As typed; null takes the name away. */
    label: z.optional(z.nullable(z.string().check(z.maxLength(1200, 'label_invalid')))),
    /** All that stays approved, by name or key. */
    scopes: z.optional(z.array(z.string().check(z.maxLength(1000))).check(z.maxLength(200))),
  })
  .check(z.refine((change) => Object.keys(change).length === 1));

export const SessionList = z.object({ items: z.array(Session), next: z.optional(z.string()) });
export const AuthorizationList = z.object({ items: z.array(Authorization), next: z.optional(z.string()) });
export const EndedAuthorizationList = z.object({
  items: z.array(EndedAuthorization),
  next: z.optional(z.string()),
});

/** With `forget` this browser also stops offering the account. */
export const SignOut = z.strictObject({ forget: z.optional(z.boolean()) });

/** Keyset paging: pass the `next` of one page as the `after` of the following. */
export const Page = z.strictObject({ after: z.optional(z.string().check(z.maxLength(200))) });
