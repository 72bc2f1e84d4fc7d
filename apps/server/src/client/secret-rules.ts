/**
 * What a new secret has at least, in characters. Nobody sees how random one is (RFC 6819 section 5.1.4.2.2 wants
 * 128 bits), so this is a floor well above it for hexadecimal digits.
 */
export const SECRET_LENGTH = 32;

/** One that is shorter, from before there was a floor, can be guessed through the limits. */
export const UNGUESSABLE_LENGTH = 16;

/** What does not arrive as it was written from clients that escape nothing (RFC 6749 section 2.3.1 wants them to). */
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

/** Why a secret may not arrive from every client; undefined where it will. */
export const describeRiskyCharacters = (secret: string): string | undefined => {
  const found = RISKY.filter(([, form]) => form.test(secret)).map(([name]) => name);
  if (found.length === 0) return undefined;
  return `.client_secret has ${conjoin.format(found)}: "curl -u" and form encoding change that unless the app escapes it, and many do not; letters, digits, "-" and "_" arrive from every app`;
};
