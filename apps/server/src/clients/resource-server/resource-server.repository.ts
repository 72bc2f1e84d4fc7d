import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { type ResourceServerRow, resourceServerColumns } from './resource-server.table.ts';
import type { ResourceServerMetadata } from './resource-server-entry.ts';

export const listResourceServers = (db: Kysely<Database>): Promise<ResourceServerRow[]> =>
  db.selectFrom('resource_server').select(resourceServerColumns).orderBy('identifier').execute();

export interface ResourceServerValues {
  identifier: string;
  brand: string | null;
  metadata: ResourceServerMetadata;
}

/** Writes a resource server unless nothing of it changed, so that no process is notified in vain; answers whether it wrote. */
export const upsertResourceServer = async (
  db: Kysely<Database>,
  { identifier, brand, metadata }: ResourceServerValues,
): Promise<boolean> => {
  const changing = { brand, metadata: JSON.stringify(metadata), updated_at: sql<Date>`now()` };
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('resource_server')
    .values({ identifier, ...changing })
    .onConflict((conflict) =>
      conflict
        .column('identifier')
        .doUpdateSet(changing)
        .where(
          sql<SqlBool>`(resource_server.brand, resource_server.metadata)
            is distinct from (excluded.brand, excluded.metadata)`,
        ),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
};
