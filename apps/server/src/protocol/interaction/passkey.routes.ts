import { interactionApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { emitRefusal } from '../../ground/event/emit-refusal.ts';
import type { EventFields, EventSink } from '../../ground/event/events.ts';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId, renewBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { PasskeyProofs } from '../../person/passkey/passkey-assertion.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import { byPasskey, splitProofs } from '../../person/step-up/proof.ts';
import { stopsWaitOf } from '../../person/step-up/seniority.ts';
import type { StepUpService } from '../../person/step-up/step-up.service.ts';
import type { Answers } from './answers.ts';
import { requireStrength } from './insisted.ts';
import type { InteractionOpener } from './open-interaction.ts';

export interface PasskeySignInOptions {
  opener: InteractionOpener;
  answers: Pick<Answers, 'signedIn'>;
  passkeyProofs: PasskeyProofs;
  recoveryWaits: Pick<RecoveryWaitService, 'stop'>;
  stepUps: Pick<StepUpService, 'findHoldings'>;
  events: EventSink;
}

/** The sign-in by a passkey alone. Nothing is typed, so this browser remembers nobody by it. */
export const createPasskeySignInRoutes = (options: PasskeySignInOptions): Router => {
  const { opener, answers, passkeyProofs, recoveryWaits, stepUps, events } = options;
  const router = createRouter();

  const useOf = (ctx: Context, interaction: string) => {
    const { brand, address } = stateOf(ctx);
    const [browserId, facts] = [ensureBrowserId(ctx), factsOf(ctx)];
    return { purpose: 'sign-in' as const, interaction, brand, address, browserId, facts };
  };

  mount(router, interactionApi.signInOptions, async (ctx, { params }) => {
    await opener.open(ctx, params.uid);
    return passkeyProofs.requestOptions(useOf(ctx, params.uid));
  });

  mount(router, interactionApi.signInByPasskey, async (ctx, { params, body }) => {
    const opened = await opener.open(ctx, params.uid);
    const said: EventFields = {
      method: 'passkey',
      brand: stateOf(ctx).brand.id,
      clientId: opened.client.id,
    };
    const answered = await emitRefusal(events, 'sign_in.refused')(said, async () => {
      const { passkeyId, ...proven } = await passkeyProofs.verifyAssertion(
        useOf(ctx, params.uid),
        body.response,
      );
      said.accountId = proven.accountId;
      const provenBy = byPasskey(passkeyId);
      // A passkey stands for the second factor, too: it is not lost.
      const holdings = await stepUps.findHoldings(proven.accountId);
      await recoveryWaits.stop(proven.accountId, {
        brand: stateOf(ctx).brand,
        mayStop: stopsWaitOf(splitProofs(provenBy), holdings),
      });
      requireStrength(opened.interaction.params, proven.amr);
      return answers.signedIn(ctx, opened, { ...proven, provenBy });
    });
    events.emit('sign_in.succeeded', said);
    renewBrowserId(ctx);
    return answered;
  });

  return router;
};
