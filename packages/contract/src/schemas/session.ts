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

/** A grant: the approval of a client by an account. */
export const Authorization = z.extend(Device, {
  id: z.string(),
  grantMode: z.enum(['authorization_code', 'device_code']),
  client: ClientSummary,
  scopes: z.array(z.string()),
  /** The scopes among `scopes` that registered APIs describe. */
  resourceScopes: z.optional(z.array(ResourceScope)),
});
export type Authorization = z.infer<typeof Authorization>;

export const SessionList = z.object({ items: z.array(Session), next: z.optional(z.string()) });
export const AuthorizationList = z.object({ items: z.array(Authorization), next: z.optional(z.string()) });

/** With `forget` this browser also stops offering the account. */
export const SignOut = z.strictObject({ forget: z.optional(z.boolean()) });

/** Keyset paging: pass the `next` of one page as the `after` of the following. */
export const Page = z.strictObject({ after: z.optional(z.string().check(z.maxLength(200))) });
