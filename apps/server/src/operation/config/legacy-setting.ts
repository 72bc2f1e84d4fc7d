import type { EnvironmentReader } from './environment-reader.ts';
import { SECRET_LENGTH } from './gateways.ts';

export interface LegacySetting {
  /** Where passwords are asked for whose hashes could not be brought; undefined: nowhere. */
  legacySignIn: { url: string; secret: string } | undefined;
}

/** Reads where another system answers for passwords. */
export const readLegacySetting = (
  { text, url: readUrl, faulty }: EnvironmentReader,
  problems: string[],
): LegacySetting => {
  const url = readUrl('LEGACY_SIGN_IN_URL', ['http:', 'https:'], 'of http:// or https://');
  const secret = text('LEGACY_SIGN_IN_SECRET') ?? '';
  if (!url) return { legacySignIn: undefined };
  const { username, password } = new URL(url);
  if (username || password)
    problems.push('LEGACY_SIGN_IN_URL must have no user name and password: requests are signed');
  if (secret.length < SECRET_LENGTH && !faulty.has('LEGACY_SIGN_IN_SECRET'))
    problems.push(
      `LEGACY_SIGN_IN_SECRET needs at least ${SECRET_LENGTH} characters, with which questions are signed`,
    );
  return { legacySignIn: { url, secret } };
};
