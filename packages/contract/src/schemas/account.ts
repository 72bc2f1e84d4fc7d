import * as z from 'zod/mini';
import { Locale } from './locale.ts';

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
