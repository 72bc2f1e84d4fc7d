import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { ClientRow } from './client.table.ts';

export const findClient = (db: Kysely<Database>, id: string): Promise<ClientRow | undefined> =>
  db.selectFrom('client').selectAll().where('id', '=', id).executeTakeFirst();

export const listClients = (db: Kysely<Database>): Promise<ClientRow[]> =>
  db.selectFrom('client').selectAll().orderBy('id').execute();

export interface ClientValues {
  id: string;
  brand: string | null;
  metadata: Record<string, unknown>;
  firstParty: boolean;
}

export const upsertClient = async (db: Kysely<Database>, client: ClientValues): Promise<void> => {
  const changing = {
    brand: client.brand,
    metadata: JSON.stringify(client.metadata),
    first_party: client.firstParty,
    updated_at: sql<Date>`now()`,
  };
  await db
    .insertInto('client')
    .values({ id: client.id, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute();
};
