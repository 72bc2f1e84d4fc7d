import type { Context } from 'koa';
import type { CurrentSession } from '../session/session.service.ts';
import type { ProvenSession } from './proof.ts';
import type { StepUpService } from './step-up.service.ts';
import { readStepUp } from './step-up-cookie.ts';

export interface ProvenSessionOptions {
  stepUps: Pick<StepUpService, 'requireStepUp'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

/** Finds the session for a sensitive change, where its person has just proven to be there. */
export const createProvenSessionFinder =
  ({ stepUps, requireCurrent }: ProvenSessionOptions) =>
  /** @throws AppError not_signed_in, step_up_required */
  async (ctx: Context): Promise<ProvenSession> => {
    const current = await requireCurrent(ctx);
    return { ...current, proofs: await stepUps.requireStepUp(current, readStepUp(ctx)) };
  };
