import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';

/** The successor of a refresh token, sealed for who holds the token; undefined where it has none. */
export const findSealedSuccessor = async (
  db: Kysely<Database>,
  { brand, predecessorHash }: { brand: string; predecessorHash: string },
): Promise<string | undefined> => {
  const successor = await db
    .selectFrom('refresh_token')
    .select('sealed_value')
    .where('brand', '=', brand)
    .where('predecessor_hash', '=', predecessorHash)
    .executeTakeFirst();
  return successor?.sealed_value ?? undefined;
};
