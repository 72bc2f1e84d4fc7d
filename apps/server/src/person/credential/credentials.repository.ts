import type { Locale } from '@candela/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { LEGACY_PASSWORD } from './legacy-password.ts';

/** What a sign-in checks of an account, as of one moment. */
export interface Credentials {
  accountId: string;
  status: Database['account']['status'];
  locale: Locale;
  /** Where it is another by the time a session would be made, the proof does not count any more. */
  epoch: number;
  /** The hash of the password; null where the account has none. */
  hash: string | null;
  /**
   * Where only another system knows the password: an identifier that the account had there, if possible the one that
   * was submitted; else null. One that was bound here may be somebody else's there.
   */
  knownElsewhereAs: string | null;
  /** Whether the browser signed in as this account before. */
  known: boolean;
  /** Whether its second factor is on. To switch it on changes the epoch. */
  hasFactor: boolean;
}

/** The account of an identifier, or with that id; `browserHash` is the browser's. */
export const findCredentials = async (
  db: Kysely<Database>,
  whose: Pick<Identifier, 'kind' | 'value'> | { accountId: string },
  browserHash: string,
): Promise<Credentials | undefined> => {
  const [one, isSubmitted] =
    'accountId' in whose
      ? [sql`account.id = ${whose.accountId}`, sql`cast(false as boolean)`]
      : [
          sql`account.id = (select account_id from account_identifier where kind = ${whose.kind} and value = ${whose.value})`,
          sql`(kind = ${whose.kind} and value = ${whose.value})`,
        ];
  const { rows } = await sql<Credentials>`
    select account.id as "accountId", account.status, account.locale, account.session_epoch as epoch, password.hash,
      case when password.hash = ${LEGACY_PASSWORD} then (
        select value from account_identifier
        where account_id = account.id and verified_at <= password.changed_at
        order by ${isSubmitted} desc, kind limit 1
      ) end as "knownElsewhereAs",
      exists (
        select from device_account where device_hash = ${browserHash} and account_id = account.id
      ) as known,
      exists (select from totp where account_id = account.id and active_since is not null) as "hasFactor"
    from account left join password on password.account_id = account.id
    where ${one}`.execute(db);
  return rows[0];
};
