import type { CurrentSession } from '../session/session.service.ts';

/** What a person proved to be there with: `BY_PASSWORD`, `BY_PASSKEY`, or the value of the identifier that a code was sent to. */
export type Proof = string;

/** It is no identifier: a phone number begins with a plus sign, an e-mail address has an at sign. */
export const BY_PASSWORD: Proof = 'password';

/** A passkey of the account. */
export const BY_PASSKEY: Proof = 'passkey';

/** A session whose person has just proven to be there, and with what. */
export interface ProvenSession extends CurrentSession {
  proofs: readonly Proof[];
}
