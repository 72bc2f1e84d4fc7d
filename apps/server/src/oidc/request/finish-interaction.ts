import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import type { RequestFacts } from '../../browser/request-facts.ts';
import { askPatiently } from '../../db/ask-patiently.ts';
import type { Database } from '../../db/database.ts';
import { isOutage } from '../../db/outage.ts';
import { AppError } from '../../errors.ts';
import { hashToken } from '../../opaque-token.ts';
import { LAST_SUBMISSION } from '../seam/interaction-payload.ts';
import { json, toJson } from '../storage/columns.ts';
import { flush } from '../storage/flush.ts';
import { row } from '../storage/row.ts';
import { createUnitOfWork, runInUnit } from '../storage/unit.ts';
import { defineWrite } from '../storage/write.ts';

export interface FinishOptions {
  db: Kysely<Database>;
  brand: string;
  uid: string;
  facts: RequestFacts;
  /** The session that a grant made here hangs on. */
  sessionUid?: string | undefined;
}

interface Answer {
  brand: string;
  idHash: string;
  result: string;
}

/** `before`: what was answered in an earlier interaction of the request, which still counts. */
const defineAnswer = (before: RawBuilder<unknown>) =>
  defineWrite<Answer>((db, param) =>
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

const answerWithResult = defineAnswer(sql`coalesce(payload->${sql.lit(LAST_SUBMISSION)}, '{}'::jsonb)`);
const answerWithError = defineAnswer(sql`'{}'::jsonb`);

/** Whether the answer was written although the database was lost meanwhile. */
const isAnswered = async (
  db: Kysely<Database>,
  { brand, uid, result }: { brand: string; uid: string; result: InteractionResults },
): Promise<boolean> => {
  const found = await askPatiently(() =>
    db
      .selectFrom('interaction')
      .select('finished_at')
      .where('brand', '=', brand)
      .where('id_hash', '=', hashToken(uid))
      .where('finished_at', 'is not', null)
      .where(sql<boolean>`payload->'result' @> ${json(toJson(result))}`)
      .executeTakeFirst(),
  );
  return found !== undefined;
};

/**
 * Answers an interaction, once: the result and all that `prepare` saves are written together, on the
 * condition that nobody answered before. The engine's own `interactionResult` lets the last one win.
 * @throws AppError interaction_expired when it was answered, has expired or was ended meanwhile.
 */
export const finishInteraction = async (
  { db, brand, uid, facts, sessionUid }: FinishOptions,
  prepare: () => Promise<InteractionResults>,
): Promise<void> => {
  const unit = createUnitOfWork(() => facts);
  unit.sessionUid = sessionUid;
  let result: InteractionResults = {};
  await runInUnit(unit, async () => {
    result = await prepare();
    const answer = 'error' in result ? answerWithError : answerWithResult;
    const values = { brand, idHash: hashToken(uid), result: toJson(result) };
    unit.spend(row.interaction(uid, 'answer'), answer, values);
  });
  const outcome = await flush(db, unit).catch(async (error: unknown) => {
    if (isOutage(error) && (await isAnswered(db, { brand, uid, result }))) return 'committed';
    throw error;
  });
  if (outcome !== 'committed') throw new AppError('interaction_expired');
};

/** Takes the answer of an interaction back, so that the person can sign in anew. */
export const reopenInteraction = async (db: Kysely<Database>, brand: string, uid: string): Promise<void> => {
  await db
    .updateTable('interaction')
    .set({ payload: sql`payload - 'result'`, finished_at: null })
    .where('brand', '=', brand)
    .where('id_hash', '=', hashToken(uid))
    .where('destroyed_at', 'is', null)
    .execute();
};
