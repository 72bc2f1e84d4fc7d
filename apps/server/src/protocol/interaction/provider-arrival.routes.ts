import { interactionApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { BY_FEDERATION } from '../../federation/arrival/arrival.ts';
import type { ProviderArrivals } from '../../federation/arrival/provider-arrival.service.ts';
import type { RegisteredPerson } from '../../federation/arrival/registering.ts';
import { AppError } from '../../ground/errors.ts';
import { emitRefusal } from '../../ground/event/emit-refusal.ts';
import type { EventFields } from '../../ground/event/events.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createRouter } from '../../ground/router.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import { byProvider, joinProofs } from '../../person/step-up/proof.ts';
import { keepingTicket } from '../../person/verification/ticket.service.ts';
import type { InteractionOpener } from './open-interaction.ts';
import {
  arrivalPlaceOf,
  createProviderSignIn,
  type ProviderSignInOptions,
  toSignIn,
} from './provider-sign-in.ts';
import { createSignedInAnswer } from './signed-in-answer.ts';

export interface ProviderArrivalOptions extends ProviderSignInOptions {
  opener: InteractionOpener;
  arrivals: Pick<ProviderArrivals, 'register' | 'drop'>;
}

/** The first sign-in of a new account, by what its person has just proven. */
const toFirstSignIn = (made: RegisteredPerson, contact: string | undefined) => ({
  ...toSignIn(made),
  amr: [BY_FEDERATION, ...(contact === undefined ? [] : ['otp'])],
  provenBy: joinProofs(
    byProvider(made.identityId),
    ...(contact === undefined ? [] : [parseIdentifier(contact).value]),
  ),
  isNew: true as const,
  typed: contact ?? '',
});

/** What becomes of somebody who came from an identity provider and is not known. */
export const createProviderArrivalRoutes = (options: ProviderArrivalOptions): Router => {
  const { opener, arrivals, events } = options;
  const signIn = createProviderSignIn(options);
  const answerSignedIn = createSignedInAnswer(options);
  const registering = emitRefusal(events, 'account.register_refused');
  const router = createRouter();

  mount(router, interactionApi.registerFromProvider, async (ctx: Context, { params, body }) => {
    const opened = await opener.open(ctx, params.uid);
    const { address, brand, locale } = stateOf(ctx);
    const said: EventFields = { brand: brand.id, clientId: opened.client.id, method: 'provider' };
    const made = await registering(said, () =>
      arrivals.register({
        ...arrivalPlaceOf(ctx, params.uid),
        ...body,
        address,
        locale: opened.askedLocale ?? locale,
        clientId: opened.client.id,
        facts: factsOf(ctx),
      }),
    );
    const { ticket, isNew } = made;
    if (!isNew) {
      const returnTo = await signIn(ctx, opened, { ...toSignIn(made), ticket });
      if (returnTo === undefined) throw new AppError('second_factor_required');
      return { returnTo };
    }
    events.emit('account.registered', { ...said, accountId: made.accountId });
    const first = toFirstSignIn(made, ticket === undefined ? undefined : body.identifier);
    // No strength is required: a new account has nothing stronger yet, and the engine asks it for more next.
    return keepingTicket(ticket, () => answerSignedIn(ctx, opened, { ...first, ticket }));
  });

  mount(router, interactionApi.dropProvider, async (ctx, { params }) => {
    await opener.open(ctx, params.uid);
    await arrivals.drop(arrivalPlaceOf(ctx, params.uid));
  });

  return router;
};
