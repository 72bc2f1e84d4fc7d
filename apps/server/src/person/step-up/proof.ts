import type { CurrentSession } from '../session/session.service.ts';

/** What a person proved to be there with: a name below, or the value of the identifier that a code was sent to. */
export type Proof = string;

// They are no identifiers: a phone number begins with a plus sign, an e-mail address has an at sign.
export const BY_PASSWORD: Proof = 'password';
/** By a code of the authenticator app. */
export const BY_TOTP: Proof = 'totp';
export const BY_RECOVERY_CODE: Proof = 'recovery_code';
/** Some passkey of the account. */
export const BY_PASSKEY: Proof = 'passkey';

const ONE_PASSKEY = `${BY_PASSKEY}:`;

/** Which passkey a proof names; undefined for any other proof. */
export const passkeyOf = (proof: Proof): string | undefined =>
  proof.startsWith(ONE_PASSKEY) ? proof.slice(ONE_PASSKEY.length) : undefined;

/** Several proofs, as a row holds them; none has a space in it. */
export const joinProofs = (...proofs: readonly Proof[]): string => proofs.join(' ');
export const splitProofs = (joined: string | null | undefined): Proof[] =>
  joined?.split(' ').filter((proof) => proof !== '') ?? [];

/** The proof by one passkey, as a row holds it. The release before reads the first word alone. */
export const byPasskey = (id: string): string => joinProofs(BY_PASSKEY, `${ONE_PASSKEY}${id}`);

const ONE_PROVIDER = 'provider:';

/** The proof by a way in through an identity provider, by the id of the way in. */
export const byProvider = (identityId: string): Proof => `${ONE_PROVIDER}${identityId}`;

const isByProvider = (proof: Proof): boolean => proof.startsWith(ONE_PROVIDER);

/** Which way in a proof names; undefined for any other proof. */
export const identityOf = (proof: Proof): string | undefined =>
  isByProvider(proof) ? proof.slice(ONE_PROVIDER.length) : undefined;

const strong: readonly Proof[] = [BY_TOTP, BY_RECOVERY_CODE, BY_PASSKEY];

/**
 * Whether a proof is among them that opens the second factor itself: a password or a code proves no more than an
 * intruder would have to steal anyway.
 */
export const provesFactor = (proofs: readonly Proof[]): boolean =>
  proofs.some((proof) => strong.includes(proof));

/** Whether the app, or a recovery code in its place, is among them. */
export const provesTyped = (proofs: readonly Proof[]): boolean =>
  proofs.includes(BY_TOTP) || proofs.includes(BY_RECOVERY_CODE);

/** A session whose person has just proven to be there, and with what. */
export interface ProvenSession extends CurrentSession {
  proofs: readonly Proof[];
}
