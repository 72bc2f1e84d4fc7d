import { interactionApi } from '@candela/contract';
import type Router from '@koa/router';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import { stateOf } from '../../http/request-state.ts';
import type { Answers } from './answers.ts';
import { type AskedOptions, createAsked } from './asked.ts';
import { asksNewAuthentication, asksToKeep, promptOf, readApproval } from './details.ts';
import type { InteractionOpener, OpenInteraction } from './open-interaction.ts';
import type { PendingSignIns } from './pending-sign-in.service.ts';

export interface DecisionRoutesOptions extends AskedOptions {
  opener: InteractionOpener;
  answers: Answers;
  pendingSignIns: PendingSignIns;
}

/** @throws AppError not_signed_in when the account does not exist any more, account_disabled */
const requireUsable = (account: OpenInteraction['signedIn']): void => {
  if (!account) throw new AppError('not_signed_in');
  if (account.status === 'disabled') throw new AppError('account_disabled');
};

/** The ways to go on as who is signed in: as this account or another, and with what is approved. */
export const createDecisionRoutes = (options: DecisionRoutesOptions): Router => {
  const { opener, answers, pendingSignIns } = options;
  const askedOf = createAsked(options);
  const router = createRouter();

  mount(router, interactionApi.continue, async (ctx, { params }) => {
    const opened = await opener.open(ctx, params.uid);
    const { interaction, trace, signedIn } = opened;
    if (asksNewAuthentication(interaction.params)) throw new AppError('step_up_required');
    const accountId = interaction.session?.accountId;
    if (!accountId) throw new AppError('not_signed_in');
    const mayGoOn = !trace.switched && asksToKeep(interaction);
    if (!mayGoOn && promptOf(interaction, trace.switched) !== 'select_account')
      throw new AppError('step_up_required');
    requireUsable(signedIn);
    return answers.selected(ctx, opened);
  });

  mount(router, interactionApi.consent, async (ctx, { params, body }) => {
    const opened = await opener.open(ctx, params.uid);
    const { interaction, trace, signedIn } = opened;
    const accountId = interaction.session?.accountId;
    if (!accountId || promptOf(interaction, trace.switched) !== 'consent') {
      throw new AppError('interaction_expired');
    }
    requireUsable(signedIn);
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

  return router;
};
