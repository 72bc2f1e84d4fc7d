import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import type { RecoveryWaitService } from '../recovery-wait/recovery-wait.service.ts';
import type { CurrentSession } from '../session/session.service.ts';
import type { ProvenSession } from './proof.ts';
import {
  type Demand,
  type DueProof,
  type Holdings,
  ofFactor,
  ofIdentity,
  ofPasskey,
  stillDue,
} from './seniority.ts';
import type { StepUpService } from './step-up.service.ts';
import { readStepUps } from './step-up-cookie.ts';

export interface ProvenSessionOptions {
  stepUps: Pick<StepUpService, 'findHoldings' | 'findProofs'>;
  requireCurrent(ctx: Context): Promise<CurrentSession>;
  recoveryWaits: Pick<RecoveryWaitService, 'findWaiting'>;
}

/** The refusal of a change that takes one of these proofs; it names them among the fields. */
const proofDue = (due: readonly DueProof[]): AppError =>
  new AppError('step_up_required', {
    fields: Object.fromEntries(due.map((proof) => [proof, 'step_up_required' as const])),
  });

/** Finds the session for a change that takes proofs of a certain age. */
export type RequireDemanded = ReturnType<typeof createProvenSessionFinder>['requireDemanded'];

/** Finds the session for a sensitive change, where its person has just proven to be there. */
export const createProvenSessionFinder = (options: ProvenSessionOptions) => {
  const { stepUps, requireCurrent, recoveryWaits } = options;

  /**
   * @param demandOf what the change takes of an account; by default its factor, where one is on
   * @throws AppError not_signed_in, step_up_required, which names among the fields what is due
   */
  const requireDemanded = async (
    ctx: Context,
    demandOf: (holdings: Holdings) => Demand = () => ({ factor: true }),
  ): Promise<ProvenSession> => {
    const current = await requireCurrent(ctx);
    const proofs = await stepUps.findProofs(current, readStepUps(ctx));
    const holdings = await stepUps.findHoldings(current.accountId);
    const due = stillDue(proofs ?? [], holdings, demandOf(holdings));
    if (due.length > 0) throw proofDue(due);
    if (!proofs) throw new AppError('step_up_required');
    return { ...current, proofs };
  };

  return {
    /** @throws AppError not_signed_in, step_up_required */
    requireProven: async (ctx: Context): Promise<ProvenSession> => {
      const current = await requireCurrent(ctx);
      const proofs = await stepUps.findProofs(current, readStepUps(ctx));
      if (!proofs) throw new AppError('step_up_required');
      return { ...current, proofs };
    },
    requireDemanded,
    /**
     * For the end of a recovery that waits: a session alone does not stop it.
     * @throws AppError not_signed_in, not_found where none waits, step_up_required as above
     */
    requireStopper: async (ctx: Context): Promise<ProvenSession> => {
      const { accountId } = await requireCurrent(ctx);
      const waiting = await recoveryWaits.findWaiting(accountId);
      if (!waiting) throw new AppError('not_found');
      return requireDemanded(ctx, () => waiting);
    },
    /** For a way past the factor: who adds one proves the factor that is on, else the oldest of the account. */
    requireForFactor: (ctx: Context) => requireDemanded(ctx, ofFactor),
    /** For the removal of a passkey: what is younger does not remove it. */
    requireForPasskey: (ctx: Context, id: string) => requireDemanded(ctx, ofPasskey(id)),
    /** For the removal of a way in through an identity provider: what is younger does not remove it. */
    requireForIdentity: (ctx: Context, linkedAt: Date | undefined) =>
      requireDemanded(ctx, ofIdentity(linkedAt)),
  };
};
