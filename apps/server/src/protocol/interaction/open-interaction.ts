import { type Locale, matchLocale } from '@candela/contract';
import { cookieNames } from '@candela/contract/rules/cookie-names';
import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { readWords } from '../../branding/scope/space-separated.ts';
import type { ClientProfile, ClientService } from '../../clients/client/client.service.ts';
import { AppError } from '../../ground/errors.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { AccountFacts } from '../../person/account/account-facts.repository.ts';
import { portalClient } from '../oidc/client/portal-client.ts';
import type { BrandProvider } from '../oidc/provider.ts';
import { engineNowSeconds } from '../oidc/seam/engine-time.ts';
import type { Interaction } from '../oidc/seam/engine-types.ts';
import { createUnitOfWork, runInUnit } from '../oidc/storage/unit.ts';
import type { InteractionService, InteractionTrace } from './interaction.service.ts';

/** An interaction that this browser may answer, with what all of its routes need to know. */
export interface OpenInteraction {
  uid: string;
  provider: Provider;
  interaction: Interaction;
  trace: InteractionTrace;
  client: ClientProfile;
  /** The account that is signed in in the browser, as the statement that read the session found it. */
  signedIn: AccountFacts | undefined;
  /** The language that the app asks for. */
  askedLocale: Locale | undefined;
}

/** What the browser that comes to an interaction may see of it. */
interface SeenInteraction {
  /** What is known of the interaction, whether or not this browser may answer it. */
  trace: InteractionTrace | undefined;
  /** The interaction of the path, if this browser holds its cookie and is signed in as it was. */
  interaction: Interaction | undefined;
  /** As in `OpenInteraction`. */
  signedIn: AccountFacts | undefined;
}

export interface OpenerOptions {
  /** The authorization server of a brand, by its id. */
  providers: ReadonlyMap<string, BrandProvider>;
  interactions: InteractionService;
  clients: ClientService;
}

/** Opens the interactions of the browsers that may answer them. */
export interface InteractionOpener {
  look(ctx: Context, uid: string): Promise<SeenInteraction>;
  /** Whether the interaction was begun in this browser. */
  holdsCookie(ctx: Context, uid: string): boolean;
  /** @throws AppError interaction_expired when it cannot be answered any more, or not by this browser. */
  open(ctx: Context, uid: string): Promise<OpenInteraction>;
  /** Lets the interaction go on as a sign-in. @throws AppError interaction_expired */
  switchAccount(ctx: Context, uid: string): Promise<void>;
}

const keyOf = (ctx: Context, uid: string) => ({ brand: stateOf(ctx).brand.id, idHash: hashToken(uid) });

/** The interaction of the request, if the engine knows it and it is that of a browser with this session. */
const findHere = async (
  provider: Provider,
  ctx: Context,
  { uid, session }: { uid: string; session: { uid: string } },
): Promise<Interaction | undefined> => {
  try {
    const interaction = await provider.interactionDetails(ctx.req, ctx.res);
    if (interaction.uid !== uid || interaction.exp <= engineNowSeconds()) return undefined;
    // The engine asks whether the session lives; here it also has to be this browser's.
    const begunIn = interaction.session?.uid;
    return begunIn && begunIn !== session.uid ? undefined : interaction;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
};

export const createInteractionOpener = (options: OpenerOptions): InteractionOpener => {
  const { providers, interactions, clients } = options;
  const providerOf = (ctx: Context): Provider => {
    const found = providers.get(stateOf(ctx).brand.id);
    if (!found) throw new Error(`no provider for ${stateOf(ctx).brand.id}`);
    return found.provider;
  };

  /** The brand's own name stands for the portal, which is a client like any other. */
  const clientOf = async (ctx: Context, id: string): Promise<ClientProfile | undefined> => {
    const { brand } = stateOf(ctx);
    if (id !== PORTAL_CLIENT_ID) return clients.findClient(id, brand.id);
    const metadata = { ...portalClient(brand.origin), client_name: brand.name };
    return { id, brand: brand.id, metadata, firstParty: true, source: 'operator' };
  };

  const look = (ctx: Context, uid: string): Promise<SeenInteraction> => {
    // Never flushed: it keeps the rows that the engine reads.
    const unit = createUnitOfWork(() => factsOf(ctx));
    return runInUnit(unit, async () => {
      const provider = providerOf(ctx);
      // The engine looks for it by its uid next, and finds it in the unit.
      const session = await provider.Session.get(ctx);
      const interaction = await findHere(provider, ctx, { uid, session });
      const row = unit.memo.interaction.get(uid) ?? (await interactions.find(keyOf(ctx, uid)));
      return {
        trace: row && (await interactions.trace(row)),
        interaction,
        signedIn: session.accountId ? unit.memo.account.get(session.accountId) : undefined,
      };
    });
  };

  return {
    look: async (ctx, uid) => {
      const { trace, ...seen } = await look(ctx, uid);
      const { name, origin } = stateOf(ctx).brand;
      if (trace?.clientId !== PORTAL_CLIENT_ID) return { trace, ...seen };
      return { trace: { ...trace, startAgain: { name, uri: `${origin}/index` } }, ...seen };
    },

    holdsCookie: (ctx, uid) =>
      ctx.cookies.get(cookieNames(stateOf(ctx).brand.origin).interaction, { signed: true }) === uid,

    open: async (ctx, uid) => {
      const { interaction, trace, signedIn } = await look(ctx, uid);
      if (!interaction || !trace || trace.finished || trace.expired)
        throw new AppError('interaction_expired');
      const client = await clientOf(ctx, String(interaction.params.client_id));
      if (!client) throw new AppError('interaction_expired');
      const { ui_locales: asked, user_locale: platforms } = interaction.params;
      const askedLocale = matchLocale([...readWords(asked), ...readWords(platforms)]);
      return { uid, provider: providerOf(ctx), interaction, trace, client, signedIn, askedLocale };
    },

    switchAccount: async (ctx, uid) => {
      if (!(await interactions.switchAccount(keyOf(ctx, uid)))) throw new AppError('interaction_expired');
    },
  };
};
