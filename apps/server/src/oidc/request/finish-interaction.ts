import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import type { RequestFacts } from '../../browser/request-facts.ts';
import { askPatiently } from '../../db/ask-patiently.ts';
import type { Database } from '../../db/database.ts';
import { isOutage } from '../../db/outage.ts';
import { AppError } from '../../errors.ts';
import type { RememberedConsent } from '../../grant/grant.service.ts';
import { hashToken } from '../../opaque-token.ts';
import { LAST_SUBMISSION } from '../seam/interaction-payload.ts';
import { insertWhere, json, text, toJson } from '../storage/columns.ts';
import { flush } from '../storage/flush.ts';
import { row } from '../storage/row.ts';
import { createUnitOfWork, runInUnit, type UnitOfWork } from '../storage/unit.ts';
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

interface ConsentValues {
  brand: string;
  accountId: string;
  clientId: string;
  scope: string;
  declined: string;
  fingerprint: string;
}

/** The names in texts of names, each once, but for those in `without`. */
const namesOf = (texts: RawBuilder<unknown>[], without = sql`''`) => sql<string>`coalesce((
  select string_agg(distinct name, ' ')
  from unnest(string_to_array(concat_ws(' ', ${sql.join(texts)}), ' ')) as name
  where name <> '' and name <> all (string_to_array(${without}, ' '))
), '')`;

/** Of what was answered before that to the same app: to one of another name or host it is forgotten. */
const before = (column: 'scope' | 'declined') => sql`case
  when coalesce(remembered_consent.client_fingerprint, excluded.client_fingerprint) = excluded.client_fingerprint
  then ${sql.ref(`remembered_consent.${column}`)} end`;

const approvedNames = [before('scope'), sql`excluded.scope`];
const declinedNames = [before('declined'), sql`excluded.declined`];

/** Joins what is remembered by then: another answer, or a withdrawal, may have come meanwhile. */
const rememberConsent = defineWrite<ConsentValues>((db, param, guard) =>
  insertWhere(
    db,
    'remembered_consent',
    {
      brand: text(param('brand')),
      account_id: text(param('accountId')),
      client_id: text(param('clientId')),
      scope: text(param('scope')),
      declined: text(param('declined')),
      client_fingerprint: text(param('fingerprint')),
    },
    guard,
  ).onConflict((conflict) =>
    conflict.columns(['brand', 'account_id', 'client_id']).doUpdateSet({
      scope: namesOf(approvedNames),
      declined: namesOf(declinedNames, sql`concat_ws(' ', ${sql.join(approvedNames)})`),
      client_fingerprint: sql`excluded.client_fingerprint`,
      updated_at: sql`now()`,
    }),
  ),
);

/** Remembers inside the unit how the person answered, so that the same is not asked again. */
export const queueRememberedConsent = (
  unit: UnitOfWork,
  key: { brand: string; accountId: string; clientId: string; fingerprint: string },
  { approved, declined }: RememberedConsent,
): void =>
  unit.keep(row.rememberedConsent(key.clientId), rememberConsent, {
    ...key,
    scope: [...approved].join(' '),
    declined: [...declined].join(' '),
  });
