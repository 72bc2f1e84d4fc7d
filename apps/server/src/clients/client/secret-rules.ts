import { randomBytes } from 'node:crypto';

/**
 * The least length of a new secret, in characters. RFC 6819 section 5.1.4.2.2 asks for 128 random bits. Randomness cannot
 * be seen, so this floor has room even for hexadecimal digits.
 */
export const SECRET_LENGTH = 32;

/** A shorter secret, registered before there was a floor, can be guessed despite the limits. */
export const UNGUESSABLE_LENGTH = 16;

/** Characters that arrive changed from clients which do not escape them, as RFC 6749 section 2.3.1 asks them to. */
const RISKY: readonly (readonly [name: string, form: RegExp])[] = [
  ['":"', /:/],
  ['"%"', /%/],
  ['"+"', /\+/],
  ['"&"', /&/],
  ['spaces', /\s/],
  ['control characters', /(?!\s)\p{Cc}/u],
  ['characters that are not ASCII', /\P{ASCII}/u],
];

const conjoin = new Intl.ListFormat('en', { type: 'conjunction' });

/** Names the characters of a secret that may arrive changed; undefined where there are none. */
export const describeRiskyCharacters = (secret: string): string | undefined => {
  const found = RISKY.filter(([, form]) => form.test(secret)).map(([name]) => name);
  if (found.length === 0) return undefined;
  return `.client_secret has ${conjoin.format(found)}: "curl -u" and form encoding change that unless the app escapes it, and many do not; letters, digits, "-" and "_" arrive from every app`;
};

/** A new secret: 256 random bits, in characters that arrive from every app. */
export const createSecret = (): string => randomBytes(32).toString('base64url');
