import * as z from 'zod/mini';
import { PasskeyAssertion } from './passkey.ts';
import { Code } from './verification.ts';

/** What passes a second factor: a code of the authenticator app, a recovery code, or a passkey. */
const secondFactorWays = ['totp', 'recovery_code', 'passkey'] as const;
export const SecondFactorWay = z.enum(secondFactorWays);
export type SecondFactorWay = z.infer<typeof SecondFactorWay>;

/** A recovery code as typed; the server folds it by `rules/recovery-code.ts`. */
const RecoveryCode = z
  .string()
  .check(z.trim(), z.minLength(1, 'code_blank'), z.maxLength(64, 'recovery_code_incorrect'));

/** The fields of which at most one proves a second factor. */
export const secondFactorFields = {
  totp: z.optional(Code),
  recoveryCode: z.optional(RecoveryCode),
  passkey: z.optional(PasskeyAssertion),
};

/** How many of the fields a body has. */
export const countSecondFactors = (body: {
  totp?: unknown;
  recoveryCode?: unknown;
  passkey?: unknown;
}): number => [body.totp, body.recoveryCode, body.passkey].filter((value) => value !== undefined).length;

/** Exactly one way. `remember`: this browser is not asked again for 30 days. */
export const PassSecondFactor = z
  .strictObject({ ...secondFactorFields, remember: z.optional(z.literal(true)) })
  .check(z.refine((body) => countSecondFactors(body) === 1));

/** The secret of an authenticator app in base32, and the `otpauth:` URI that its QR code holds. */
export const TotpStarted = z.object({ secret: z.string(), uri: z.string() });
export type TotpStarted = z.infer<typeof TotpStarted>;

export const ActivateTotp = z.strictObject({ code: Code });

/** Ten codes, shown this once; each passes the second factor once. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** The ways in which a person signs in. */
export const Ways = z.object({
  /** How many there are. */
  passkeys: z.int(),
  hasPassword: z.boolean(),
  /** Absent: no authenticator app is asked for. */
  totp: z.optional(z.object({ since: z.iso.datetime(), recoveryCodesLeft: z.int() })),
  /** A passkey can be offered: the account has none, and nobody declined the offer in the last 90 days. */
  offerPasskey: z.boolean(),
});
export type Ways = z.infer<typeof Ways>;

/** A browser that is not asked for the second factor. */
export const TrustedBrowser = z.object({
  id: z.string(),
  current: z.boolean(),
  browser: z.object({ name: z.string(), version: z.string() }),
  platform: z.string(),
  os: z.object({ name: z.string(), version: z.string() }),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type TrustedBrowser = z.infer<typeof TrustedBrowser>;

export const TrustedBrowsers = z.object({ items: z.array(TrustedBrowser) });
