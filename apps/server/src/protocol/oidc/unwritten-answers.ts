import type { Context } from 'koa';
import type { Kysely } from 'kysely';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../../ground/db/database.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { endLinks } from '../../link/ending/ended-links.ts';
import { deletionOfGrant } from '../../link/grant/grant.repository.ts';
import { policyOf } from './client/client-policy.ts';
import type { EnginePages } from './configuration.ts';
import { isDeviceAnswer, leadOvertaken } from './device/device-flow.ts';
import { endpoints } from './endpoints.ts';
import { answerInvalidGrant, answerPostponed } from './engine-answers.ts';
import type { EngineError } from './engine-error.ts';
import type { CodeReuse } from './protocol-events.ts';
import { reopenInteraction } from './request/interaction-answer.repository.ts';
import type { FlushOutcome } from './storage/flush.ts';
import {
  deleteGrantOfAuthorizationCode,
  deleteGrantOfDeviceCode,
  duplicateSeconds,
} from './token/code-reuse.repository.ts';

/** Outcomes of a request of which nothing was written. */
export type Unwritten = Exclude<FlushOutcome, 'committed' | 'rotated-elsewhere' | 'renewed-elsewhere'>;

export const isUnwritten = (outcome: FlushOutcome): outcome is Unwritten =>
  outcome === 'spent' || outcome === 'gone' || outcome === 'narrowed' || outcome === 'overtaken';

/** What an authorization request spends is a pushed request. */
const isAuthorization = ({ path }: Context): boolean =>
  path === endpoints.authorization || path.startsWith(`${endpoints.authorization}/`);

/** Leads to the sign-in of the same request; the engine may have begun another interaction since. */
const leadToSignIn = async (ctx: Context, db: Kysely<Database>, brand: string) => {
  const uid = ctx.path.split('/').at(-1) ?? '';
  await reopenInteraction(db, { brand, idHash: hashToken(uid) });
  ctx.redirect(`/interaction/${uid}`);
  ctx.status = 303;
};

/** Decides what becomes of the tokens that a code was exchanged for, where the code is presented again. */
const settleReuse = async (ctx: Context, db: Kysely<Database>, brand: string): Promise<CodeReuse> => {
  const { AuthorizationCode, DeviceCode } = ctx.oidc?.entities ?? {};
  const code = AuthorizationCode ?? DeviceCode;
  if (!code?.grantId) return 'duplicate';
  const remove = AuthorizationCode ? deleteGrantOfAuthorizationCode : deleteGrantOfDeviceCode;
  const spent = {
    brand,
    idHash: hashToken(code.jti),
    grantId: code.grantId,
    duplicateSeconds: duplicateSeconds(policyOf(ctx.oidc?.client)),
  };
  const ended = await endLinks(db, 'code_reused', (trx) => remove(trx, spent));
  return ended > 0 ? 'ended' : 'duplicate';
};

export interface UnwrittenAnswersOptions {
  db: Kysely<Database>;
  brand: { id: string };
  pages: Pick<EnginePages, 'renderGone' | 'renderUsed'>;
}

/** Answers a request of which nothing was written. */
export const answerUnwritten = async (
  ctx: Context,
  outcome: Unwritten,
  { db, brand: { id: brand }, pages }: UnwrittenAnswersOptions,
): Promise<CodeReuse | undefined> => {
  if (outcome === 'overtaken') {
    await leadToSignIn(ctx, db, brand);
  } else if (outcome === 'narrowed') {
    answerPostponed(ctx, 'narrowed');
  } else if (ctx.path === endpoints.token) {
    answerInvalidGrant(ctx);
    return outcome === 'spent' ? settleReuse(ctx, db, brand) : undefined;
  } else if (isDeviceAnswer(ctx)) {
    // Who answered for a device after somebody else did has approved nothing: that grant has become no link.
    const approved = ctx.oidc?.entities.DeviceCode?.grantId;
    if (outcome === 'spent' && approved) await deletionOfGrant(db, { brand, id: approved }).execute();
    leadOvertaken(ctx, outcome === 'spent' ? 'used' : 'ended');
  } else if (outcome === 'spent' && isAuthorization(ctx)) {
    await pages.renderUsed(ctx as KoaContextWithOIDC);
  } else {
    await pages.renderGone(ctx);
  }
  return undefined;
};

/** The engine's own error for a code or a pushed request that is used, where another request was faster to use it. */
export const refusalOf = (ctx: Context, outcome: Unwritten): EngineError | undefined =>
  outcome !== 'spent'
    ? undefined
    : isAuthorization(ctx)
      ? { error: 'invalid_request_uri', error_description: 'request_uri was already used' }
      : ctx.oidc?.entities.AuthorizationCode && { error_detail: 'authorization code already consumed' };
