import { type Agreement, interactionApi, type Locale, matchLocale, type RememberedAccount } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Kysely } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import type { AccountService } from '../account/account.service.ts';
import type { AuthenticationService } from '../authentication/authentication.service.ts';
import { type Client, type ClientService, toClientSummary } from '../client/client.service.ts';
import type { Database } from '../db/database.ts';
import type { DeviceService } from '../device/device.service.ts';
import { AppError } from '../errors.ts';
import type { ConsentMemory } from '../grant/grant.service.ts';
import { ensureDevice, readDevice } from '../http/device-cookie.ts';
import { mount } from '../http/mount.ts';
import type { Pages } from '../http/pages.ts';
import { factsOf, stateOf } from '../http/request-state.ts';
import { hashId } from '../oidc/columns.ts';
import type { Interaction } from '../oidc/engine-types.ts';
import { finishInteraction, queueRememberedConsent } from '../oidc/finish-interaction.ts';
import type { BrandProvider } from '../oidc/provider.ts';
import { currentUnit } from '../oidc/unit-of-work.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import { asksNewAuthentication, pathOf, promptOf, scopesAsked } from './details.ts';
import type { InteractionService, InteractionTrace } from './interaction.service.ts';
import { loadInteraction } from './load-interaction.ts';

export interface InteractionRoutesOptions {
  db: Kysely<Database>;
  /** The authorization server of a brand, by its id. */
  providers: ReadonlyMap<string, BrandProvider>;
  interactions: InteractionService;
  accounts: AccountService;
  authentication: AuthenticationService;
  verification: VerificationService;
  devices: DeviceService;
  clients: ClientService;
  consents: ConsentMemory;
  agreements: (locale: Locale) => Agreement[];
  portal: { id: string; summary: (ctx: Context) => Client };
  pages: Pages;
}

/** An interaction that this browser may answer, with what all of its routes need to know. */
interface Opened {
  uid: string;
  interaction: Interaction;
  trace: InteractionTrace;
  client: Client;
  locale: Locale;
}

const words = (value: unknown): string[] => (typeof value === 'string' ? value.split(' ').filter(Boolean) : []);

export const createInteractionRoutes = (options: InteractionRoutesOptions): Router => {
  const { db, interactions, accounts, authentication, verification, devices, clients, consents, pages, portal } = options;
  const router = new Router();

  const providerOf = (ctx: Context) => {
    const found = options.providers.get(stateOf(ctx).brand.id);
    if (!found) throw new Error(`no provider for ${stateOf(ctx).brand.id}`);
    return found.provider;
  };
  const keyOf = (ctx: Context, uid: string) => ({ brand: stateOf(ctx).brand.id, idHash: hashId(uid) });

  const open = async (ctx: Context, uid: string): Promise<Opened> => {
    const interaction = await loadInteraction(providerOf(ctx), ctx, uid);
    const trace = await interactions.trace(keyOf(ctx, uid));
    const clientId = String(interaction.params.client_id);
    const client =
      clientId === portal.id ? portal.summary(ctx) : await clients.findClient(clientId, stateOf(ctx).brand.id);
    if (!trace || trace.finished || trace.expired || !client) throw new AppError('interaction_expired');
    const locale = matchLocale(words(interaction.params.ui_locales)) ?? stateOf(ctx).locale;
    return { uid, interaction, trace, client, locale };
  };

  const finish = async (ctx: Context, { uid, interaction }: Opened, prepare: () => Promise<InteractionResults>) => {
    const { brand } = stateOf(ctx);
    await finishInteraction(
      { db, brand: brand.id, uid, facts: factsOf(ctx), sessionUid: interaction.session?.uid },
      prepare,
    );
    return { returnTo: interaction.returnTo };
  };

  /** The answer to whichever prompt this is, by a sign-in. */
  const finishSignedIn = async (ctx: Context, opened: Opened, accountId: string, amr: string[]) => {
    await devices.rememberAccount(ensureDevice(ctx), accountId);
    const { name } = opened.interaction.prompt;
    const answered = name === 'create' || name === 'select_account' ? { [name]: {} } : {};
    return finish(ctx, opened, async () => ({ ...answered, login: { accountId, amr } }));
  };

  const rememberedAccount = async (accountId: string | undefined): Promise<RememberedAccount | undefined> => {
    const found = accountId ? await accounts.findAccount(accountId) : undefined;
    if (found?.status !== 'active') return undefined;
    const { id, nickname, phone, email, avatar } = found.account;
    return { id, identifier: phone ?? email ?? '', nickname, ...(avatar && { avatar }) };
  };

  const staysConnected = ({ metadata }: Client) =>
    Array.isArray(metadata.grant_types) && metadata.grant_types.includes('refresh_token');

  const remembered = async (ctx: Context, { client, interaction }: Opened): Promise<ReadonlySet<string>> => {
    const accountId = interaction.session?.accountId;
    if (!accountId) return new Set();
    return (await consents.recall({ brand: stateOf(ctx).brand.id, accountId, clientId: client.id })) ?? new Set();
  };

  router.get('/interaction/:uid', async (ctx: Context) => {
    const uid = String((ctx as Context & { params: { uid: string } }).params.uid);
    const trace = await interactions.trace(keyOf(ctx, uid));
    try {
      const interaction = await loadInteraction(providerOf(ctx), ctx, uid);
      const path = pathOf(promptOf(interaction, trace?.switched ?? false));
      ctx.redirect(trace?.finished ? interaction.returnTo : `${path}?interaction=${uid}`);
      ctx.status = 303;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'interaction_expired') throw error;
      ctx.status = 410;
      const elsewhere = trace && !trace.expired && !trace.finished;
      pages.renderError(ctx, elsewhere ? 'interaction_elsewhere' : 'interaction_expired', {
        ...(trace?.startAgain && { startAgain: trace.startAgain }),
      });
    }
  });

  mount(router, interactionApi.details, async (ctx, { params }) => {
    const opened = await open(ctx, params.uid);
    const { interaction, trace, client, locale } = opened;
    const asksNew = asksNewAuthentication(interaction.params);
    const prompt = promptOf(interaction, trace.switched);
    const account =
      prompt === 'consent' || (prompt !== 'login' && !asksNew)
        ? await rememberedAccount(interaction.session?.accountId)
        : undefined;
    const device = readDevice(ctx);
    const { login_hint } = interaction.params;
    return {
      prompt,
      client: toClientSummary(client),
      scopes: scopesAsked({
        params: interaction.params,
        remembered: await remembered(ctx, opened),
        staysConnected: staysConnected(client),
      }),
      ...(account && { account }),
      accounts: device ? await devices.listRemembered(device) : [],
      locale,
      ...(typeof login_hint === 'string' && { loginHint: login_hint.slice(0, 320) }),
      agreements: options.agreements(locale),
      expiresAt: new Date(interaction.exp * 1000).toISOString(),
    };
  });

  mount(router, interactionApi.verify, async (ctx, { params, body }) => {
    await open(ctx, params.uid);
    const device = ensureDevice(ctx);
    const { ticket, expiresAt } = await verification.verifyCode({ ...body, device, address: stateOf(ctx).address });
    return { ticket, expiresAt: expiresAt.toISOString() };
  });

  mount(router, interactionApi.forgetAccount, async (ctx, { params }) => {
    await open(ctx, params.uid);
    const device = readDevice(ctx);
    if (device) await devices.forgetAccount(device, params.id);
  });

  mount(router, interactionApi.login, async (ctx, { params, body }) => {
    const opened = await open(ctx, params.uid);
    const account = await authentication.signIn({
      ...body,
      device: ensureDevice(ctx),
      address: stateOf(ctx).address,
    });
    return finishSignedIn(ctx, opened, account.id, [body.password === undefined ? 'otp' : 'pwd']);
  });

  mount(router, interactionApi.register, async (ctx, { params, body }) => {
    const opened = await open(ctx, params.uid);
    const { brand, locale, address } = stateOf(ctx);
    const account = await authentication.register({ ...body, device: ensureDevice(ctx), address, locale, brand });
    return finishSignedIn(ctx, opened, account.id, ['pwd', 'otp']);
  });

  mount(router, interactionApi.continue, async (ctx, { params }) => {
    const opened = await open(ctx, params.uid);
    const { interaction, trace } = opened;
    if (asksNewAuthentication(interaction.params)) throw new AppError('step_up_required');
    const accountId = interaction.session?.accountId;
    if (!accountId) throw new AppError('not_signed_in');
    if (promptOf(interaction, trace.switched) !== 'select_account') throw new AppError('step_up_required');
    await accounts.requireAccount(accountId);
    return finish(ctx, opened, async () => ({ select_account: {} }));
  });

  mount(router, interactionApi.consent, async (ctx, { params, body }) => {
    const opened = await open(ctx, params.uid);
    const { interaction, trace, client } = opened;
    const accountId = interaction.session?.accountId;
    if (!accountId || promptOf(interaction, trace.switched) !== 'consent') throw new AppError('interaction_expired');
    await accounts.requireAccount(accountId);
    const before = await remembered(ctx, opened);
    const asked = scopesAsked({ params: interaction.params, remembered: before, staysConnected: staysConnected(client) });
    const wanted = new Set(body.scopes ?? asked.map(({ name }) => name));
    const known = [...wanted].every((name) => asked.some((scope) => scope.name === name));
    if (!known || asked.some(({ name, optional }) => !optional && !wanted.has(name))) {
      throw new AppError('invalid_request', { fields: { scopes: 'invalid_request' } });
    }
    const brand = stateOf(ctx).brand.id;
    return finish(ctx, opened, async () => {
      const provider = providerOf(ctx);
      // Always a new grant: one approval can be withdrawn without touching another.
      const grant = new provider.Grant({ accountId, clientId: client.id });
      const scopes = [...wanted].filter((name) => words(interaction.params.scope).includes(name));
      grant.addOIDCScope(scopes.join(' '));
      const claims = interaction.prompt.details.missingOIDCClaims;
      if (Array.isArray(claims)) grant.addOIDCClaims(claims);
      const grantId = await grant.save();
      const unit = currentUnit();
      if (unit) queueRememberedConsent(unit, { brand, accountId, clientId: client.id }, [...new Set([...before, ...scopes])].join(' '));
      return { consent: { grantId } };
    });
  });

  mount(router, interactionApi.switchAccount, async (ctx, { params }) => {
    await open(ctx, params.uid);
    if (!(await interactions.switchAccount(keyOf(ctx, params.uid)))) throw new AppError('interaction_expired');
    return { returnTo: `/interaction/${params.uid}` };
  });

  mount(router, interactionApi.abort, async (ctx, { params }) => {
    const opened = await open(ctx, params.uid);
    return finish(ctx, opened, async () => ({
      error: 'access_denied',
      error_description: 'the end-user declined the request',
    }));
  });

  return router;
};
