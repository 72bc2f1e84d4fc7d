import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import type { Kysely } from 'kysely';
import Provider from 'oidc-provider';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { answerIllFormedCredentials } from './client-authentication.ts';
import { compareHashedSecrets } from './client-secret.ts';
import { hashId } from './columns.ts';
import { type ConfigurationOptions, createConfiguration } from './configuration.ts';
import {
  createDevicePage,
  describeDeviceAuthorization,
  isDeviceAnswer,
  leadOvertaken,
} from './device-flow.ts';
import { reopenInteraction } from './finish-interaction.ts';
import { openWith } from './successor.ts';
import { answerUnauthorizedClient } from './unauthorized-client.ts';
import {
  createUnitOfWork,
  type FlushOutcome,
  flush,
  type RequestFacts,
  runInUnit,
  type UnitOfWork,
} from './unit-of-work.ts';

export interface BrandProviderOptions extends ConfigurationOptions {
  facts(ctx: Context): RequestFacts;
}

/** The authorization server of one brand: its engine, and the middleware that serves its endpoints. */
export interface BrandProvider {
  provider: Provider;
  middleware: Middleware;
}

const TOKEN_PATH = '/oauth/token';
const INTROSPECTION_PATH = '/oauth/introspect';

/** RFC 6749 section 5.2; nothing beside the code, as platforms of account linking have it. */
const answerInvalidGrant = (ctx: Context) => {
  ctx.status = 400;
  ctx.body = { error: 'invalid_grant' };
};

const shortenInvalidGrant = (ctx: Context) => {
  const body = ctx.body as { error?: string } | undefined;
  if (ctx.path === TOKEN_PATH && ctx.status === 400 && body?.error === 'invalid_grant')
    answerInvalidGrant(ctx);
};

/** RFC 7662 section 2.2: what is not a token of ours is inactive, a JWT too. */
const answerInactive = (ctx: Context) => {
  const body = ctx.body as { error?: string } | undefined;
  if (ctx.path !== INTROSPECTION_PATH || body?.error !== 'unsupported_token_type') return;
  ctx.status = 200;
  ctx.body = { active: false };
};

const findSealedSuccessor = (db: Kysely<Database>, brand: string, predecessor: string) =>
  db
    .selectFrom('refresh_token')
    .select('sealed_value')
    .where('brand', '=', brand)
    .where('predecessor_hash', '=', hashId(predecessor))
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

/**
 * Nothing was written, so nothing of it is told to the browser either: its cookies stay as they were. The
 * interaction is the one that was resumed; the engine may have begun another one since.
 */
const leadToSignIn = async (ctx: Context, db: Kysely<Database>, brand: string) => {
  const uid = ctx.path.split('/').at(-1) ?? '';
  await reopenInteraction(db, brand, uid);
  ctx.remove('Set-Cookie');
  ctx.redirect(`/interaction/${uid}`);
  ctx.status = 303;
};

const endGrant = (db: Kysely<Database>, brand: string, grantId: string | undefined) =>
  grantId
    ? db.deleteFrom('authorization_grant').where('brand', '=', brand).where('id', '=', grantId).execute()
    : undefined;

/** Runs each protocol request as one unit of work, written before the answer leaves. */
const createUnitMiddleware =
  (
    { db, brand: { id: brand, origin }, facts, pages }: BrandProviderOptions,
    provider: Provider,
  ): Middleware =>
  async (ctx, next) => {
    const unit = createUnitOfWork(() => facts(ctx));
    await runInUnit(unit, next);
    if (unit.outage) throw new AppError('unavailable', { cause: unit.outage, retryAfterSeconds: 2 });

    const outcome = await flush(db, unit, { failed: ctx.status >= 400 });
    if (outcome === 'overtaken') return leadToSignIn(ctx, db, brand);
    if (outcome === 'spent' || outcome === 'gone') {
      // RFC 6749 section 4.1.2: a code used twice also takes what it had been exchanged for. Who answered for a
      // device after somebody else did has approved nothing.
      const { AuthorizationCode, DeviceCode } = ctx.oidc?.entities ?? {};
      if (outcome === 'spent') await endGrant(db, brand, (AuthorizationCode ?? DeviceCode)?.grantId);
      if (ctx.path === TOKEN_PATH) {
        answerInvalidGrant(ctx);
        provider.emit('grant.error', ctx as never, new Error(`lost a race: ${outcome}`) as never);
      } else if (isDeviceAnswer(ctx)) {
        leadOvertaken(ctx, outcome === 'spent' ? 'used' : 'ended');
      } else {
        await pages.renderGone(ctx);
      }
      return;
    }
    await answerWithSuccessor(ctx, unit, outcome, { db, brand });
    answerInactive(ctx);
    describeDeviceAuthorization(ctx, origin);
    shortenInvalidGrant(ctx);
    answerIllFormedCredentials(ctx, origin);
    answerUnauthorizedClient(ctx);
  };

export const createEngine = (options: ConfigurationOptions): Provider =>
  new Provider(options.brand.origin, createConfiguration(options));

export const createBrandProvider = (options: BrandProviderOptions): BrandProvider => {
  const provider = createEngine(options);
  provider.proxy = false;
  compareHashedSecrets(provider, options.clients);
  provider.use(createUnitMiddleware(options, provider));
  provider.use(createDevicePage(provider));
  return { provider, middleware: compose(provider.middleware) as Middleware };
};
