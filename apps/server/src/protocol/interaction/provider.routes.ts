import { promptPages } from '@candela/contract/pages';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { readWords } from '../../branding/scope/space-separated.ts';
import type { ProviderArrivals } from '../../federation/arrival/provider-arrival.service.ts';
import type { ProviderFlow } from '../../federation/flow/provider-flow.service.ts';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { stateOf } from '../../http/request-state.ts';
import { seeOther } from '../../http/see-other.ts';
import { promptOf } from './details.ts';
import { setLastProvider } from './last-provider-cookie.ts';
import type { InteractionOpener, OpenInteraction } from './open-interaction.ts';
import {
  arrivalPlaceOf,
  createProviderSignIn,
  type ProviderSignInOptions,
  toSignIn,
} from './provider-sign-in.ts';

export interface InteractionProviderOptions extends ProviderSignInOptions {
  opener: InteractionOpener;
  providerFlow: Pick<ProviderFlow, 'begin' | 'identify'>;
  arrivals: Pick<ProviderArrivals, 'receive'>;
}

type AtProvider = Context & { params: { uid: string; id: string } };

/** The request asks for a new authentication (OpenID Connect Core section 3.1.2.1). */
const asksAnew = ({ interaction: { params } }: OpenInteraction): boolean =>
  readWords(params.prompt).includes('login') || params.max_age !== undefined;

/** Where the browser goes: a refusal leads back to the page, which says what happened and has the other ways. */
const createLead =
  ({ opener }: Pick<InteractionProviderOptions, 'opener'>) =>
  async (
    ctx: Context,
    goOn: (opened: OpenInteraction, at: AtProvider['params']) => Promise<string>,
  ): Promise<void> => {
    const { params } = ctx as AtProvider;
    const entry = `/interaction/${params.uid}`;
    const opened = await opener.open(ctx, params.uid).catch((error: unknown) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
    // It says why there is none.
    if (!opened) return seeOther(ctx, entry);
    const page = promptPages[promptOf(opened.interaction, opened.trace.switched)];
    const target = await goOn(opened, params).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'interaction_expired') return entry;
      // The page may be older than the file without this provider.
      const reason = error.code === 'not_found' ? 'provider_unavailable' : error.code;
      return `${page}?${new URLSearchParams({ interaction: params.uid, provider: params.id, reason })}`;
    });
    return seeOther(ctx, target);
  };

/** The ways through identity providers, in an interaction. */
export const createInteractionProviderRoutes = (options: InteractionProviderOptions): Router => {
  const { providerFlow, arrivals } = options;
  const signIn = createProviderSignIn(options);
  const lead = createLead(options);
  const router = createRouter();

  router.get('/interaction/:uid/provider/:id', (ctx: Context) =>
    lead(ctx, async (opened, { uid, id }) => {
      const { brand, browserId } = arrivalPlaceOf(ctx, uid);
      const { address, locale } = stateOf(ctx);
      const url = await providerFlow.begin(
        { brand, provider: id, browserId },
        {
          place: { interaction: uid },
          locale: opened.askedLocale ?? locale,
          anew: asksAnew(opened),
          address,
        },
      );
      return url.href;
    }),
  );

  router.get('/interaction/:uid/provider/:id/answer', (ctx: Context) =>
    lead(ctx, async (opened, { uid, id }) => {
      const place = arrivalPlaceOf(ctx, uid);
      const state = typeof ctx.query.state === 'string' ? ctx.query.state : '';
      const who = { brand: place.brand, provider: id, browserId: place.browserId };
      const identity = await providerFlow.identify(who, state, { interaction: uid });
      const known = await arrivals.receive(place, id, identity);
      setLastProvider(ctx, id);
      return (known && (await signIn(ctx, opened, toSignIn(known)))) ?? `/interaction/${uid}`;
    }),
  );

  return router;
};
