import { interactionApi, type Locale, type RememberedAccount } from '@candela/contract';
import { formatUserCode } from '@candela/contract/rules/user-code';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { toClientSummary } from '../../clients/client/client-summary.ts';
import { toDatabaseSeconds } from '../../ground/db/clock.ts';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId, readBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { Agreements } from '../../person/agreement/agreement.service.ts';
import {
  type RememberedAccountService,
  toRemembered,
} from '../../person/remembered-account/remembered-account.service.ts';
import { type AskedOptions, createAsked } from './asked.ts';
import type { createProviderDescriber } from './describe-providers.ts';
import { asksNewAuthentication, markAbsent, promptOf } from './details.ts';
import { type FactorWays, insistedOf, isEssential } from './insisted.ts';
import type { InteractionOpener, OpenInteraction } from './open-interaction.ts';
import type { PendingSignIns } from './pending-sign-in.service.ts';

export interface DetailsRoutesOptions extends AskedOptions {
  opener: InteractionOpener;
  pendingSignIns: PendingSignIns;
  secondFactorWays: FactorWays;
  rememberedAccounts: RememberedAccountService;
  agreements: Pick<Agreements, 'list'>;
  /** The identity providers, and who came from one; absent where there are none. */
  describeProviders?: ReturnType<typeof createProviderDescriber> | undefined;
}

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

/** What the app asks for; else the account chooses the language, unless the person chose another one in this browser. */
const localeOf = (ctx: Context, { askedLocale, signedIn }: OpenInteraction): Locale => {
  const state = stateOf(ctx);
  if (signedIn && signedIn.status !== 'disabled' && !state.choseLocale) state.locale = signedIn.locale;
  return askedLocale ?? state.locale;
};

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
export const createDetailsRoutes = (options: DetailsRoutesOptions): Router => {
  const { opener, rememberedAccounts, agreements, pendingSignIns, secondFactorWays, describeProviders } =
    options;
  const askedOf = createAsked(options);
  const router = createRouter();

  const describeFactor = async (
    ctx: Context,
    { uid: interaction, interaction: { params } }: OpenInteraction,
  ) => {
    const { id: brand, rpId } = stateOf(ctx).brand;
    const browserId = readBrowserId(ctx);
    const pending = browserId && (await pendingSignIns.find({ brand, interaction, browserId }));
    if (!pending) return {};
    const { accountId, identifier } = pending;
    const enough = await secondFactorWays(accountId, rpId, insistedOf(params));
    // A wish comes first, and any way goes on.
    const others = isEssential(params) ? [] : await secondFactorWays(accountId, rpId);
    const ways = [...new Set([...enough, ...others])];
    return { secondFactor: { ways, ...(identifier !== undefined && { identifier }) } };
  };

  mount(router, interactionApi.details, async (ctx, { params }) => {
    const opened = await opener.open(ctx, params.uid);
    const { interaction, trace, client } = opened;
    const prompt = promptOf(interaction, trace.switched);
    const mayGoOn =
      prompt === 'consent' || (prompt !== 'login' && !asksNewAuthentication(interaction.params));
    const held = interaction.session?.accountId ? opened.signedIn : undefined;
    const account = mayGoOn && held ? toRemembered(held) : undefined;
    const locale = localeOf(ctx, opened);
    const browserId = readBrowserId(ctx);
    const remembered = browserId ? await rememberedAccounts.listRemembered(browserId) : [];
    // The page asks for several things at once later: of two answers that gave an id, the later would take the other's place.
    ensureBrowserId(ctx);
    const hint = hintOf(opened, remembered);
    const { scopes } = await askedOf(ctx, opened);
    const insists = prompt === 'consent' ? undefined : insistedOf(interaction.params);
    return {
      prompt,
      client: toClientSummary(client, interaction.params.redirect_uri),
      scopes: prompt === 'consent' && account && held ? markAbsent(held, scopes) : scopes,
      ...(account && { account }),
      accounts: remembered,
      locale,
      ...(hint !== undefined && { loginHint: hint }),
      ...(insists && { insists }),
      agreements: agreements.list(locale, stateOf(ctx).brand),
      // Who is asked to approve has signed in, whole.
      ...(prompt !== 'consent' && (await describeFactor(ctx, opened))),
      ...(prompt !== 'consent' && (await describeProviders?.(ctx, params.uid, locale))),
      ...(await describeDevice(opened)),
    };
  });

  mount(router, interactionApi.forgetAccount, async (ctx, { params }) => {
    await opener.open(ctx, params.uid);
    const browserId = readBrowserId(ctx);
    if (browserId) await rememberedAccounts.forgetAccount(browserId, params.id);
  });

  return router;
};
