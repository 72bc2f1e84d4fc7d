import type { Caller } from '../../ground/browser/caller.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { addressKey } from '../../ground/rate-limit/address-key.ts';
import { addressLimits } from '../../ground/rate-limit/address-limits.ts';
import type { KeyOf } from '../../ground/rate-limit/key-of.ts';
import type { CountedTries, RateLimit } from '../../ground/rate-limit/rate-limit.service.ts';
import { passwordRow } from '../credential/password-row.ts';
import { codeRowKeys } from '../verification/code-row.ts';

const QUARTER = 900;
const HOUR = 3600;

const TRIES = 10;
const TRIES_OVER_ACCOUNTS = 100;

/** Who tries a password, and from where. */
export interface PasswordTry extends Caller {
  /** What was submitted, canonical; undefined where a session says whose password it is. */
  identifier?: string | undefined;
  /** Undefined where there is no account. */
  accountId: string | undefined;
}

/** The limits of a try. */
export interface TryLimits {
  /** Tries of one person from one place, those under way included. */
  tries: RateLimit;
  /** How many of them were wrong. */
  wrong: RateLimit;
  /** Wrong tries in a row. */
  row: RateLimit;
  /** Wrong tries over all accounts. */
  address: RateLimit[];
}

const limitsOf = (name: string, whose: string, row: RateLimit): Omit<TryLimits, 'address'> => ({
  tries: { key: `${name} ${whose}`, limit: TRIES, windowSeconds: QUARTER },
  wrong: { key: `${name}.wrong ${whose}`, limit: TRIES, windowSeconds: QUARTER },
  row,
});

/** What stands for the account: its id, or the keyed identifier where there is no account. */
const ownerOf = ({ accountId, identifier = '' }: PasswordTry, keyOf: KeyOf) => accountId ?? keyOf(identifier);

const limitsOfStranger = (tried: PasswordTry, keyOf: KeyOf): TryLimits => {
  const { identifier, accountId, browserId, address } = tried;
  const pair = `${keyOf(identifier ?? accountId ?? '')} ${keyOf(addressKey(address))}`;
  const row = passwordRow({ owner: ownerOf(tried, keyOf), browserHash: hashToken(browserId) }, false);
  const overAccounts = { limit: TRIES_OVER_ACCOUNTS, windowSeconds: HOUR };
  return {
    ...limitsOf('password.pair', pair, row),
    address: addressLimits('password.address', address, overAccounts),
  };
};

const limitsOfKnown = (tried: PasswordTry, keyOf: KeyOf): TryLimits => {
  const owner = ownerOf(tried, keyOf);
  const browserHash = hashToken(tried.browserId);
  const row = passwordRow({ owner, browserHash }, true);
  return { ...limitsOf('password.device', `${owner} ${browserHash}`, row), address: [] };
};

/**
 * The limits of a try. Tries count by the identifier that was submitted, so that no count shows which identifiers
 * belong to one account; only the long count of wrong tries in a row is the account's. An identifier without an
 * account counts the same.
 *
 * A browser that signed in as this account before has counters of its own, so that nobody else can lock its owner
 * out. Whoever holds its cookie still has no more tries than a stranger.
 * @param known whether the browser signed in as this account before
 */
export const tryLimits = (tried: PasswordTry, known: boolean, keyOf: KeyOf): TryLimits =>
  known ? limitsOfKnown(tried, keyOf) : limitsOfStranger(tried, keyOf);

/** The keys of the counters that a right password, or a right code, starts anew. */
export const tryCounters = (tried: PasswordTry, keyOf: KeyOf): string[] => {
  const { identifier, browserId } = tried;
  const codes =
    identifier === undefined ? [] : codeRowKeys({ identifier, browserHash: hashToken(browserId) }, keyOf);
  const passwords = [limitsOfStranger(tried, keyOf), limitsOfKnown(tried, keyOf)];
  return [...codes, ...passwords.flatMap(({ tries, wrong, row }) => [tries.key, wrong.key, row.key])];
};

/** What the keys of an account's counters begin with, whatever the address or browser, and how many tries each bears. */
export const passwordCountsOf = (
  accountId: string,
  identifiers: readonly string[],
  keyOf: KeyOf,
): CountedTries[] => {
  const pairs = identifiers.map((identifier) => `password.pair ${keyOf(identifier)}`);
  const rows = [true, false].map((known) => passwordRow({ owner: accountId, browserHash: '' }, known));
  return [
    ...[...pairs, `password.device ${accountId}`].map((prefix) => ({ prefix, limit: TRIES })),
    ...rows.map(({ key, limit }) => ({ prefix: key.trimEnd(), limit })),
  ];
};

/** The counters of wrong tries beside them, which no try is refused by. */
export const wrongCountsOf = (counts: readonly CountedTries[]): string[] =>
  counts
    .map(({ prefix }) => prefix)
    .filter((prefix) => /^password\.(?:pair|device) /.test(prefix))
    .map((prefix) => prefix.replace(' ', '.wrong '));
