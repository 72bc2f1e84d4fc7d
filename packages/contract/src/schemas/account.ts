import * as z from 'zod/mini';
import { Locale } from './locale.ts';
import { Code, Identifier, Password } from './verification.ts';

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
});
export type Account = z.infer<typeof Account>;

/** What is left out stays. */
export const UpdateAccount = z.strictObject({
  nickname: z.optional(z.string().check(z.maxLength(1024, 'nickname_invalid'))),
  locale: z.optional(Locale),
});

/** Media types and size, in bytes, of a picture that is taken. */
export const avatarTypes = ['image/jpeg', 'image/png'] as const;
export const AVATAR_LIMIT_BYTES = 1024 * 1024;

/** The new identifier and the code that was sent to it for the purpose `bind`. */
export const SetPhone = z.strictObject({
  phone: z.string().check(z.trim(), z.minLength(1, 'phone_blank'), z.maxLength(64, 'phone_invalid')),
  code: Code,
});
export const SetEmail = z.strictObject({
  email: z.string().check(z.trim(), z.minLength(1, 'email_blank'), z.maxLength(320, 'email_invalid')),
  code: Code,
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
