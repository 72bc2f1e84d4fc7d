import { interactionApi } from '@candela/contract';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { emitRefusal } from '../../ground/event/emit-refusal.ts';
import type { EventFields, EventSink } from '../../ground/event/events.ts';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { RefusedSignIns } from '../../person/activity/refused-sign-ins.ts';
import { isWrongFactor } from '../../person/second-factor/second-factor.service.ts';
import { nextTrust, setTrust } from '../../person/trusted-browser/trust-cookie.ts';
import { requireStrength } from './insisted.ts';
import type { InteractionOpener } from './open-interaction.ts';
import type { PendingSignIn, PendingSignIns, SentFactor } from './pending-sign-in.service.ts';
import { createSignedInAnswer, type SignedInAnswerOptions } from './signed-in-answer.ts';

export interface SecondFactorRoutesOptions extends SignedInAnswerOptions {
  opener: InteractionOpener;
  pendingSignIns: PendingSignIns;
  events: EventSink;
  refusedSignIns: Pick<RefusedSignIns, 'note'>;
}

const methodOf = ({ totp, passkey }: SentFactor): EventFields['method'] => {
  if (passkey) return 'passkey';
  return totp === undefined ? 'recovery_code' : 'totp';
};

/** The second step of a sign-in. */
export const createSecondFactorRoutes = (options: SecondFactorRoutesOptions): Router => {
  const { opener, pendingSignIns, events, refusedSignIns } = options;
  const answerSignedIn = createSignedInAnswer(options);
  const refusing = emitRefusal(events, 'second_factor.refused');
  const router = createRouter();

  const noteRefusal = (ctx: Context, pending: PendingSignIn | undefined, error: unknown) => {
    if (!pending || !isWrongFactor(error)) return;
    const { accountId } = pending;
    const at = { brand: stateOf(ctx).brand.id, facts: factsOf(ctx) };
    refusedSignIns.note({ who: { accountId }, method: 'second_factor', ...at });
  };

  mount(router, interactionApi.secondFactor, async (ctx, { params, body }) => {
    const opened = await opener.open(ctx, params.uid);
    const { brand, address } = stateOf(ctx);
    const place = { interaction: params.uid, browserId: ensureBrowserId(ctx) };
    const pending = await pendingSignIns.find({ ...place, brand: brand.id });
    const said: EventFields = {
      accountId: pending?.accountId,
      brand: brand.id,
      clientId: opened.client.id,
      method: methodOf(body),
    };
    const { remember, ...sent } = body;
    const trust = remember && { token: nextTrust(ctx) };
    const facts = factsOf(ctx);
    const signIn = await refusing(said, async () => {
      // Before a code is used up for nothing.
      if (!body.passkey) requireStrength(opened.interaction.params, ['pwd', 'otp', 'mfa']);
      const strength = (amr: readonly string[]) => requireStrength(opened.interaction.params, amr);
      const at = { ...place, brand, address, sent, trust, facts, requireStrength: strength };
      return pendingSignIns.pass(at, sent);
    }).catch((error) => {
      noteRefusal(ctx, pending, error);
      throw error;
    });
    if (trust) {
      setTrust(ctx, trust.token);
      events.emit('trusted_browser.added', { accountId: signIn.accountId, brand: brand.id });
    }
    events.emit('second_factor.succeeded', { ...said, accountId: signIn.accountId });
    events.emit('sign_in.succeeded', { ...said, accountId: signIn.accountId });
    return answerSignedIn(ctx, opened, signIn);
  });

  return router;
};
