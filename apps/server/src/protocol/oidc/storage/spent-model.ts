import type { Kysely } from 'kysely';
import type { Database } from '../../../ground/db/database.ts';
import { isSpentBy } from './columns.ts';

/** Whether the row of a model was spent with that mark: see `isSpentBy`. */
export const isModelSpentBy = async (
  db: Kysely<Database>,
  { brand, model, idHash, mark }: { brand: string; model: string; idHash: string; mark: string },
): Promise<boolean> => {
  const found = await db
    .selectFrom('oidc_model')
    .select(isSpentBy(mark).as('isSpent'))
    .where('brand', '=', brand)
    .where('model', '=', model)
    .where('id_hash', '=', idHash)
    .forShare()
    .executeTakeFirst();
  return found?.isSpent === true;
};
