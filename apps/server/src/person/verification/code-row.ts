import type { KeyOf } from '../../ground/rate-limit/key-of.ts';
import type { CountedTries, RateLimit } from '../../ground/rate-limit/rate-limit.service.ts';

/** NIST SP 800-63B-4 section 3.2.2 bounds wrong tries in a row; a code has six digits. */
const FAILED_IN_A_ROW = 50;
/** How long wrong codes count as following one another. */
const MONTH = 30 * 86_400;
/** A counter that refuses nobody. */
const UNBOUNDED = 2 ** 31 - 2;

/** Whose wrong codes are counted. */
export interface CodeGuessed {
  /** The identifier, canonical. */
  identifier: string;
  /** The digest of the pre-session cookie. */
  browserHash: string;
  /** Whether the browser signed in as the account of the identifier before. */
  known: boolean;
  /** Who is signed in, for codes that open nothing but their session. */
  signedIn: string | undefined;
}

const rowKey = (who: string) => `code.row ${who}`;
const browserRowKey = (who: string, browserHash: string) => `code.row.device ${who} ${browserHash}`;
const sessionRowKey = (who: string, accountId: string) => `code.row.session ${accountId} ${who}`;

/**
 * The limits of wrong codes in a row, in the order of their keys. They count by the identifier that was submitted, over
 * all purposes and browsers, so that no count shows which identifiers belong to one account. A browser that the
 * account knows adds to that count and is bound by a count of its own; a session has a count apart. So strangers cannot
 * use up the tries of either.
 */
export const codeRowLimits = (
  { identifier, browserHash, known, signedIn }: CodeGuessed,
  keyOf: KeyOf,
): RateLimit[] => {
  const who = keyOf(identifier);
  const bound = { limit: FAILED_IN_A_ROW, windowSeconds: MONTH };
  if (signedIn !== undefined) return [{ ...bound, key: sessionRowKey(who, signedIn) }];
  const row = { ...bound, key: rowKey(who) };
  return known
    ? [
        { ...row, limit: UNBOUNDED },
        { ...bound, key: browserRowKey(who, browserHash) },
      ]
    : [row];
};

/** The keys of the counters that a right code or password in this browser starts anew. */
export const codeRowKeys = (
  {
    identifier,
    browserHash,
    signedIn,
  }: Omit<CodeGuessed, 'known' | 'signedIn'> & { signedIn?: string | undefined },
  keyOf: KeyOf,
): string[] => {
  const who = keyOf(identifier);
  const ofSession = signedIn === undefined ? [] : [sessionRowKey(who, signedIn)];
  return [rowKey(who), browserRowKey(who, browserHash), ...ofSession];
};

/** What the keys of an account's counters of wrong codes begin with, and how many each bears. */
export const codeCountsOf = (
  accountId: string,
  identifiers: readonly string[],
  keyOf: KeyOf,
): CountedTries[] => {
  const whos = identifiers.map((identifier) => keyOf(identifier));
  const keys = [
    ...whos.flatMap((who) => [rowKey(who), `code.row.device ${who}`]),
    `code.row.session ${accountId}`,
  ];
  return keys.map((prefix) => ({ prefix, limit: FAILED_IN_A_ROW }));
};
