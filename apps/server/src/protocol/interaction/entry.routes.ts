import type { PageErrorCode } from '@candela/contract';
import { LEAVING_PAGE, promptPages } from '@candela/contract/pages';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { EventSink } from '../../ground/event/events.ts';
import { createRouter } from '../../ground/router.ts';
import { stateOf } from '../../http/request-state.ts';
import { leadOvertaken } from '../oidc/device/device-flow.ts';
import type { Pages } from '../page/pages.ts';
import { asksToKeep, promptOf } from './details.ts';
import type { InteractionTrace } from './interaction.service.ts';
import type { InteractionOpener } from './open-interaction.ts';

export interface EntryRoutesOptions {
  opener: InteractionOpener;
  pages: Pages;
  events: EventSink;
}

const whyGone = (trace: InteractionTrace | undefined, here: boolean): PageErrorCode => {
  if (trace?.over) return 'interaction_finished';
  return trace && !trace.expired && !here ? 'interaction_elsewhere' : 'interaction_expired';
};

/** The address that the engine leads to: goes on to the page of the interaction, or says why there is none. */
export const createEntryRoutes = ({ opener, pages, events }: EntryRoutesOptions): Router => {
  const router = createRouter();

  router.get('/interaction/:uid', async (ctx: Context) => {
    const { uid } = (ctx as Context & { params: { uid: string } }).params;
    const { trace, interaction, signedIn } = await opener.look(ctx, uid);
    // The engine could not go on with it: leading there again would go round for ever.
    const ended = ctx.query.ended !== undefined;
    if (interaction && !ended) {
      const switched = trace?.switched ?? false;
      const leaving = !switched && asksToKeep(interaction) && signedIn?.status === 'leaving';
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

  return router;
};
