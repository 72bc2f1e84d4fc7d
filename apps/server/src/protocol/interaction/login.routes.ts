import { interactionApi } from '@candela/contract';
import type Router from '@koa/router';
import { AppError } from '../../ground/errors.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createRouter } from '../../ground/router.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { AuthenticationService } from '../../person/authentication/authentication.service.ts';
import { BY_PASSWORD } from '../../person/step-up/proof.ts';
import { keepingTicket } from '../../person/verification/ticket.service.ts';
import type { VerificationService } from '../../person/verification/verification.service.ts';
import { createFactorCheck, type FactorCheckOptions } from './factor-check.ts';
import type { InteractionOpener } from './open-interaction.ts';
import { createSignedInAnswer, type SignedInAnswerOptions } from './signed-in-answer.ts';

export interface LoginRoutesOptions extends SignedInAnswerOptions, FactorCheckOptions {
  opener: InteractionOpener;
  authentication: AuthenticationService;
  verification: VerificationService;
}

/** The ways to sign in: by a password or a code, and by a new account. */
export const createLoginRoutes = (options: LoginRoutesOptions): Router => {
  const { opener, authentication, verification, pendingSignIns } = options;
  const isFactorDue = createFactorCheck(options);
  const answerSignedIn = createSignedInAnswer(options);
  const router = createRouter();

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
      isFactorDue: (proven) => isFactorDue(ctx, opened, { ...proven, amr: proof.amr }),
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
      locale: opened.askedLocale ?? stateOf(ctx).locale,
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

  return router;
};
