import { type Locale, matchLocale } from '@candela/contract';
import { type JWTPayload, type JWTVerifyGetKey, errors as joseErrors, jwtVerify } from 'jose';
import { errors } from 'oidc-provider';
import { isGoogleAuthority } from '../../../federation/kind/google-authority.ts';
import { databaseNow } from '../../../ground/db/clock.ts';
import { isStorable } from '../../../ground/db/storable-text.ts';
import { parseEmail } from '../../../ground/identifier/email.ts';
import { hashToken } from '../../../ground/opaque-token.ts';
import { CLOCK_TOLERANCE_SECONDS, faultOfTimes, LONGEST_LIFE_SECONDS } from '../jwt/jwt-times.ts';

/** "Obtain user information from the ID token" of Google's documentation names both forms. */
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];

/** What Google says of a person. */
export interface GoogleAssertion {
  /** The `sub`, the same for all clients of Google. */
  subject: string;
  /** The address: its compare key, and as it is shown. */
  email: { value: string; display: string };
  isVerified: boolean;
  /** Whether Google’s word is proof of the address today. */
  isAuthoritative: boolean;
  locale: Locale;
  /** Names the assertion, however its signature is written. */
  idHash: string;
  /** In seconds since the epoch. */
  expiresAt: number;
}

export interface AssertionRules {
  /** Ids of Google’s clients that the assertion may be issued to. */
  audiences: readonly string[];
  keys: JWTVerifyGetKey;
}

const refuse = (detail: string): never => {
  throw new errors.InvalidGrant(`the assertion ${detail}`);
};

const verify = async (assertion: string, { audiences, keys }: AssertionRules): Promise<JWTPayload> => {
  try {
    const { payload } = await jwtVerify(assertion, keys, {
      algorithms: ['RS256'],
      issuer: ISSUERS,
      audience: [...audiences],
      requiredClaims: ['sub', 'iat', 'exp', 'email'],
      maxTokenAge: LONGEST_LIFE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: databaseNow(),
    });
    return payload;
  } catch (error) {
    if (error instanceof joseErrors.JOSEError) refuse(`is not taken: ${error.message}`);
    throw error;
  }
};

/**
 * Verifies an ID token of Google that stands for a person (RFC 7523 section 3).
 * @throws InvalidGrant with a detail for another issuer, audience, algorithm, key or age, and without an address.
 * @throws KeysUnreachable
 */
export const readGoogleAssertion = async (
  assertion: string,
  rules: AssertionRules,
): Promise<GoogleAssertion> => {
  const claims = await verify(assertion, rules);
  const { sub, aud, exp = 0, email, email_verified: isVerified, locale } = claims;
  // Whoever else received an assertion with several audiences could present it here.
  if (typeof aud !== 'string') refuse('has another number of audiences than one');
  if (typeof sub !== 'string' || sub === '' || sub.length > 255 || !isStorable(sub))
    return refuse('has no sub');
  const fault = faultOfTimes(claims);
  if (fault) refuse(fault);
  const address = typeof email === 'string' ? parseEmail(email) : undefined;
  if (!address) return refuse('has no e-mail address');
  return {
    subject: sub,
    email: address,
    isVerified: isVerified === true,
    isAuthoritative: isGoogleAuthority({ ...claims, email: address.value }),
    locale: (typeof locale === 'string' ? matchLocale([locale]) : undefined) ?? 'en',
    idHash: hashToken(assertion.slice(0, assertion.lastIndexOf('.'))),
    expiresAt: exp,
  };
};
