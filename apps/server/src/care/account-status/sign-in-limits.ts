import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { KeyOf } from '../../ground/rate-limit/key-of.ts';
import {
  type CountedTries,
  clearCountsOf,
  listCountsOf,
} from '../../ground/rate-limit/rate-limit.service.ts';
import type { AccountRecord } from '../../person/account/account.repository.ts';
import { passwordCountsOf, wrongCountsOf } from '../../person/authentication/password-counters.ts';
import { factorCountsOf } from '../../person/second-factor/factor-limits.ts';
import { codeCountsOf } from '../../person/verification/code-row.ts';
import type { CodeLimits } from '../../person/verification/send-limits.ts';

/** What wrong tries, or codes that were asked for, keep from a person until a time. */
export interface SpentTries {
  kind: 'password_tries' | 'factor_tries' | 'code_tries' | 'codes_spent';
  /** Of several the latest. */
  until: Date;
}

export interface SignInLimitOptions {
  keyOf: KeyOf;
  limits: Pick<CodeLimits, 'perHour' | 'perDay'>;
  now: () => Date;
}

type Whose = Pick<AccountRecord, 'account' | 'identifiers'>;

const triesOf = ({ keyOf }: Pick<SignInLimitOptions, 'keyOf'>, { account, identifiers }: Whose) => {
  const values = identifiers.map(({ value }) => value);
  return {
    password_tries: passwordCountsOf(account.id, values, keyOf),
    factor_tries: factorCountsOf(account.id),
    code_tries: codeCountsOf(account.id, values, keyOf),
  };
};

const sentOf = ({ keyOf, limits }: SignInLimitOptions, { identifiers }: Whose): CountedTries[] =>
  identifiers.flatMap(({ value }) => [
    { prefix: `code.hour ${keyOf(value)}`, limit: limits.perHour },
    { prefix: `code.day ${keyOf(value)}`, limit: limits.perDay },
  ]);

const nameOf = ({ prefix }: CountedTries) => prefix.slice(0, prefix.indexOf(' '));

/** The limits of the account that refuse tries now, from some place or all: one statement. */
export const findSpentTries = async (
  db: Kysely<Database>,
  options: SignInLimitOptions,
  whose: Whose,
): Promise<SpentTries[]> => {
  const groups = { ...triesOf(options, whose), codes_spent: sentOf(options, whose) };
  const prefixes = Object.values(groups).flatMap((group) => group.map(({ prefix }) => prefix));
  const open = await listCountsOf(db, prefixes, options.now());
  return Object.entries(groups).flatMap(([kind, group]) => {
    const limits = new Map(group.map((counted) => [nameOf(counted), counted.limit]));
    const spent = open.filter(({ name, hits }) => hits >= (limits.get(name) ?? Number.POSITIVE_INFINITY));
    if (spent.length === 0) return [];
    const until = new Date(Math.max(...spent.map(({ endsAt }) => endsAt.getTime())));
    return [{ kind: kind as SpentTries['kind'], until }];
  });
};

/** What the keys of all counts of wrong tries begin with that name the account or its identifiers. */
export const triedPrefixesOf = (options: Pick<SignInLimitOptions, 'keyOf'>, whose: Whose): string[] => {
  const groups = triesOf(options, whose);
  const prefixes = Object.values(groups).flatMap((group) => group.map(({ prefix }) => prefix));
  return [...prefixes, ...wrongCountsOf(groups.password_tries)];
};

/** Starts the counts of wrong tries anew. How many codes are sent stays bounded: that bound is not about its person. */
export const liftTries = async (
  trx: Kysely<Database>,
  options: SignInLimitOptions,
  whose: Whose,
): Promise<void> => {
  await clearCountsOf(trx, triedPrefixesOf(options, whose));
};
