import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import type { SecondFactorService } from '../second-factor/second-factor.service.ts';
import type { CurrentSession } from '../session/session.service.ts';
import { type ProvenSession, provesFactor } from './proof.ts';
import type { StepUpService } from './step-up.service.ts';
import { readStepUp } from './step-up-cookie.ts';

export interface ProvenSessionOptions {
  stepUps: Pick<StepUpService, 'requireStepUp'>;
  secondFactors: Pick<SecondFactorService, 'find'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

const factorDue = () => new AppError('step_up_required', { fields: { totp: 'step_up_required' } });

/** Finds the session for a sensitive change, where its person has just proven to be there. */
export const createProvenSessionFinder = ({
  stepUps,
  secondFactors,
  requireCurrent,
}: ProvenSessionOptions) => {
  const prove = async (ctx: Context, current: CurrentSession): Promise<ProvenSession> => ({
    ...current,
    proofs: await stepUps.requireStepUp(current, readStepUp(ctx)),
  });

  return {
    /** @throws AppError not_signed_in, step_up_required */
    requireProven: async (ctx: Context): Promise<ProvenSession> => prove(ctx, await requireCurrent(ctx)),
    /**
     * The same, for what opens or removes a second factor: an account that has one asks for a proof of a second factor.
     * @throws AppError not_signed_in, step_up_required, which names `totp` among the fields where the account has a second factor
     */
    requireProvenFactor: async (ctx: Context): Promise<ProvenSession> => {
      const current = await requireCurrent(ctx);
      if (!(await secondFactors.find(current.accountId))) return prove(ctx, current);
      const proven = await prove(ctx, current).catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'step_up_required' ? factorDue() : error;
      });
      if (!provesFactor(proven.proofs)) throw factorDue();
      return proven;
    },
  };
};
