import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

/** Ways in with a refresh token, in the order of their ids, after one of them. */
export const listSealedTokens = async (
  db: Kysely<Database>,
  { after, limit }: { after: string; limit: number },
): Promise<{ id: string; sealed: string }[]> => {
  const rows = await db
    .selectFrom('federated_identity')
    .select(['id', 'refresh_token_sealed as sealed'])
    .where('refresh_token_sealed', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, sealed }) => ({ id, sealed: sealed ?? '' }));
};

/** Replaces a sealed token unless it has changed; answers whether it was replaced. */
export const updateSealedToken = async (
  db: Kysely<Database>,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('federated_identity')
    .set({ refresh_token_sealed: to })
    .where('id', '=', id)
    .where('refresh_token_sealed', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
