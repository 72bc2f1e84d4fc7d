import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../ground/db/database.ts';
import { LAST_SUBMISSION } from '../seam/interaction-payload.ts';
import { json } from '../storage/columns.ts';
import { defineWrite } from '../storage/write.ts';

export interface InteractionKey {
  brand: string;
  idHash: string;
}

/** `result` is the engine's result as JSON. */
export interface InteractionAnswer extends InteractionKey {
  result: string;
}

/** @param before the answers to earlier interactions of the same request; they still count. */
const defineAnswer = (before: RawBuilder<unknown>) =>
  defineWrite<InteractionAnswer>((db, param) =>
    db
      .updateTable('interaction')
      .set({
        payload: sql`jsonb_set(payload, '{result}', ${before} || ${json(param('result'))})`,
        finished_at: sql`now()`,
      })
      .where('brand', '=', param('brand'))
      .where('id_hash', '=', param('idHash'))
      .where('finished_at', 'is', null)
      .where('destroyed_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('id_hash'),
  );

export const answerWithResult = defineAnswer(
  sql`coalesce(payload->${sql.lit(LAST_SUBMISSION)}, '{}'::jsonb)`,
);
export const answerWithError = defineAnswer(sql`'{}'::jsonb`);

/** Finds the interaction if its row holds this answer. */
export const findAnswered = (
  db: Kysely<Database>,
  { brand, idHash, result }: InteractionAnswer,
): Promise<{ finished_at: Date | null } | undefined> =>
  db
    .selectFrom('interaction')
    .select('finished_at')
    .where('brand', '=', brand)
    .where('id_hash', '=', idHash)
    .where('finished_at', 'is not', null)
    .where(sql<boolean>`payload->'result' @> ${json(result)}`)
    .executeTakeFirst();

/** Takes the answer of an interaction back, so that the person can sign in anew. */
export const reopenInteraction = async (
  db: Kysely<Database>,
  { brand, idHash }: InteractionKey,
): Promise<void> => {
  await db
    .updateTable('interaction')
    .set({ payload: sql`payload - 'result'`, finished_at: null })
    .where('brand', '=', brand)
    .where('id_hash', '=', idHash)
    .where('destroyed_at', 'is', null)
    .execute();
};
