import type { Context } from 'koa';
import { BY_FEDERATION } from '../../federation/arrival/arrival.ts';
import type { KnownPerson } from '../../federation/arrival/receiving.ts';
import { emitRefusal } from '../../ground/event/emit-refusal.ts';
import type { EventFields, EventSink } from '../../ground/event/events.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { stateOf } from '../../http/request-state.ts';
import { byProvider } from '../../person/step-up/proof.ts';
import { createFactorCheck, type FactorCheckOptions } from './factor-check.ts';
import type { OpenInteraction } from './open-interaction.ts';
import type { TypedSignIn } from './pending-sign-in.service.ts';
import { createSignedInAnswer, type SignedInAnswerOptions } from './signed-in-answer.ts';

export interface ProviderSignInOptions extends SignedInAnswerOptions, FactorCheckOptions {
  events: EventSink;
}

export const toSignIn = ({ accountId, epoch, identityId }: KnownPerson): TypedSignIn => ({
  accountId,
  epoch,
  amr: [BY_FEDERATION],
  provenBy: byProvider(identityId),
  typed: '',
});

/** The interaction at hand, and its browser. */
export const arrivalPlaceOf = (ctx: Context, interaction: string) => ({
  brand: stateOf(ctx).brand,
  interaction,
  browserId: ensureBrowserId(ctx),
});

/**
 * Goes on with a person whom a provider proved; answers where the browser goes on, undefined where the second factor is
 * due.
 */
export const createProviderSignIn = (options: ProviderSignInOptions) => {
  const { events, pendingSignIns } = options;
  const isFactorDue = createFactorCheck(options);
  const answerSignedIn = createSignedInAnswer(options);
  const refusing = emitRefusal(events, 'sign_in.refused');

  return async (
    ctx: Context,
    opened: OpenInteraction,
    proven: TypedSignIn & { ticket?: string | undefined },
  ): Promise<string | undefined> => {
    const { accountId, amr } = proven;
    const brand = stateOf(ctx).brand.id;
    const said: EventFields = { accountId, brand, clientId: opened.client.id, method: 'provider' };
    const isDue = await refusing(said, () => isFactorDue(ctx, opened, { accountId, amr }));
    events.emit(isDue ? 'second_factor.asked' : 'sign_in.succeeded', said);
    if (!isDue) return (await answerSignedIn(ctx, opened, proven)).returnTo;
    await pendingSignIns.begin({ ...arrivalPlaceOf(ctx, opened.uid), brand }, proven);
    return undefined;
  };
};
