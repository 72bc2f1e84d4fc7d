import { AppError } from '../../ground/errors.ts';

/** Why a passkey is refused. The event has it; the person is told `passkey_rejected` alone. */
export type PasskeyFault =
  /** No answer of an authenticator can be read out of it. */
  | 'malformed'
  /** The challenge was answered before. */
  | 'replayed'
  /** The challenge was made for another browser, brand, purpose, interaction or account. */
  | 'challenge_elsewhere'
  | 'origin_foreign'
  | 'rp_id_foreign'
  | 'not_verified'
  | 'attestation_refused'
  | 'backup_state_impossible'
  | 'signature_wrong'
  | 'credential_unknown'
  | 'account_differs'
  | 'counter_went_back';

/** A passkey that is refused, and why. It never leaves this folder: callers see an `AppError`. */
export class PasskeyRefusal extends Error {
  override readonly name = 'PasskeyRefusal';
  readonly fault: PasskeyFault;

  constructor(fault: PasskeyFault, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
  }
}

/** What the caller is told. Only where nobody has the credential may the browser be told to forget it. */
export const toAppError = ({ fault }: PasskeyRefusal): AppError =>
  new AppError(
    'passkey_rejected',
    fault === 'credential_unknown' ? { fields: { 'response.id': 'not_found' } } : {},
  );
