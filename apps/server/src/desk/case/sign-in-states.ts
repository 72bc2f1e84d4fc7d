import type { DeskAccount, SignInState } from '@candela/contract';
import type { Kysely } from 'kysely';
import { findSpentTries, type SignInLimitOptions } from '../../care/account-status/sign-in-limits.ts';
import type { Database } from '../../ground/db/database.ts';
import type { AccountRecord } from '../../person/account/account.repository.ts';
import { recoveryWaitRows } from '../../person/recovery-wait/recovery-wait.repository.ts';

type Ways = DeskAccount['ways'];

const ofAccount = ({ account }: AccountRecord): SignInState[] => {
  const { status, disabled_at, disabled_reason, leaving_at } = account;
  const disabled: SignInState = {
    kind: 'disabled',
    blocks: true,
    ...(disabled_at && { since: disabled_at.toISOString() }),
    ...(disabled_reason !== null && { reason: disabled_reason }),
  };
  return [
    ...(status === 'disabled' ? [disabled] : []),
    // Who signs in before then keeps the account.
    ...(leaving_at ? [{ kind: 'leaving', blocks: false, until: leaving_at.toISOString() } as const] : []),
  ];
};

const ofTries = async (
  db: Kysely<Database>,
  options: SignInLimitOptions,
  record: AccountRecord,
): Promise<SignInState[]> =>
  (await findSpentTries(db, options, record)).map(({ kind, until }) => ({
    kind,
    blocks: false,
    until: until.toISOString(),
  }));

const ofWaits = async (
  db: Kysely<Database>,
  { now }: SignInLimitOptions,
  { account }: AccountRecord,
): Promise<SignInState[]> =>
  (await recoveryWaitRows.list(db, { account_id: account.id }, now())).map(
    ({ kind: contact, requested_at, due_at }) => ({
      kind: 'recovery_waits',
      blocks: false,
      since: requested_at.toISOString(),
      until: due_at.toISOString(),
      contact,
    }),
  );

const ofWays = ({ factor, password }: Ways): SignInState[] => [
  ...(factor ? [{ kind: 'factor_on', blocks: false, since: factor.since } as const] : []),
  ...(password ? [] : [{ kind: 'no_password', blocks: false } as const]),
];

/** Why a person cannot sign in, or what a sign-in asks besides; in the order in which a call asks. */
export const describeSignIn = async (
  db: Kysely<Database>,
  options: SignInLimitOptions,
  record: AccountRecord,
  ways: Ways,
): Promise<SignInState[]> => [
  ...ofAccount(record),
  ...(await ofTries(db, options, record)),
  ...(await ofWaits(db, options, record)),
  ...ofWays(ways),
];
