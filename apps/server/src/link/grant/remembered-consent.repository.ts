import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
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
      ({ refTuple, selectFrom }) =>
        sql<boolean>`${refTuple('brand', 'account_id')} in ${selectFrom('remembered_consent as some')
          .select(['some.brand', 'some.account_id'])
          .where('some.client_id', '=', clientId)
          .orderBy('some.brand')
          .orderBy('some.account_id')
          .limit(limit)
          .forUpdate()}`,
    )
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return Number(numDeletedRows);
};

export const deleteRememberedConsents = async (db: Kysely<Database>, accountId: string): Promise<void> => {
  await db.deleteFrom('remembered_consent').where('account_id', '=', accountId).execute();
};
