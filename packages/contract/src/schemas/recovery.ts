import * as z from 'zod/mini';
import { Authorization } from './session.ts';
import { Code, Identifier, Password, Ticket, TicketIssued } from './verification.ts';

export const RecoveryVerify = z.strictObject({ identifier: Identifier, code: Code });

/** An app that stays connected when the password changes, unless all of them are withdrawn. */
const LinkToReview = z.pick(Authorization, {
  client: true,
  scopes: true,
  createdAt: true,
  lastAccessedAt: true,
});
export type LinkToReview = z.infer<typeof LinkToReview>;

export const RecoveryStarted = z.extend(TicketIssued, {
  authorizations: z.optional(z.array(LinkToReview)),
});

/** The ticket names the account. */
export const SetPassword = z.strictObject({
  ticket: Ticket,
  password: Password,
  withdrawAuthorizations: z.optional(z.boolean()),
});
