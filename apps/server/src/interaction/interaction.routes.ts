import {
  type Agreement,
  interactionApi,
  type Locale,
  type PageErrorCode,
  type RememberedAccount,
  type ScopeAsked,
  type SecondFactorWay,
} from '@candela/contract';
import { LEAVING_PAGE, promptPages } from '@candela/contract/pages';
import { formatUserCode } from '@candela/contract/rules/user-code';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { AccountService } from '../account/account.service.ts';
import type { AuthenticationService } from '../authentication/authentication.service.ts';
import type { Brand } from '../brand/brand.ts';
import { toClientSummary } from '../client/client-summary.ts';
import { scopeReasonsOf } from '../client/scope-reasons.ts';
import { toDatabaseSeconds } from '../db/clock.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import { ensureBrowserId, readBrowserId } from '../http/browser-cookie.ts';
import { mount } from '../http/mount.ts';
import { factsOf, stateOf } from '../http/request-state.ts';
import { parseIdentifier } from '../identifier/identifier.ts';
import { leadOvertaken } from '../oidc/device/device-flow.ts';
import type { Interaction } from '../oidc/seam/engine-types.ts';
import type { Pages } from '../page/pages.ts';
import type { RememberedAccountService } from '../remembered-account/remembered-account.service.ts';
import { findAskedResources } from '../resource-server/asked-resources.ts';
import type { ResourceServerService } from '../resource-server/resource-server.service.ts';
import { optionalScopesOf } from '../scope/optional-scopes.ts';
import { readWords } from '../scope/space-separated.ts';
import { BY_PASSWORD } from '../step-up/proof.ts';
import { readTrust } from '../trusted-browser/trust-cookie.ts';
import { keepingTicket } from '../verification/ticket.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';
import type { Answers } from './answers.ts';
import {
  asksNewAuthentication,
  asksToKeep,
  isContact,
  markAbsent,
  promptOf,
  readApproval,
  scopesAsked,
} from './details.ts';

import { insistedOf, requireStrength, stronger } from './insisted.ts';

import type { InteractionTrace } from './interaction.service.ts';
import type { InteractionOpener, OpenInteraction } from './open-interaction.ts';
import type { PendingSignIns } from './pending-sign-in.service.ts';
import { createSignedInAnswer } from './signed-in-answer.ts';

export interface InteractionRoutesOptions {
  opener: InteractionOpener;
  answers: Answers;
  accounts: AccountService;
  authentication: AuthenticationService;
  verification: VerificationService;
  pendingSignIns: PendingSignIns;
  secondFactorWays: (accountId: string, rpId: string) => Promise<SecondFactorWay[]>;
  rememberedAccounts: RememberedAccountService;
  resourceServers: ResourceServerService;
  agreements: (locale: Locale, brand: Brand) => Agreement[];
  pages: Pages;
  events: EventSink;
}

const whyGone = (trace: InteractionTrace | undefined, here: boolean): PageErrorCode => {
  if (trace?.over) return 'interaction_finished';
  return trace && !trace.expired && !here ? 'interaction_elsewhere' : 'interaction_expired';
};

const LOGIN_HINT_LENGTH = 320;

/** Who is to sign in: whom the app names, or who is signed in and has to do it anew. */
const hintOf = (
  { interaction, trace }: OpenInteraction,
  remembered: readonly RememberedAccount[],
): string | undefined => {
  const { login_hint: named } = interaction.params;
  if (typeof named === 'string') return named.slice(0, LOGIN_HINT_LENGTH);
  if (trace.switched || promptOf(interaction, false) !== 'login') return undefined;
  return remembered.find(({ id }) => id === interaction.session?.accountId)?.identifier;
};

/** What a request asks a person to approve: the scopes as they are shown, and the APIs that it names. */
const createAsked =
  ({ answers, resourceServers }: InteractionRoutesOptions) =>
  async (ctx: Context, opened: OpenInteraction) => {
    const { metadata } = opened.client;
    const { grant_types } = metadata;
    const { params } = opened.interaction;
    const resources = await findAskedResources(resourceServers, {
      brand: stateOf(ctx).brand.id,
      identifiers: params.resource,
      names: readWords(params.scope),
      metadata,
    });
    const scopes = scopesAsked({
      params,
      resources,
      approved: (await answers.recall(ctx, opened)).approved,
      optional: optionalScopesOf(metadata),
      reasons: scopeReasonsOf(metadata),
      staysConnected: Array.isArray(grant_types) && grant_types.includes('refresh_token'),
    });
    return { scopes, resources };
  };

const isLeaving = async (accounts: AccountService, { session }: Interaction): Promise<boolean> => {
  const found = session?.accountId ? await accounts.findAccount(session.accountId) : undefined;
  return found?.account.leavingAt !== undefined;
};

/** The address that the engine leads to: goes on to the page of the interaction, or says why there is none. */
const mountEntry = (router: Router, { opener, accounts, pages, events }: InteractionRoutesOptions) =>
  router.get('/interaction/:uid', async (ctx: Context) => {
    const { uid } = (ctx as Context & { params: { uid: string } }).params;
    const trace = await opener.trace(ctx, uid);
    // The engine could not go on with it: leading there again would go round for ever.
    const ended = ctx.query.ended !== undefined;
    const interaction = ended ? undefined : await opener.find(ctx, uid);
    if (interaction) {
      const switched = trace?.switched ?? false;
      const leaving = !switched && asksToKeep(interaction) && (await isLeaving(accounts, interaction));
      const page = leaving ? LEAVING_PAGE : promptPages[promptOf(interaction, switched)];
      ctx.redirect(trace?.finished ? interaction.returnTo : `${page}?interaction=${uid}`);
      ctx.status = 303;
      return;
    }
    if (trace?.forDevice) return leadOvertaken(ctx, 'ended');
    ctx.status = 410;
    const startAgain = trace?.startAgain;
    const reason = whyGone(trace, opener.holdsCookie(ctx, uid));
    const { brand } = stateOf(ctx);
    events.emit('interaction.refused', { brand: brand.id, clientId: trace?.clientId, reason });
    pages.renderError(ctx, reason, {
      ...(startAgain && { startAgain }),
    });
  });

/**
 * The user code of the device that the interaction is for, if it is for one, and when the interaction ends: the code
 * may end before it.
 */
const describeDevice = async ({ provider, interaction }: OpenInteraction) => {
  const { deviceCode, exp } = interaction;
  const code = deviceCode ? await provider.DeviceCode.find(deviceCode) : undefined;
  if (deviceCode && !code) throw new AppError('interaction_expired');
  return {
    ...(code && { device: { userCode: formatUserCode(code.userCode) } }),
    expiresAt: new Date(toDatabaseSeconds(Math.min(exp, code?.exp ?? exp)) * 1000).toISOString(),
  };
};

/** What the pages of an interaction show. */
const mountDetails = (router: Router, options: InteractionRoutesOptions) => {
  const { opener, accounts, rememberedAccounts, agreements, pendingSignIns, secondFactorWays } = options;
  const askedOf = createAsked(options);

  /** The scopes, with a mark on those that would show nothing of the account. */
  const withAbsent = async (accountId: string | undefined, scopes: readonly ScopeAsked[]) => {
    const held = accountId && scopes.some(isContact) ? await accounts.findAccount(accountId) : undefined;
    return held ? markAbsent(held.account, scopes) : [...scopes];
  };

  const describeFactor = async (
    ctx: Context,
    { uid: interaction, interaction: { params } }: OpenInteraction,
  ) => {
    const { id: brand, rpId } = stateOf(ctx).brand;
    const browserId = readBrowserId(ctx);
    const pending = browserId && (await pendingSignIns.find({ brand, interaction, browserId }));
    if (!pending) return {};
    const { accountId, identifier } = pending;
    const ways = await secondFactorWays(accountId, rpId);
    const enough = stronger(params, ways);
    return { secondFactor: { ways: enough.length > 0 ? enough : ways, identifier } };
  };

  mount(router, interactionApi.details, async (ctx, { params }) => {
    const opened = await opener.open(ctx, params.uid);
    const { interaction, trace, client, locale } = opened;
    const prompt = promptOf(interaction, trace.switched);
    const mayGoOn =
      prompt === 'consent' || (prompt !== 'login' && !asksNewAuthentication(interaction.params));
    const account = mayGoOn ? await rememberedAccounts.describe(interaction.session?.accountId) : undefined;
    const browserId = readBrowserId(ctx);
    const remembered = browserId ? await rememberedAccounts.listRemembered(browserId) : [];
    const hint = hintOf(opened, remembered);
    const { scopes } = await askedOf(ctx, opened);
    const insists = prompt === 'consent' ? undefined : insistedOf(interaction.params);
    return {
      prompt,
      client: toClientSummary(client, interaction.params.redirect_uri),
      scopes: prompt === 'consent' ? await withAbsent(account?.id, scopes) : scopes,
      ...(account && { account }),
      accounts: remembered,
      locale,
      ...(hint !== undefined && { loginHint: hint }),
      ...(insists && { insists }),
      agreements: agreements(locale, stateOf(ctx).brand),
      ...(await describeFactor(ctx, opened)),
      ...(await describeDevice(opened)),
    };
  });

  mount(router, interactionApi.forgetAccount, async (ctx, { params }) => {
    await opener.open(ctx, params.uid);
    const browserId = readBrowserId(ctx);
    if (browserId) await rememberedAccounts.forgetAccount(browserId, params.id);
  });
};

/** The ways to sign in: by a password or a code, and by a new account. */
const mountSignIn = (router: Router, options: InteractionRoutesOptions) => {
  const { opener, authentication, verification, pendingSignIns, secondFactorWays } = options;
  const answerSignedIn = createSignedInAnswer(options);

  mount(router, interactionApi.verify, async (ctx, { params, body }) => {
    await opener.open(ctx, params.uid);
    const { ticket, expiresAt } = await verification.verifyCode({
      ...body,
      browserId: ensureBrowserId(ctx),
      address: stateOf(ctx).address,
    });
    return { ticket, expiresAt: expiresAt.toISOString() };
  });

  mount(router, interactionApi.login, async (ctx, { params, body }) => {
    const opened = await opener.open(ctx, params.uid);
    const { address, brand } = stateOf(ctx);
    const browserId = ensureBrowserId(ctx);
    const { identifier: typed, password } = body;
    const proof =
      password === undefined
        ? { amr: ['otp'], provenBy: parseIdentifier(typed).value }
        : { amr: ['pwd'], provenBy: BY_PASSWORD };
    const { accountId, epoch, ticket, factorDue } = await authentication.signIn({
      ...body,
      interaction: params.uid,
      browserId,
      address,
      brand,
      clientId: opened.client.id,
      facts: factsOf(ctx),
      isFactorDue: async (id) => {
        const ways = stronger(opened.interaction.params, await secondFactorWays(id, brand.rpId));
        const at = { browserId, token: readTrust(ctx), brand: brand.id };
        const isDue = ways.length > 0 || (await pendingSignIns.isDue(id, at));
        if (!isDue) requireStrength(opened.interaction.params, proof.amr);
        return isDue;
      },
    });
    const signIn = { accountId, epoch, ...proof, typed };
    if (!factorDue) return answerSignedIn(ctx, opened, { ...signIn, ticket });
    const place = { brand: brand.id, interaction: params.uid, browserId };
    await keepingTicket(ticket, () => pendingSignIns.begin(place, signIn));
    throw new AppError('second_factor_required');
  });

  mount(router, interactionApi.register, async (ctx, { params, body }) => {
    const opened = await opener.open(ctx, params.uid);
    const { brand, address } = stateOf(ctx);
    const { accountId, epoch, ticket } = await authentication.register({
      ...body,
      interaction: params.uid,
      browserId: ensureBrowserId(ctx),
      address,
      locale: opened.locale,
      brand,
      clientId: opened.client.id,
      facts: factsOf(ctx),
    });
    const { identifier: typed } = body;
    const provenBy = parseIdentifier(typed).value;
    // No strength is required: a new account has nothing stronger yet, and the engine asks it for more next.
    const made = { accountId, epoch, amr: ['pwd', 'otp'], provenBy, isNew: true as const };
    return answerSignedIn(ctx, opened, { ...made, typed, ticket });
  });
};

/** The ways to go on as who is signed in: as this account or another, and with what is approved. */
const mountDecisions = (router: Router, options: InteractionRoutesOptions) => {
  const { opener, answers, accounts, pendingSignIns } = options;
  const askedOf = createAsked(options);

  mount(router, interactionApi.continue, async (ctx, { params }) => {
    const opened = await opener.open(ctx, params.uid);
    const { interaction, trace } = opened;
    if (asksNewAuthentication(interaction.params)) throw new AppError('step_up_required');
    const accountId = interaction.session?.accountId;
    if (!accountId) throw new AppError('not_signed_in');
    const mayGoOn = !trace.switched && asksToKeep(interaction);
    if (!mayGoOn && promptOf(interaction, trace.switched) !== 'select_account')
      throw new AppError('step_up_required');
    await accounts.requireAccount(accountId);
    return answers.selected(ctx, opened);
  });

  mount(router, interactionApi.consent, async (ctx, { params, body }) => {
    const opened = await opener.open(ctx, params.uid);
    const { interaction, trace } = opened;
    const accountId = interaction.session?.accountId;
    if (!accountId || promptOf(interaction, trace.switched) !== 'consent') {
      throw new AppError('interaction_expired');
    }
    await accounts.requireAccount(accountId);
    const { scopes: asked, resources } = await askedOf(ctx, opened);
    const scopes = readApproval(asked, body.scopes);
    if (!scopes) throw new AppError('invalid_request', { fields: { scopes: 'invalid_request' } });
    return answers.approved(ctx, opened, { accountId, scopes, resources });
  });

  mount(router, interactionApi.switchAccount, async (ctx, { params }) => {
    await opener.open(ctx, params.uid);
    await opener.switchAccount(ctx, params.uid);
    await pendingSignIns.drop({ brand: stateOf(ctx).brand.id, interaction: params.uid });
    return { returnTo: `/interaction/${params.uid}` };
  });

  mount(router, interactionApi.abort, async (ctx, { params }) =>
    answers.declined(ctx, await opener.open(ctx, params.uid)),
  );
};

export const createInteractionRoutes = (options: InteractionRoutesOptions): Router => {
  const router = new Router();
  mountEntry(router, options);
  mountDetails(router, options);
  mountSignIn(router, options);
  mountDecisions(router, options);
  return router;
};
