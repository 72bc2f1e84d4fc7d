import { type Kysely, sql } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { hashId } from './columns.ts';
import { createUnitOfWork, flush, type RequestFacts, runInUnit } from './unit-of-work.ts';

export interface FinishOptions {
  db: Kysely<Database>;
  brand: string;
  uid: string;
  facts: RequestFacts;
  /** The session that a grant made here hangs on. */
  sessionUid?: string | undefined;
}

/**
 * Answers an interaction, once: the result and all that `prepare` saves are written together, on the
 * condition that nobody answered before. The engine's own `interactionResult` lets the last one win.
 * @throws AppError interaction_expired when it was answered, has expired or was ended meanwhile.
 */
export const finishInteraction = async (
  { db, brand, uid, facts, sessionUid }: FinishOptions,
  prepare: () => Promise<InteractionResults>,
): Promise<void> => {
  const unit = createUnitOfWork(facts);
  unit.sessionUid = sessionUid;
  await runInUnit(unit, async () => {
    const result = await prepare();
    unit.writes.set(`Interaction:${uid}:finish`, {
      kind: 'spend',
      statement: (qc) =>
        qc
          .updateTable('interaction')
          .set({
            // What was answered in an earlier interaction of the request still counts.
            payload: sql`jsonb_set(payload, '{result}', ${
              'error' in result ? sql`'{}'::jsonb` : sql`coalesce(payload->'lastSubmission', '{}'::jsonb)`
            } || cast(${JSON.stringify(result)} as jsonb))`,
            finished_at: sql`now()`,
          })
          .where('brand', '=', brand)
          .where('id_hash', '=', hashId(uid))
          .where('finished_at', 'is', null)
          .where('destroyed_at', 'is', null)
          .where('expires_at', '>', sql<Date>`now()`)
          .returning('id_hash'),
    });
  });
  const outcome = await flush(db, unit);
  if (outcome !== 'committed') throw new AppError('interaction_expired');
};

/** Takes the answer of an interaction back, so that the person can sign in anew. */
export const reopenInteraction = async (db: Kysely<Database>, brand: string, uid: string): Promise<void> => {
  await db
    .updateTable('interaction')
    .set({ payload: sql`payload - 'result'`, finished_at: null })
    .where('brand', '=', brand)
    .where('id_hash', '=', hashId(uid))
    .where('destroyed_at', 'is', null)
    .execute();
};

/** Remembers inside the unit what is approved, so that the same is not asked again. */
export const queueRememberedConsent = (
  unit: ReturnType<typeof createUnitOfWork>,
  { brand, accountId, clientId }: { brand: string; accountId: string; clientId: string },
  scope: string,
): void => {
  unit.writes.set(`RememberedConsent:${clientId}`, {
    kind: 'state',
    statement: (qc, guard) =>
      qc
        .insertInto('remembered_consent')
        .columns(['brand', 'account_id', 'client_id', 'scope'])
        .expression(
          sql`select cast(${brand} as text), cast(${accountId} as text), cast(${clientId} as text), cast(${scope} as text)${
            guard ? sql` where ${guard}` : sql``
          }` as never,
        )
        .onConflict((conflict) =>
          conflict
            .columns(['brand', 'account_id', 'client_id'])
            .doUpdateSet({ scope, updated_at: sql`now()` }),
        ),
  });
};
