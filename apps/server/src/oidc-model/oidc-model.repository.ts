import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Deletes at most `limit` of what hangs on a client alone, and answers how many: device codes, pushed requests,
 * tokens of its own.
 */
export const deleteModelsOfClient = async (
  db: Kysely<Database>,
  clientId: string,
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('oidc_model')
    .where(
      ({ refTuple, selectFrom }) =>
        sql<SqlBool>`${refTuple('brand', 'model', 'id_hash')} in ${selectFrom('oidc_model as some')
          .select(['some.brand', 'some.model', 'some.id_hash'])
          .where('some.client_id', '=', clientId)
          // What was used once stays used. Its name is in the text, as in that of the index.
          .where(sql<SqlBool>`${sql.ref('some.model')} <> 'ReplayDetection'`)
          .orderBy('some.brand')
          .orderBy('some.model')
          .orderBy('some.id_hash')
          .limit(limit)
          .forUpdate()}`,
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
