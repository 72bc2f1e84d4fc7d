import { foldCode } from '@candela/contract/rules/verification-code';
import { Secret, TOTP } from 'otpauth';

/** What every authenticator app knows (RFC 6238). */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** How many steps the clock of an app may be off, each way (RFC 6238 section 5.2). */
const DRIFT_STEPS = 1;

/** A new secret, in base32. */
export const createTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The URI that the QR code holds: `issuer` and `label` are what the app shows. */
export const totpUri = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  new TOTP({ ...form, secret, issuer, label }).toString();

/** The step whose code was typed, near `at`; undefined for a wrong code. */
export const findStep = (secret: string, typed: string, at: Date): number | undefined => {
  const timestamp = at.getTime();
  const totp = new TOTP({ ...form, secret });
  const drift = totp.validate({ token: foldCode(typed), timestamp, window: DRIFT_STEPS });
  return drift === null ? undefined : totp.counter({ timestamp }) + drift;
};
