import * as z from 'zod/mini';
import { Locale } from './locale.ts';
import { Code, Identifier, Password } from './verification.ts';

/** A change of a phone or e-mail that waits: undone by its owner, or carried out at `dueAt`. */
const IdentifierChange = z.object({
  id: z.string(),
  kind: z.enum(['phone', 'email']),
  /** What comes in place of the present one; absent where it is removed. */
  identifier: z.optional(z.string()),
  requestedAt: z.iso.datetime(),
  dueAt: z.iso.datetime(),
});
export type IdentifierChange = z.infer<typeof IdentifierChange>;

/** The signed-in person's account; `phone` is E.164, `avatar` a same-origin path that needs no session. */
export const Account = z.object({
  id: z.string(),
  nickname: z.string(),
  phone: z.optional(z.string()),
  email: z.optional(z.string()),
  avatar: z.optional(z.string()),
  locale: Locale,
  hasPassword: z.boolean(),
  passwordChangedAt: z.optional(z.iso.datetime()),
  /** Those that wait; absent where there are none. */
  changes: z.optional(z.array(IdentifierChange)),
});
export type Account = z.infer<typeof Account>;

/** What is left out stays. */
export const UpdateAccount = z.strictObject({
  nickname: z.optional(z.string().check(z.maxLength(1024, 'nickname_invalid'))),
  locale: z.optional(Locale),
});

/**
 * The new identifier and the code that was sent to it for the purpose `bind`. With `wait` a change that a step-up
 * does not open at once happens after 72 hours, in which it can be undone.
 */
export const SetPhone = z.strictObject({
  phone: z.string().check(z.trim(), z.minLength(1, 'phone_blank'), z.maxLength(64, 'phone_invalid')),
  code: Code,
  wait: z.optional(z.boolean()),
});
export const SetEmail = z.strictObject({
  email: z.string().check(z.trim(), z.minLength(1, 'email_blank'), z.maxLength(320, 'email_invalid')),
  code: Code,
  wait: z.optional(z.boolean()),
});

/** Sets the first password too; `withdrawAuthorizations` ends the links beside the other sessions. */
export const ChangePassword = z.strictObject({
  password: Password,
  withdrawAuthorizations: z.optional(z.boolean()),
});

/** The password, or one of the account's own identifiers and the code sent to it for the purpose `step-up`. */
export const StepUp = z
  .strictObject({
    password: z.optional(Password),
    identifier: z.optional(Identifier),
    code: z.optional(Code),
  })
  .check(
    z.refine(({ password, identifier, code }) =>
      password === undefined
        ? identifier !== undefined && code !== undefined
        : identifier === undefined && code === undefined,
    ),
  );

/** The query of what removes an identifier; `wait` as of what binds one. */
export const RemoveIdentifier = z.strictObject({ wait: z.optional(z.literal('true')) });

const UNDO_TOKEN_LENGTH = 128;

/** What stands behind the # of the link in a notice. */
export const Undo = z.strictObject({ token: z.string().check(z.maxLength(UNDO_TOKEN_LENGTH)) });

/** What a link undoes: `identifier`, masked, is bound again or stays bound. */
export const UndoDetails = z.object({
  kind: z.enum(['phone', 'email']),
  identifier: z.string(),
  /** What came, or would come, in its place, masked. */
  replacement: z.optional(z.string()),
  /** It did not happen yet. */
  waits: z.boolean(),
  requestedAt: z.iso.datetime(),
  /** When the link ends. */
  endsAt: z.iso.datetime(),
});
export type UndoDetails = z.infer<typeof UndoDetails>;

/** The identifier to recover the account with. */
export const Undone = z.object({ identifier: z.string() });
