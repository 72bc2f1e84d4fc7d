import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { type InteractionRow, interactionColumns } from './interaction.table.ts';

export interface InteractionKey {
  brand: string;
  idHash: string;
}

export const findInteraction = (
  db: Kysely<Database>,
  { brand, idHash }: InteractionKey,
): Promise<InteractionRow | undefined> =>
  db
    .selectFrom('interaction')
    .select(interactionColumns)
    .where('brand', '=', brand)
    .where('id_hash', '=', idHash)
    .executeTakeFirst();

/** Marks that another account is wanted; false when the interaction is finished or gone. */
export const markSwitched = async (
  db: Kysely<Database>,
  { brand, idHash }: InteractionKey,
): Promise<boolean> => {
  const row = await db
    .updateTable('interaction')
    .set({ switched_at: sql`now()` })
    .where('brand', '=', brand)
    .where('id_hash', '=', idHash)
    .where('finished_at', 'is', null)
    .where('destroyed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id_hash')
    .executeTakeFirst();
  return row !== undefined;
};
