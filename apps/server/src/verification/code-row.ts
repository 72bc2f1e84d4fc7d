import type { KeyOf } from '../rate-limit/key-of.ts';
import type { RateLimit } from '../rate-limit/rate-limit.service.ts';

/** NIST SP 800-63B-4 section 3.2.2 bounds wrong tries in a row; a code has six digits. */
const FAILED_IN_A_ROW = 50;
/** How long wrong codes count as following one another. */
const MONTH = 30 * 86_400;
/** A counter that refuses nobody. */
const UNBOUNDED = 2 ** 31 - 2;

/** Whose wrong codes are counted. */
export interface CodeGuessed {
  /** The account of the identifier, if there is one. */
  accountId: string | undefined;
  /** The identifier, canonical. */
  identifier: string;
  /** The digest of the pre-session cookie. */
  deviceHash: string;
  /** Whether the browser signed in as this account before. */
  known: boolean;
}

const rowKey = (who: string) => `code.row ${who}`;
const deviceRowKey = (who: string, deviceHash: string) => `code.row.device ${who} ${deviceHash}`;

/**
 * What a wrong code is counted under, over all purposes and browsers, in the order of the keys. A browser that
 * the account knows adds to the account's count and is bound by one of its own, so that nobody else can shut
 * its owner out.
 */
export const codeRowLimits = (
  { accountId, identifier, deviceHash, known }: CodeGuessed,
  keyOf: KeyOf,
): RateLimit[] => {
  const who = accountId ?? keyOf(identifier);
  const bound = { limit: FAILED_IN_A_ROW, windowSeconds: MONTH };
  const row = { ...bound, key: rowKey(who) };
  return known
    ? [
        { ...row, limit: UNBOUNDED },
        { ...bound, key: deviceRowKey(who, deviceHash) },
      ]
    : [row];
};

/** The counters that a right proof, in this browser, starts anew. */
export const codeRowKeys = (
  { accountId, identifier, deviceHash }: Omit<CodeGuessed, 'known'>,
  keyOf: KeyOf,
): string[] => {
  const who = accountId ?? keyOf(identifier);
  return [rowKey(who), deviceRowKey(who, deviceHash)];
};
