import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { type ClientRow, clientColumns } from './client.table.ts';

/** A client, with the name of the stored logo that its `logo_uri` led to, if any. */
export const findClient = (
  db: Kysely<Database>,
  id: string,
): Promise<(ClientRow & { logo: string | null }) | undefined> =>
  db
    .selectFrom('client')
    .leftJoin('client_logo', (join) =>
      join
        .onRef('client_logo.client_id', '=', 'client.id')
        .on('client_logo.source', '=', sql<string>`client.metadata->>'logo_uri'`),
    )
    .select(clientColumns.map((column) => `client.${column}` as const))
    .select('client_logo.name as logo')
    .where('client.id', '=', id)
    .executeTakeFirst();

export const listClients = (db: Kysely<Database>): Promise<ClientRow[]> =>
  db.selectFrom('client').select(clientColumns).orderBy('id').execute();

/** The registered clients among `ids`. */
export const listClientsOf = async (db: Kysely<Database>, ids: readonly string[]): Promise<ClientRow[]> =>
  ids.length === 0 ? [] : db.selectFrom('client').select(clientColumns).where('id', 'in', ids).execute();

export interface ClientValues {
  id: string;
  brand: string | null;
  metadata: Record<string, unknown>;
  firstParty: boolean;
}

/** Inserts or updates a client; answers whether anything changed. An unchanged row is not written, so no process is notified. */
export const upsertClient = async (db: Kysely<Database>, client: ClientValues): Promise<boolean> => {
  const changing = {
    brand: client.brand,
    metadata: JSON.stringify(client.metadata),
    first_party: client.firstParty,
    updated_at: sql<Date>`now()`,
  };
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('client')
    .values({ id: client.id, ...changing })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(changing)
        .where(
          sql<SqlBool>`(client.brand, client.metadata, client.first_party)
            is distinct from (excluded.brand, excluded.metadata, excluded.first_party)`,
        ),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
};

/** Locks the row of a client and answers its state; undefined where no client has the id. */
export const lockClient = (
  db: Kysely<Database>,
  id: string,
): Promise<Pick<ClientRow, 'id' | 'disabled'> | undefined> =>
  db.selectFrom('client').select(['id', 'disabled']).where('id', '=', id).forUpdate().executeTakeFirst();

export const updateClientDisabled = async (
  db: Kysely<Database>,
  id: string,
  disabled: boolean,
): Promise<void> => {
  await db
    .updateTable('client')
    .set({ disabled, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
};
