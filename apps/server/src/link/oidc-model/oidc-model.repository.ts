import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { firstInOrder } from '../../ground/db/first-in-order.ts';

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
      firstInOrder({
        table: 'oidc_model',
        key: ['brand', 'model', 'id_hash'],
        // An id that was used once stays used. The name is a literal, as in the condition of the partial index.
        where: sql`client_id = ${clientId} and model <> 'ReplayDetection'`,
        limit,
      }),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
