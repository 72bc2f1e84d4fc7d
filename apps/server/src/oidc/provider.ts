import { cookieNames } from '@candela/contract/rules/cookie-names';
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import type { Kysely } from 'kysely';
import Provider from 'oidc-provider';
import type { RequestFacts } from '../browser/request-facts.ts';
import type { Database } from '../db/database.ts';
import { isOutage, noteOutage } from '../db/outage.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import { hashToken } from '../opaque-token.ts';
import { createSecretComparison } from './client/client-secret.ts';
import type { FailedAuthentications } from './client/failed-authentication.ts';
import { type ConfigurationOptions, createConfiguration } from './configuration.ts';
import { createDevicePage, isDeviceAnswer, leadOvertaken } from './device/device-flow.ts';
import { endpoints } from './endpoints.ts';
import { answerInvalidGrant, correctAnswer } from './engine-answers.ts';
import { describeAnswer, type EngineError } from './error-descriptions.ts';
import { clearSiteData, leadSignedOut } from './logout.ts';
import { type CodeReuse, noteRefusals, tellOutcome } from './protocol-events.ts';
import { openWith } from './refresh/successor.ts';
import { reopenInteraction } from './request/finish-interaction.ts';
import { bindIdTokens } from './seam/at-hash.ts';
import { replaceSecretComparison } from './seam/client-model.ts';
import type { FlushOutcome } from './storage/flush.ts';
import { flush } from './storage/flush.ts';
import { createUnitOfWork, runInUnit, type UnitOfWork } from './storage/unit.ts';
import { deleteGrantOfAuthorizationCode, deleteGrantOfDeviceCode } from './token/code-reuse.repository.ts';

export interface BrandProviderOptions extends ConfigurationOptions {
  facts(ctx: Context): RequestFacts;
  events: EventSink;
  failures: FailedAuthentications;
}

/** The authorization server of one brand: its engine, and the middleware that serves its endpoints. */
export interface BrandProvider {
  provider: Provider;
  middleware: Middleware;
}

const findSealedSuccessor = (db: Kysely<Database>, brand: string, predecessor: string) =>
  db
    .selectFrom('refresh_token')
    .select('sealed_value')
    .where('brand', '=', brand)
    .where('predecessor_hash', '=', hashToken(predecessor))
    .executeTakeFirst();

/** Whoever presents the same token gets the same successor, whichever request made it. */
const answerWithSuccessor = async (
  ctx: Context,
  { rotation }: UnitOfWork,
  outcome: FlushOutcome,
  { db, brand }: { db: Kysely<Database>; brand: string },
) => {
  const body = ctx.body as { refresh_token?: string } | undefined;
  if (!rotation || ctx.status !== 200 || !body?.refresh_token) return;
  const sealed =
    outcome === 'rotated-elsewhere'
      ? (await findSealedSuccessor(db, brand, rotation.predecessor))?.sealed_value
      : rotation.successor?.sealedValue;
  if (sealed) body.refresh_token = openWith(rotation.predecessor, sealed);
  else if (outcome === 'rotated-elsewhere') answerInvalidGrant(ctx);
};

/** To the sign-in of the same request; the engine may have begun another interaction since. */
const leadToSignIn = async (ctx: Context, db: Kysely<Database>, brand: string) => {
  const uid = ctx.path.split('/').at(-1) ?? '';
  await reopenInteraction(db, brand, uid);
  ctx.redirect(`/interaction/${uid}`);
  ctx.status = 303;
};

const endGrant = (db: Kysely<Database>, brand: string, grantId: string | undefined) =>
  grantId
    ? db.deleteFrom('authorization_grant').where('brand', '=', brand).where('id', '=', grantId).execute()
    : undefined;

type Unwritten = Exclude<FlushOutcome, 'committed' | 'rotated-elsewhere'>;

const isUnwritten = (outcome: FlushOutcome): outcome is Unwritten =>
  outcome === 'spent' || outcome === 'gone' || outcome === 'overtaken';

/** What was not written is not told to the browser either: its cookies stay as they were. */
const withdraw = (ctx: Context) => {
  ctx.remove('Set-Cookie');
  ctx.remove('Location');
};

/** A code was presented that had been spent: decides what becomes of the tokens that it was exchanged for. */
const settleReuse = async (ctx: Context, db: Kysely<Database>, brand: string): Promise<CodeReuse> => {
  const { AuthorizationCode, DeviceCode } = ctx.oidc?.entities ?? {};
  const code = AuthorizationCode ?? DeviceCode;
  if (!code?.grantId) return 'duplicate';
  const remove = AuthorizationCode ? deleteGrantOfAuthorizationCode : deleteGrantOfDeviceCode;
  const ended = await remove(db, { brand, idHash: hashToken(code.jti), grantId: code.grantId });
  return ended ? 'ended' : 'duplicate';
};

/** A code that others were faster with was used, as the engine says it of one that it finds so. */
const refusalOf = (ctx: Context, outcome: Unwritten): EngineError | undefined =>
  outcome === 'spent' && ctx.oidc?.entities.AuthorizationCode
    ? { error_detail: 'authorization code already consumed' }
    : undefined;

const dropSessionCookie = (ctx: Context, name: string) => {
  const cookies = [ctx.response.get('Set-Cookie') ?? []].flat();
  const kept = cookies.filter(
    (cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.sig=`),
  );
  ctx.remove('Set-Cookie');
  if (kept.length > 0) ctx.set('Set-Cookie', kept);
};

/** Answers a request of which nothing was written. */
const answerUnwritten = async (
  ctx: Context,
  outcome: Unwritten,
  { db, brand: { id: brand }, pages }: BrandProviderOptions,
): Promise<CodeReuse | undefined> => {
  if (outcome === 'overtaken') {
    await leadToSignIn(ctx, db, brand);
  } else if (ctx.path === endpoints.token) {
    answerInvalidGrant(ctx);
    return outcome === 'spent' ? settleReuse(ctx, db, brand) : undefined;
  } else if (isDeviceAnswer(ctx)) {
    // Who answered for a device after somebody else did has approved nothing.
    if (outcome === 'spent') await endGrant(db, brand, ctx.oidc?.entities.DeviceCode?.grantId);
    leadOvertaken(ctx, outcome === 'spent' ? 'used' : 'ended');
  } else {
    await pages.renderGone(ctx);
  }
  return undefined;
};

/** Runs each protocol request as one unit of work, written before the answer leaves. */
const createUnitMiddleware = (options: BrandProviderOptions): Middleware => {
  const { db, brand, facts, events } = options;

  const run = async (ctx: Context, unit: UnitOfWork, next: () => Promise<unknown>): Promise<FlushOutcome> => {
    await runInUnit(unit, next);
    if (unit.outage) throw new AppError('unavailable', { cause: unit.outage, retryAfterSeconds: 2 });
    // Its browser alone learns the session's new id: a sign-in that is written and not told is lost.
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
      describeAnswer(ctx, refusalOf(ctx, outcome));
    } else {
      await answerWithSuccessor(ctx, unit, outcome, { db, brand: brand.id });
      correctAnswer(ctx, brand.origin);
      describeAnswer(ctx, unit.noted.refusal as EngineError | undefined);
      if (unit.sessionless) dropSessionCookie(ctx, cookieNames(brand.origin).session);
      leadSignedOut(ctx);
      clearSiteData(ctx);
    }
    tellOutcome(events, brand.id, { ctx, unit, outcome, reuse });
  };
};

export const createEngine = (options: ConfigurationOptions): Provider =>
  new Provider(options.brand.origin, createConfiguration(options));

export const createBrandProvider = (options: BrandProviderOptions): BrandProvider => {
  const provider = createEngine(options);
  provider.proxy = false;
  noteRefusals(provider);
  replaceSecretComparison(provider, createSecretComparison(options));
  bindIdTokens(provider);
  // Of a reading that several requests share, each of them hears here.
  provider.on('server_error', (_ctx, error) => noteOutage(error));
  provider.use(createUnitMiddleware(options));
  provider.use(createDevicePage(provider));
  return { provider, middleware: compose(provider.middleware) as Middleware };
};
