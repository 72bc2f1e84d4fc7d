import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { firstInOrder } from '../../ground/db/first-in-order.ts';
import { lockNames } from '../../ground/db/name-lock.ts';

/** A person of Google, as one client knows them. */
export interface GoogleSubject {
  clientId: string;
  /** The `sub` of Google's ID tokens. */
  subject: string;
}

/** Nobody else makes an account for this person of Google until the transaction ends. */
export const lockGoogleSubject = (trx: Kysely<Database>, { clientId, subject }: GoogleSubject) =>
  lockNames(trx, 'google subject', [`${clientId} ${subject}`]);

/** The account that was made for a person of Google, if there is one. */
export const findAccountOfSubject = async (
  db: Kysely<Database>,
  { clientId, subject }: GoogleSubject,
): Promise<string | undefined> =>
  (
    await db
      .selectFrom('google_subject')
      .select('account_id')
      .where('client_id', '=', clientId)
      .where('subject', '=', subject)
      .executeTakeFirst()
  )?.account_id;

export const insertGoogleSubject = async (
  trx: Kysely<Database>,
  { clientId, subject, accountId }: GoogleSubject & { accountId: string },
): Promise<void> => {
  await trx
    .insertInto('google_subject')
    .values({ client_id: clientId, subject, account_id: accountId })
    .execute();
};

/**
 * Locks the account of a person of Google, where Google's word for the e-mail address opens no more than a code to that
 * address does: the account still has the address, is active, has no second factor, and no newer password.
 * @param email the compare key of the address
 * @returns the id of the account; undefined where its person has to be asked
 */
export const lockUnguardedAccount = async (
  trx: Kysely<Database>,
  { clientId, subject }: GoogleSubject,
  email: string,
): Promise<string | undefined> =>
  (
    await trx
      .selectFrom('google_subject as made')
      .innerJoin('account', 'account.id', 'made.account_id')
      .select('account.id')
      .where('made.client_id', '=', clientId)
      .where('made.subject', '=', subject)
      .where('account.status', '=', 'active')
      .where('account.leaving_at', 'is', null)
      .where(({ and, exists, not, selectFrom }) =>
        and([
          exists(
            selectFrom('account_identifier as address')
              .select(sql`1`.as('one'))
              .whereRef('address.account_id', '=', 'account.id')
              .where('address.kind', '=', 'email')
              .where('address.value', '=', email),
          ),
          not(
            exists(
              selectFrom('totp')
                .select(sql`1`.as('one'))
                .whereRef('totp.account_id', '=', 'account.id')
                .where('totp.active_since', 'is not', null),
            ),
          ),
          not(
            exists(
              selectFrom('password')
                .select(sql`1`.as('one'))
                .whereRef('password.account_id', '=', 'account.id')
                .whereRef('password.changed_at', '>', 'made.created_at'),
            ),
          ),
        ]),
      )
      .forShare(['account'])
      .executeTakeFirst()
  )?.id;

/** Unties a person of Google from the accounts that were made for them, at every client: from then on they are asked. */
export const deleteGoogleSubject = async (trx: Kysely<Database>, subject: string): Promise<void> => {
  await trx.deleteFrom('google_subject').where('subject', '=', subject).execute();
};

/** Deletes at most `limit` of what ties people of Google to accounts at a client, and answers how many. */
export const deleteGoogleSubjectsOfClient = async (
  db: Kysely<Database>,
  clientId: string,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('google_subject')
    .where(
      firstInOrder({
        table: 'google_subject',
        key: ['client_id', 'subject'],
        where: sql`client_id = ${clientId}`,
        limit,
      }),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
