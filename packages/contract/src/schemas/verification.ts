import * as z from 'zod/mini';

/** The purpose of a verification code or a ticket, which no other operation accepts. */
export const codePurposes = ['login', 'register', 'recover', 'bind', 'step-up'] as const;
export const CodePurpose = z.enum(codePurposes);
export type CodePurpose = z.infer<typeof CodePurpose>;

/** An e-mail address or a phone number as typed; the server derives the canonical form. */
export const Identifier = z
  .string()
  .check(z.trim(), z.minLength(1, 'identifier_blank'), z.maxLength(320, 'identifier_invalid'));

/** A code as typed; the server folds it by `rules/verification-code.ts`. */
export const Code = z
  .string()
  .check(z.trim(), z.minLength(1, 'code_blank'), z.maxLength(64, 'code_incorrect'));

export const Ticket = z.string().check(z.minLength(1, 'ticket_invalid'), z.maxLength(128, 'ticket_invalid'));

/** A password, never trimmed. The server's PASSWORD_PROFILE has its rule; this only bounds the work. */
export const Password = z
  .string()
  .check(z.minLength(1, 'password_blank'), z.maxLength(1024, 'password_too_long'));

export const CodeSent = z.object({
  /** When the code stops working. */
  expiresAt: z.iso.datetime(),
  /** When another code may be asked for. */
  resendAt: z.iso.datetime(),
});
export type CodeSent = z.infer<typeof CodeSent>;

/** A ticket stands for a proven code. It is bound to identifier and browser, and only a success spends it. */
export const TicketIssued = z.object({ ticket: z.string(), expiresAt: z.iso.datetime() });
export type TicketIssued = z.infer<typeof TicketIssued>;
