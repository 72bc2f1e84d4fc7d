import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

/**
 * Deletes at most `limit` models that hang on a client alone: device codes, pushed requests, tokens of its own.
 * @returns how many were deleted.
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
          // An id that was used once stays used. The name is a literal, as in the condition of the partial index.
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
