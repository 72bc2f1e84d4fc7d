import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import {
  type CountedTries,
  clearRateLimits,
  hitRateLimits,
  type RateLimit,
  refuseSpent,
} from '../../ground/rate-limit/rate-limit.service.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Who tries to pass a factor. Each has tries of its own, so that somebody with a stolen password uses up neither those
 * of a browser that the account knows, nor those of a session, nor those of a person who gets the account back.
 * `network` is the narrowest of the address: who guesses in one leaves the others open.
 */
export type FactorTrier =
  | { kind: 'stranger'; network: string }
  /** A browser that signed in as the account before. */
  | { kind: 'known'; browserHash: string }
  | { kind: 'session' }
  /** Somebody with a code to an identifier of the account: a stolen mailbox leaves the tries of the phone open. */
  | { kind: 'recovery'; proven: IdentifierKind; network: string };

/** Codes of the app have six digits. Recovery codes are apart: whoever guesses at the first leaves these open. */
type FactorGuessed = 'totp' | 'recovery_code';

/** The longer wrong tries go on, the longer a person waits. The names are in order: so are the locks of their rows. */
const growing = [
  { name: '1-minutes', limit: 5, windowSeconds: 5 * MINUTE },
  { name: '2-hour', limit: 10, windowSeconds: HOUR },
  { name: '3-day', limit: 30, windowSeconds: DAY },
  // NIST SP 800-63B-4 section 3.2.2 bounds wrong tries in a row by 100.
  { name: '4-row', limit: 100, windowSeconds: 30 * DAY },
];

/** Over all networks: six digits are few, so that many networks together may not try them all. */
const ofAll = { limit: 300, windowSeconds: 30 * DAY };

const whoOf = (accountId: string, trier: FactorTrier): string => {
  if (trier.kind === 'known') return `${accountId} ${trier.browserHash}`;
  if (trier.kind === 'session') return accountId;
  return trier.kind === 'recovery'
    ? `${accountId} ${trier.proven} ${trier.network}`
    : `${accountId} ${trier.network}`;
};

const limitsOf = (accountId: string, guessed: FactorGuessed, trier: FactorTrier): RateLimit[] => {
  const who = whoOf(accountId, trier);
  const own = growing.map(({ name, ...bound }) => ({
    ...bound,
    key: `factor.${guessed}.${trier.kind}.${name} ${who}`,
  }));
  const isOfMany = guessed === 'totp' && 'network' in trier;
  return isOfMany ? [...own, { ...ofAll, key: `factor.totp.${trier.kind}.5-all ${accountId}` }] : own;
};

export interface FactorTry {
  accountId: string;
  guessed: FactorGuessed;
  trier: FactorTrier;
}

/**
 * Counts a try before it is compared, so that parallel ones cannot pass together. Of several spent limits the one that
 * lasts longest is answered, and a refused try counts nowhere.
 * @returns the refusal of a recovery code that turns out wrong: nobody guesses one of 50 bits, so a right one is never
 *   refused for the tries of others
 * @throws AppError rate_limited
 */
export const countFactorTry = async (
  db: Kysely<Database>,
  { accountId, guessed, trier }: FactorTry,
  { now, events }: { now: Date; events: EventSink },
): Promise<AppError | undefined> => {
  const limits = limitsOf(accountId, guessed, trier);
  const refused = await hitRateLimits(db, limits, now, limits);
  const refusal = refused && refuseSpent(refused, events);
  if (refusal && guessed === 'totp') throw refusal;
  return refusal;
};

/** Starts the counts anew after a right try: those of the trier, and those of strangers of the same network. */
export const clearFactorTries = (db: Kysely<Database>, { accountId, trier }: FactorTry): Promise<void> => {
  const guessable: readonly FactorGuessed[] = ['recovery_code', 'totp'];
  const triers: readonly FactorTrier[] =
    'network' in trier ? [trier, { kind: 'stranger', network: trier.network }] : [trier];
  const limits = guessable.flatMap((guessed) => triers.flatMap((one) => limitsOf(accountId, guessed, one)));
  return clearRateLimits(db, [...new Set(limits.map(({ key }) => key))]);
};

const trierKinds: readonly FactorTrier['kind'][] = ['known', 'recovery', 'session', 'stranger'];

/** What the keys of an account's counters begin with, whoever tries, and how many tries each bears. */
export const factorCountsOf = (accountId: string): CountedTries[] => [
  ...(['totp', 'recovery_code'] as const).flatMap((guessed) =>
    trierKinds.flatMap((kind) =>
      growing.map(({ name, limit }) => ({ prefix: `factor.${guessed}.${kind}.${name} ${accountId}`, limit })),
    ),
  ),
  ...(['recovery', 'stranger'] as const).map((kind) => ({
    prefix: `factor.totp.${kind}.5-all ${accountId}`,
    limit: ofAll.limit,
  })),
];
