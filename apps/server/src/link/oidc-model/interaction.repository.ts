import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { type ExpiredRows, oldestExpired } from '../../ground/db/delete-expired.ts';
import { type InteractionRow, interactionColumns } from './interaction.table.ts';

export interface InteractionKey {
  brand: string;
  idHash: string;
}

/** The payload of an interaction that can no longer be answered: only whether it was for a device. */
export const emptiedPayload = sql<string>`jsonb_strip_nulls(
  jsonb_build_object('deviceCode', payload->'deviceCode'))`;

/**
 * Empties at most `limit` interactions that ended `keptSeconds` ago or earlier, the oldest first. The rows stay for late
 * visitors.
 * @returns how many were emptied.
 */
export const emptyInteractions = async (
  db: Kysely<Database>,
  ended: Pick<ExpiredRows, 'now' | 'keptSeconds' | 'limit'>,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    update interaction set payload = ${emptiedPayload}, emptied = true
    where ${oldestExpired(db, { table: 'interaction', ...ended }, sql<SqlBool>`not emptied`)}`.execute(db);
  return Number(numAffectedRows ?? 0);
};

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

/** Marks that the person wants another account; false where the interaction is finished or gone. */
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
