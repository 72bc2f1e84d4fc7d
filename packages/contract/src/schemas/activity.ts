import * as z from 'zod/mini';
import {
  type ActivityGroup,
  type ActivityKind,
  activityGroupNames,
  activityKinds,
} from '../rules/activity-kinds.ts';
import { type ShownAct, shownActs } from '../rules/desk-acts.ts';

const Software = z.object({ name: z.string(), version: z.string() });

/** What a sentence about it names. Contacts are masked: nothing here helps who reads along. */
export const ActivityDetail = z.object({
  /** How the person signed in, or tried to. */
  method: z.optional(z.enum(['password', 'code', 'passkey', 'provider', 'second_factor'])),
  /** The kind of the phone number or e-mail address that came, went, or is to. */
  contactKind: z.optional(z.enum(['phone', 'email'])),
  /** That phone number or e-mail address, masked. */
  contact: z.optional(z.string()),
  /** The person's own name of what came or went, such as that of a passkey; or the name of an identity provider. */
  name: z.optional(z.string()),
  /** The browser that was signed out, where it is another one. */
  ended: z.optional(z.object({ browser: z.string(), os: z.string() })),
  /** How many sessions or approvals ended. */
  total: z.optional(z.number()),
  /** What staff did at the desk. */
  act: z.optional(z.enum(shownActs as [ShownAct, ...ShownAct[]])),
});
export type ActivityDetail = z.infer<typeof ActivityDetail>;

/** One thing that happened to the account. */
export const Activity = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(activityKinds as [ActivityKind, ...ActivityKind[]]),
  /** It happened in the session that asks. */
  current: z.optional(z.literal(true)),
  browser: z.optional(Software),
  os: z.optional(Software),
  platform: z.optional(z.string()),
  /** As the browser said, by its name in the time zone database. */
  timeZone: z.optional(z.string()),
  client: z.optional(z.object({ name: z.string() })),
  /** How often it happened in the hour that began then; absent: once. */
  count: z.optional(z.number()),
  detail: z.optional(ActivityDetail),
  /** The person can say that it was somebody else. */
  disputable: z.boolean(),
  disputedAt: z.optional(z.iso.datetime()),
});
export type Activity = z.infer<typeof Activity>;

export const ActivityList = z.object({ items: z.array(Activity), next: z.optional(z.string()) });
export type ActivityList = z.infer<typeof ActivityList>;

/** `kind` is a group of kinds. */
export const ActivityQuery = z.strictObject({
  after: z.optional(z.string().check(z.maxLength(200))),
  kind: z.optional(z.enum(activityGroupNames as [ActivityGroup, ...ActivityGroup[]])),
});

export const Disputed = z.object({
  /** A session ended by this; false where it had ended before. */
  sessionEnded: z.boolean(),
  /** What happened in that session, newest first. */
  touched: z.array(Activity),
  /** What the session added is gone. */
  tookBack: z.boolean(),
});
export type Disputed = z.infer<typeof Disputed>;

/** What a session added: a way to sign in, recovery codes, or a contact. It can be taken back for 72 hours. */
export const AddedInSession = z.object({
  kind: z.enum(['totp', 'passkey', 'provider', 'provider_removed', 'recovery_codes', 'phone', 'email']),
  /** The person's name of a passkey, the id of a provider, or the masked contact; absent of a contact that was removed. */
  name: z.optional(z.string()),
  /** The masked contact whose place it took or is to take, or that went or is to go. */
  replaces: z.optional(z.string()),
  at: z.iso.datetime(),
});
export type AddedInSession = z.infer<typeof AddedInSession>;

export const AddedList = z.object({ items: z.array(AddedInSession) });

/** `takeBack`: what the session added goes with it. */
export const Dispute = z.strictObject({ takeBack: z.optional(z.boolean()) });

/** `token` is the fragment of the link in a notice. */
export const SignInLink = z.strictObject({ token: z.string().check(z.maxLength(128)) });

export const DisownSignIn = z.extend(SignInLink, { takeBack: z.optional(z.boolean()) });

/** The sign-in that a link is about. */
export const SignInNoticed = z.object({
  at: z.iso.datetime(),
  browser: Software,
  os: Software,
  platform: z.string(),
  timeZone: z.optional(z.string()),
  /** When the link stops working. */
  endsAt: z.iso.datetime(),
  /** What the session added and the link can take back; absent where there is nothing. */
  added: z.optional(z.array(AddedInSession)),
});
export type SignInNoticed = z.infer<typeof SignInNoticed>;

/** `tookBack`: what the session added is gone, and the password is closed. */
export const SignInDisowned = z.object({ sessionEnded: z.boolean(), tookBack: z.boolean() });
