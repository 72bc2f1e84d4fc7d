import * as z from 'zod/mini';

/** What a verification code or a ticket is good for; one asked for one purpose opens no other. */
export const codePurposes = ['login', 'register', 'recover', 'bind', 'step-up'] as const;
export const CodePurpose = z.enum(codePurposes);
export type CodePurpose = z.infer<typeof CodePurpose>;

/** An e-mail address or a phone number as typed; the server finds the canonical form. */
export const Identifier = z
  .string()
  .check(z.trim(), z.minLength(1, 'identifier_blank'), z.maxLength(320, 'identifier_invalid'));

/** The six digits as typed: spaces, dashes and full-width digits are the server's to fold. */
export const Code = z
  .string()
  .check(z.trim(), z.minLength(1, 'code_blank'), z.maxLength(64, 'code_incorrect'));

export const Ticket = z.string().check(z.minLength(1, 'ticket_invalid'), z.maxLength(128, 'ticket_invalid'));

/** A password, never trimmed. Its rule is the server's PASSWORD_PROFILE; this only bounds the work. */
export const Password = z
  .string()
  .check(z.minLength(1, 'password_blank'), z.maxLength(1024, 'password_too_long'));

export const CodeSent = z.object({
  /** When the code stops working. */
  expiresAt: z.iso.datetime(),
  /** When another one may be asked for. */
  resendAt: z.iso.datetime(),
});
export type CodeSent = z.infer<typeof CodeSent>;

/** Stands for a code already proven: bound to identifier and browser, spent only on success. */
export const TicketIssued = z.object({ ticket: z.string(), expiresAt: z.iso.datetime() });
export type TicketIssued = z.infer<typeof TicketIssued>;
