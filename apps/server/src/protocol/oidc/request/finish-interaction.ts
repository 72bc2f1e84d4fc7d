import type { Kysely } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import type { RequestFacts } from '../../../ground/browser/request-facts.ts';
import { askPatiently } from '../../../ground/db/ask-patiently.ts';
import type { Database } from '../../../ground/db/database.ts';
import { isOutage } from '../../../ground/db/outage.ts';
import { AppError } from '../../../ground/errors.ts';
import { hashToken } from '../../../ground/opaque-token.ts';
import { toJson } from '../storage/columns.ts';
import { flush } from '../storage/flush.ts';
import { row } from '../storage/row.ts';
import { createUnitOfWork, runInUnit } from '../storage/unit.ts';
import { answerWithError, answerWithResult, findAnswered } from './interaction-answer.repository.ts';

interface Finish {
  brand: string;
  uid: string;
  facts: RequestFacts;
  /** The session of a grant that the answer makes: the grant ends with the session. */
  sessionUid?: string | undefined;
}

/**
 * Answers an interaction once. The result and all that `prepare` saves are written together, on condition that nobody
 * has answered before. (The engine's own `interactionResult` lets the last answer win.)
 * @throws AppError interaction_expired when the interaction was answered, has expired or has ended.
 */
export type FinishInteraction = (finish: Finish, prepare: () => Promise<InteractionResults>) => Promise<void>;

export const createFinishInteraction =
  (db: Kysely<Database>): FinishInteraction =>
  async ({ brand, uid, facts, sessionUid }, prepare) => {
    const unit = createUnitOfWork(() => facts);
    unit.sessionUid = sessionUid;
    const answer = await runInUnit(unit, async () => {
      const result = await prepare();
      const statement = 'error' in result ? answerWithError : answerWithResult;
      const values = { brand, idHash: hashToken(uid), result: toJson(result) };
      unit.spend(row.interaction(uid, 'answer'), statement, values);
      return values;
    });
    const isWritten = async () => (await askPatiently(() => findAnswered(db, answer))) !== undefined;
    const outcome = await flush(db, unit).catch(async (error: unknown) => {
      if (isOutage(error) && (await isWritten())) return 'committed';
      throw error;
    });
    if (outcome !== 'committed') throw new AppError('interaction_expired');
  };
