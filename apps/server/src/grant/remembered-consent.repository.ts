import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';

export interface ConsentKey {
  brand: string;
  accountId: string;
  clientId: string;
}

export const findRememberedConsent = (db: Kysely<Database>, { brand, accountId, clientId }: ConsentKey) =>
  db
    .selectFrom('remembered_consent')
    .select('scope')
    .where('brand', '=', brand)
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();

export const upsertRememberedConsent = async (
  db: Kysely<Database>,
  { brand, accountId, clientId }: ConsentKey,
  scope: string,
): Promise<void> => {
  await db
    .insertInto('remembered_consent')
    .values({ brand, account_id: accountId, client_id: clientId, scope })
    .onConflict((conflict) =>
      conflict.columns(['brand', 'account_id', 'client_id']).doUpdateSet({ scope, updated_at: sql`now()` }),
    )
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

export const deleteRememberedConsents = async (db: Kysely<Database>, accountId: string): Promise<void> => {
  await db.deleteFrom('remembered_consent').where('account_id', '=', accountId).execute();
};
