import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { firstInOrder } from '../../ground/db/first-in-order.ts';
import { compileOnce, type Param } from '../../ground/db/statement.ts';

export interface ConsentKey {
  brand: string;
  accountId: string;
  clientId: string;
}

const selectRemembered = compileOnce((db, param: Param<ConsentKey>) =>
  db
    .selectFrom('remembered_consent')
    .select(['scope', 'declined', 'client_fingerprint'])
    .where('brand', '=', param('brand'))
    .where('account_id', '=', param('accountId'))
    .where('client_id', '=', param('clientId')),
);

export const findRememberedConsent = async (
  db: Kysely<Database>,
  { brand, accountId, clientId }: ConsentKey,
) => (await selectRemembered(db, { brand, accountId, clientId }))[0];

/** Notes the fingerprint of the client, where the row has none. */
export const updateMissingFingerprint = async (
  db: Kysely<Database>,
  { brand, accountId, clientId }: ConsentKey,
  fingerprint: string,
): Promise<void> => {
  await db
    .updateTable('remembered_consent')
    .set({ client_fingerprint: fingerprint })
    .where('brand', '=', brand)
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .where('client_fingerprint', 'is', null)
    .execute();
};

/** Forgets that scopes were approved, by their keys: the person is asked for them again. */
export const forgetScopes = async (
  trx: Kysely<Database>,
  { brand, accountId, clientId }: ConsentKey,
  keys: readonly string[],
): Promise<void> => {
  await trx
    .updateTable('remembered_consent')
    .set({
      scope: sql`array_to_string(array(
        select key from unnest(string_to_array(scope, ' ')) as key where key <> all (${keys})
      ), ' ')`,
      updated_at: sql`now()`,
    })
    .where('brand', '=', brand)
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .execute();
};

export const deleteRememberedConsent = async (
  db: Kysely<Database>,
  { brand, accountId, clientId }: ConsentKey,
): Promise<void> => {
  await db
    .deleteFrom('remembered_consent')
    .where('brand', '=', brand)
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .execute();
};

/** Deletes at most `limit` of what people approved for a client, and answers how many. */
export const deleteRememberedConsentsOfClient = async (
  db: Kysely<Database>,
  clientId: string,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('remembered_consent')
    .where(
      firstInOrder({
        table: 'remembered_consent',
        key: ['brand', 'account_id', 'client_id'],
        where: sql`client_id = ${clientId}`,
        limit,
      }),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

export const deleteRememberedConsents = async (db: Kysely<Database>, accountId: string): Promise<void> => {
  await db.deleteFrom('remembered_consent').where('account_id', '=', accountId).execute();
};
