import { interactionApi } from '@candela/contract';
import Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { factsOf, stateOf } from '../../http/request-state.ts';
import type { AuthenticationService } from '../../person/authentication/authentication.service.ts';
import type { Authenticated } from '../../person/authentication/ticket-proof.ts';
import { BY_PASSWORD } from '../../person/step-up/proof.ts';
import { readTrust } from '../../person/trusted-browser/trust-cookie.ts';
import { keepingTicket } from '../../person/verification/ticket.service.ts';
import type { VerificationService } from '../../person/verification/verification.service.ts';
import { type FactorWays, insistedOf, isEssential, requireStrength } from './insisted.ts';
import type { InteractionOpener, OpenInteraction } from './open-interaction.ts';
import type { PendingSignIns } from './pending-sign-in.service.ts';
import { createSignedInAnswer, type SignedInAnswerOptions } from './signed-in-answer.ts';

export interface LoginRoutesOptions extends SignedInAnswerOptions {
  opener: InteractionOpener;
  authentication: AuthenticationService;
  verification: VerificationService;
  pendingSignIns: PendingSignIns;
  secondFactorWays: FactorWays;
}

/**
 * Whether a right password or code is to be followed by the second factor.
 * @throws AppError as `requireStrength`, where no factor of the account makes the sign-in strong enough
 */
const createFactorCheck =
  ({ pendingSignIns, secondFactorWays }: LoginRoutesOptions) =>
  async (
    ctx: Context,
    { interaction: { params } }: OpenInteraction,
    {
      accountId,
      hasFactor,
      amr,
    }: Pick<Authenticated, 'accountId' | 'hasFactor'> & { amr: readonly string[] },
  ): Promise<boolean> => {
    const { id: brand, rpId } = stateOf(ctx).brand;
    const insisted = insistedOf(params);
    const enough = insisted ? await secondFactorWays(accountId, rpId, insisted) : [];
    // A wish asks for a passkey only where an app would do too: the passkey may be on another device.
    const isHeld = async () =>
      isEssential(params) || (await secondFactorWays(accountId, rpId)).some((way) => way !== 'passkey');
    // Trust in a browser does not stand for what the app asks.
    if (enough.length > 0 && (await isHeld())) return true;
    // Nobody is asked for a factor in vain.
    if (insisted) requireStrength(params, amr);
    const at = { browserId: ensureBrowserId(ctx), token: readTrust(ctx), brand };
    const isDue = await pendingSignIns.isDue(accountId, at, hasFactor);
    if (!isDue) requireStrength(params, amr);
    return isDue;
  };

/** The ways to sign in: by a password or a code, and by a new account. */
export const createLoginRoutes = (options: LoginRoutesOptions): Router => {
  const { opener, authentication, verification, pendingSignIns } = options;
  const isFactorDue = createFactorCheck(options);
  const answerSignedIn = createSignedInAnswer(options);
  const router = new Router();

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
