import type { Context } from 'koa';
import { ensureBrowserId } from '../../http/browser-cookie.ts';
import { stateOf } from '../../http/request-state.ts';
import type { Authenticated } from '../../person/authentication/ticket-proof.ts';
import { readTrust } from '../../person/trusted-browser/trust-cookie.ts';
import { type FactorWays, insistedOf, isEssential, requireStrength } from './insisted.ts';
import type { OpenInteraction } from './open-interaction.ts';
import type { PendingSignIns } from './pending-sign-in.service.ts';

export interface FactorCheckOptions {
  pendingSignIns: PendingSignIns;
  secondFactorWays: FactorWays;
}

/**
 * Whether a right first proof is to be followed by the second factor.
 * @throws AppError as `requireStrength`, where no factor of the account makes the sign-in strong enough
 */
export const createFactorCheck =
  ({ pendingSignIns, secondFactorWays }: FactorCheckOptions) =>
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
