import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';

export interface ConsentKey {
  brand: string;
  accountId: string;
  clientId: string;
}

export const findRememberedConsent = (db: Kysely<Database>, { brand, accountId, clientId }: ConsentKey) =>
  db
    .selectFrom('remembered_consent')
    .select(['scope', 'declined'])
    .where('brand', '=', brand)
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();

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

export const deleteRememberedConsents = async (db: Kysely<Database>, accountId: string): Promise<void> => {
  await db.deleteFrom('remembered_consent').where('account_id', '=', accountId).execute();
};
