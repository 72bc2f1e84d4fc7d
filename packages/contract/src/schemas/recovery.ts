import * as z from 'zod/mini';
import { Passkey } from './passkey.ts';
import { countSecondFactors, SecondFactorWay, secondFactorFields } from './second-factor.ts';
import { Authorization } from './session.ts';
import { Code, Identifier, Password, Ticket, TicketIssued } from './verification.ts';

export const RecoveryVerify = z.strictObject({ identifier: Identifier, code: Code });

/** An app that stays connected when the password changes, unless all authorizations are withdrawn. */
const LinkToReview = z.pick(Authorization, {
  client: true,
  scopes: true,
  createdAt: true,
  lastAccessedAt: true,
});
export type LinkToReview = z.infer<typeof LinkToReview>;

/** An identifier of the account beside the proven one. */
const OtherIdentifier = z.object({
  kind: z.enum(['phone', 'email']),
  masked: z.string(),
  boundAt: z.iso.datetime(),
  /** It was bound before the proven identifier: dropped, it stays for 72 hours, and its owner can undo the drop. */
  waits: z.optional(z.boolean()),
});
export type OtherIdentifier = z.infer<typeof OtherIdentifier>;

/** A passkey of the account: it signs in after the recovery too, unless it is dropped. */
const PasskeyToReview = z.pick(Passkey, { id: true, name: true, provider: true, createdAt: true });
export type PasskeyToReview = z.infer<typeof PasskeyToReview>;

/** A way in through an identity provider: it signs in after the recovery too, unless it is dropped. */
const ProviderToReview = z.object({
  /** Of the way in, not of the provider. */
  id: z.string(),
  name: z.string(),
  email: z.optional(z.string()),
  createdAt: z.iso.datetime(),
});
export type ProviderToReview = z.infer<typeof ProviderToReview>;

/** When the person who asked may set a new password without a second factor. */
export const RecoveryWait = z.object({ dueAt: z.iso.datetime() });

/** What the new password may remove. */
export const RecoveryReview = z.object({
  authorizations: z.array(LinkToReview),
  /** The identifier that was bound last comes first. */
  identifiers: z.array(OtherIdentifier),
  /** The one that was added last comes first. */
  passkeys: z.array(PasskeyToReview),
  /** The one that was added last comes first; absent where there is none. */
  providers: z.optional(z.array(ProviderToReview)),
});
export type RecoveryReview = z.infer<typeof RecoveryReview>;

/** There is nothing to review before a second factor that is due. */
export const RecoveryStarted = z.extend(TicketIssued, {
  ...z.partial(RecoveryReview).shape,
  /** The new password takes one of these besides; absent where none does, or where a recovery has waited for long enough. */
  secondFactor: z.optional(z.array(SecondFactorWay)),
  /** The recovery that waits, begun with this identifier. From `dueAt` on the new password takes no second factor. */
  wait: z.optional(RecoveryWait),
});

/**
 * The ticket names the account; `dropIdentifiers` are the identifiers to unbind, `dropPasskeys` and
 * `dropProviders` the ids of the passkeys, and of the ways in through providers, to remove: those that are older than what
 * was proven stay. At most one second factor.
 */
export const SetPassword = z
  .strictObject({
    ticket: Ticket,
    password: Password,
    withdrawAuthorizations: z.optional(z.boolean()),
    dropIdentifiers: z.optional(z.array(z.enum(['phone', 'email'])).check(z.maxLength(2))),
    dropPasskeys: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(50))),
    dropProviders: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(50))),
    ...secondFactorFields,
  })
  .check(z.refine((body) => countSecondFactors(body) <= 1));

/** Exactly one second factor. */
export const ProveRecoveryFactor = z
  .strictObject({ ticket: Ticket, ...secondFactorFields })
  .check(z.refine((body) => countSecondFactors(body) === 1));

export const StartRecoveryWait = z.strictObject({ ticket: Ticket });
