import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context, Middleware } from 'koa';
import type { Kysely } from 'kysely';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { isOutage } from '../../ground/db/outage.ts';
import { AppError } from '../../ground/errors.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { findSealedSuccessor } from '../../link/oidc-model/refresh-token.repository.ts';
import { endpoints } from './endpoints.ts';
import { answerInvalidGrant, answerPostponed, correctAnswer } from './engine-answers.ts';
import { describeAnswer } from './error-descriptions.ts';
import { clearSiteData, leadSignedOut } from './logout.ts';
import { type CodeReuse, emitOutcome, type OutcomeSinks } from './protocol-events.ts';
import { tellExpiration } from './refresh/expiration.ts';
import { presentedIn } from './refresh/presented.ts';
import { openWith } from './refresh/successor.ts';
import { type FlushOutcome, flush } from './storage/flush.ts';
import { createUnitOfWork, runInUnit, type UnitOfWork } from './storage/unit.ts';
import {
  answerUnwritten,
  isUnwritten,
  refusalOf,
  type UnwrittenAnswersOptions,
} from './unwritten-answers.ts';

export interface UnitOptions extends UnwrittenAnswersOptions, OutcomeSinks {
  brand: { id: string; origin: string };
  facts(ctx: Context): RequestFacts;
}

/** Whoever presents the same token gets the same successor, whichever request made it. */
const answerWithSuccessor = async (
  ctx: Context,
  unit: UnitOfWork,
  outcome: FlushOutcome,
  { db, brand }: { db: Kysely<Database>; brand: string },
) => {
  const rotation = presentedIn(unit);
  const body = ctx.body as { refresh_token?: string } | undefined;
  if (!rotation || ctx.status !== 200 || !body?.refresh_token) return;
  const sealed =
    outcome === 'rotated-elsewhere'
      ? await findSealedSuccessor(db, { brand, predecessorHash: hashToken(rotation.predecessor) })
      : rotation.successor?.sealedValue;
  if (sealed) body.refresh_token = openWith(rotation.predecessor, sealed);
  else if (outcome === 'rotated-elsewhere') answerInvalidGrant(ctx);
};

/** What was not written is not sent to the browser either: its cookies stay as they were. */
const withdraw = (ctx: Context) => {
  ctx.remove('Set-Cookie');
  ctx.remove('Location');
};

const dropSessionCookie = (ctx: Context, name: string) => {
  const cookies = [ctx.response.get('Set-Cookie') ?? []].flat();
  const kept = cookies.filter(
    (cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.sig=`),
  );
  ctx.remove('Set-Cookie');
  if (kept.length > 0) ctx.set('Set-Cookie', kept);
};

/** Why the request is to be made again. A token to revoke is looked for as each kind, and may be found as another. */
const postponedOf = (ctx: Context, { noted }: UnitOfWork) => {
  const { AccessToken, ClientCredentials } = ctx.oidc?.entities ?? {};
  const isRevoked = ctx.path === endpoints.revocation && (AccessToken ?? ClientCredentials) !== undefined;
  return isRevoked ? undefined : noted.postponed;
};

/** Runs each protocol request as one unit of work, written before the answer leaves. */
export const createUnitMiddleware = (options: UnitOptions): Middleware => {
  const { db, brand, facts } = options;

  const run = async (ctx: Context, unit: UnitOfWork, next: () => Promise<unknown>): Promise<FlushOutcome> => {
    await runInUnit(unit, next);
    if (unit.outage) throw new AppError('unavailable', { cause: unit.outage, retryAfterSeconds: 2 });
    // The session's new id is sent to its browser alone: a sign-in that is written and never sent is lost.
    return flush(db, unit, { failed: ctx.status >= 400 }).catch(
      async (error: unknown): Promise<FlushOutcome> => {
        if (isOutage(error) && (await unit.proof?.(db))) return 'committed';
        throw error;
      },
    );
  };

  return async (ctx, next) => {
    const unit = createUnitOfWork(() => facts(ctx));
    const outcome = await run(ctx, unit, next).catch((error: unknown) => {
      withdraw(ctx);
      throw error;
    });
    let reuse: CodeReuse | undefined = unit.noted.lateCode ? 'late' : undefined;
    if (isUnwritten(outcome)) {
      withdraw(ctx);
      reuse = await answerUnwritten(ctx, outcome, options);
      const refusal = refusalOf(ctx, outcome);
      describeAnswer(ctx, refusal);
      if (refusal?.error) unit.noted.refusal = refusal;
    } else {
      await answerWithSuccessor(ctx, unit, outcome, { db, brand: brand.id });
      tellExpiration(ctx, unit);
      correctAnswer(ctx, brand.origin);
      const postponed = postponedOf(ctx, unit);
      if (postponed) unit.noted.refusal = answerPostponed(ctx, postponed);
      describeAnswer(ctx, unit.noted.refusal);
      if (unit.leavesCookie || outcome === 'renewed-elsewhere')
        dropSessionCookie(ctx, cookieNames(brand.origin).session);
      leadSignedOut(ctx);
      clearSiteData(ctx);
    }
    emitOutcome(options, brand.id, { ctx, unit, outcome, reuse });
  };
};
