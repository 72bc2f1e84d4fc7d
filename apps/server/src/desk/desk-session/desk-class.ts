import { AppError } from '../../ground/errors.ts';
import { type Proof, passkeyOf, provesFactor } from '../../person/step-up/proof.ts';

/** What opens the desk, and each change: a second factor or a passkey (`mfa`), or a passkey alone (`phr`). */
export type DeskClass = 'mfa' | 'phr';

/** @throws AppError step_up_required where the proofs are weaker; it names among the fields what is due */
export const requireStrong = (acr: DeskClass, proofs: readonly Proof[]): void => {
  const isStrong = acr === 'phr' ? proofs.some((proof) => passkeyOf(proof)) : provesFactor(proofs);
  if (isStrong) return;
  const due = acr === 'phr' ? 'passkey' : 'totp';
  throw new AppError('step_up_required', { fields: { [due]: 'step_up_required' } });
};
