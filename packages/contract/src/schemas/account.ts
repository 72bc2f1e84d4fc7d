import * as z from 'zod/mini';
import { Locale } from './locale.ts';
import { PasskeyAssertion } from './passkey.ts';
import { Code, Identifier, Password } from './verification.ts';

/** A change of a phone or e-mail that waits until `dueAt`; its owner can undo it before. */
const IdentifierChange = z.object({
  id: z.string(),
  kind: z.enum(['phone', 'email']),
  /** The new identifier; absent: the present one is removed. */
  identifier: z.optional(z.string()),
  requestedAt: z.iso.datetime(),
  dueAt: z.iso.datetime(),
});
export type IdentifierChange = z.infer<typeof IdentifierChange>;

/** The account that is signed in. `phone` is E.164; `avatar` is a same-origin path that needs no session. */
export const Account = z.object({
  id: z.string(),
  nickname: z.string(),
  phone: z.optional(z.string()),
  email: z.optional(z.string()),
  avatar: z.optional(z.string()),
  locale: Locale,
  hasPassword: z.boolean(),
  passwordChangedAt: z.optional(z.iso.datetime()),
  /** Changes that wait; absent: none does. */
  changes: z.optional(z.array(IdentifierChange)),
  /** What a step-up can be proven by besides the password and a code. */
  ways: z.optional(z.object({ passkey: z.boolean(), totp: z.boolean() })),
  /** A recovery without a second factor waits until `dueAt`. Who did not ask for it stops it. */
  recoveryWait: z.optional(z.object({ dueAt: z.iso.datetime() })),
  /** The account is deleted then, unless its person keeps it. Until then no app gets anything. */
  leavingAt: z.optional(z.iso.datetime()),
  /** Present where the account may register clients. */
  developer: z.optional(z.literal(true)),
});
export type Account = z.infer<typeof Account>;

/** An absent field stays unchanged. */
export const UpdateAccount = z.strictObject({
  nickname: z.optional(z.string().check(z.maxLength(1024, 'nickname_invalid'))),
  locale: z.optional(Locale),
});

/**
 * The new identifier, and the code that was sent to it for the purpose `bind`. With `wait` a change that a step-up does
 * not allow at once happens after 72 hours; until then it can be undone.
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

/** Sets the first password too. `withdrawAuthorizations` ends links of apps, besides the other sessions. */
export const ChangePassword = z.strictObject({
  password: Password,
  withdrawAuthorizations: z.optional(z.boolean()),
});

/**
 * Exactly one way: the password; one of the account's own identifiers and the code sent to it for the purpose
 * `step-up`; a code of the authenticator app; or what the browser answered to `/api/step-up/options`.
 */
export const StepUp = z
  .strictObject({
    password: z.optional(Password),
    identifier: z.optional(Identifier),
    code: z.optional(Code),
    passkey: z.optional(PasskeyAssertion),
    totp: z.optional(Code),
  })
  .check(
    z.refine(
      ({ identifier, code, ...others }) =>
        (identifier === undefined) === (code === undefined) &&
        [code, ...Object.values(others)].filter((proof) => proof !== undefined).length === 1,
    ),
  );

/** `wait` means the same as in `SetPhone`. */
export const RemoveIdentifier = z.strictObject({ wait: z.optional(z.literal('true')) });

const UNDO_TOKEN_LENGTH = 128;

/** `token` is the fragment of the link in a notice. */
export const Undo = z.strictObject({ token: z.string().check(z.maxLength(UNDO_TOKEN_LENGTH)) });

/**
 * What a link undoes. A change of a phone or e-mail: `identifier`, masked, is bound again or stays bound. Or a `recovery`
 * that waits: `identifier`, masked, is the one with which somebody asked for it.
 */
export const UndoDetails = z.object({
  kind: z.enum([
    'phone',
    'email',
    'recovery',
    'totp',
    'passkey',
    'provider',
    'provider_removed',
    'recovery_codes',
  ]),
  /** The id of the identity provider through which a way in was added or removed. */
  provider: z.optional(z.string()),
  /** The one at stake; of what was added, the oldest of the account, masked. */
  identifier: z.string(),
  /** The identifier that replaced `identifier`, or will replace it, masked. */
  replacement: z.optional(z.string()),
  /** The change has not happened yet. */
  waits: z.boolean(),
  requestedAt: z.iso.datetime(),
  /** When what waits happens: the change is made, or a code to `identifier` opens a new password. */
  dueAt: z.optional(z.iso.datetime()),
  /** When the link stops working. */
  endsAt: z.iso.datetime(),
});
export type UndoDetails = z.infer<typeof UndoDetails>;

/** `identifier` recovers the account; absent where a recovery that waited was stopped. */
export const Undone = z.object({ identifier: z.optional(z.string()) });
