import { hash } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '@candela/contract';
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server';
import type { decodeClientDataJSON, parseAuthenticatorData } from '@simplewebauthn/server/helpers';
import type { Brand } from '../../branding/brand/brand.ts';
import type { PasskeyRow } from './passkey.table.ts';
import { type PasskeyFault, PasskeyRefusal } from './passkey-refusal.ts';

/** Ed25519, ES256 and RS256 (RFC 9053, RFC 8812), the preferred one first: every authenticator has one of them. */
export const algorithms = [-8, -7, -257];

/** Loaded by the first passkey of a process: commands, and servers without passkeys, do without its 30 MB. */
const loadWebAuthn = async () => {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...library, ...helpers };
};

export type ClientData = ReturnType<typeof decodeClientDataJSON>;
type AuthenticatorData = ReturnType<typeof parseAuthenticatorData>;
type OurPlace = Pick<Brand, 'origin' | 'rpId'>;

const malformed = (cause: unknown): never => {
  throw new PasskeyRefusal('malformed', { cause });
};

const reading = <T>(read: () => T): T => {
  try {
    return read();
  } catch (cause) {
    return malformed(cause);
  }
};

const insist = (holds: boolean, fault: PasskeyFault): void => {
  if (!holds) throw new PasskeyRefusal(fault);
};

/** What the browser says of its page, and the challenge. @throws PasskeyRefusal */
export const readClientData = async ({
  response,
}: PasskeyRegistration | PasskeyAssertion): Promise<ClientData> => {
  const { decodeClientDataJSON } = await loadWebAuthn();
  const data = reading(() => decodeClientDataJSON(response.clientDataJSON));
  insist(typeof data?.challenge === 'string', 'malformed');
  return data;
};

/** What an authenticator says of the person: there, and verified; nothing where the browser was to ask nobody. */
const insistOnPerson = ({ flags }: AuthenticatorData): void => insist(flags.up && flags.uv, 'not_verified');

/**
 * Checks what the event tells apart, before the library checks all of Web Authentication sections 7.1 and 7.2. No page
 * of ours is framed by another site.
 */
const insistOnOurs = (
  { origin, crossOrigin }: ClientData,
  { rpIdHash, flags }: AuthenticatorData,
  place: OurPlace,
): void => {
  insist(origin === place.origin && crossOrigin !== true, 'origin_foreign');
  insist(Buffer.from(rpIdHash).equals(hash('sha256', place.rpId, 'buffer')), 'rp_id_foreign');
  insist(flags.be || !flags.bs, 'backup_state_impossible');
};

export type NewCredential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/**
 * The credential of a registration (Web Authentication section 7.1). No attestation was asked for, so there is none, or
 * the key signed for itself. One with certificates is refused unread: the library would fetch addresses that they name.
 * @param clientData of the answer; the caller has spent its challenge
 * @param asksNobody the browser made it by itself (`conditional`), so the person may not have been verified
 * @throws PasskeyRefusal
 */
export const verifyRegistration = async (
  answer: PasskeyRegistration,
  clientData: ClientData,
  place: OurPlace,
  { asksNobody = false } = {},
): Promise<NewCredential> => {
  const { clientDataJSON, attestationObject } = answer.response;
  const webAuthn = await loadWebAuthn();
  const attestation = reading(() =>
    webAuthn.decodeAttestationObject(webAuthn.isoBase64URL.toBuffer(attestationObject)),
  );
  const data = reading(() => webAuthn.parseAuthenticatorData(attestation.get('authData')));
  const format = attestation.get('fmt');
  const signsItself = reading(
    () => format === 'packed' && attestation.get('attStmt').get('x5c') === undefined,
  );
  insist(format === 'none' || signsItself, 'attestation_refused');
  insistOnOurs(clientData, data, place);
  if (!asksNobody) insistOnPerson(data);
  const id = data.credentialID && webAuthn.isoBase64URL.fromBuffer(data.credentialID);
  insist(id === answer.id, 'malformed');
  const { registrationInfo } = await webAuthn
    .verifyRegistrationResponse({
      response: { ...answer, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: clientData.challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      requireUserPresence: !asksNobody,
      requireUserVerification: !asksNobody,
      supportedAlgorithmIDs: algorithms,
    })
    .catch(malformed);
  if (!registrationInfo) throw new PasskeyRefusal('attestation_refused');
  return registrationInfo;
};

/**
 * Verifies the signature of a passkey (Web Authentication section 7.2). Answers its counter for the caller to judge: the
 * library would judge it before the signature.
 * @param clientData of the answer; the caller has spent its challenge
 * @throws PasskeyRefusal
 */
export const verifyUse = async (
  answer: PasskeyAssertion,
  clientData: ClientData,
  place: OurPlace,
  passkey: Pick<PasskeyRow, 'credential_id' | 'public_key' | 'backup_eligible'>,
): Promise<{ counter: number; backedUp: boolean }> => {
  const { clientDataJSON, authenticatorData, signature } = answer.response;
  const webAuthn = await loadWebAuthn();
  const { toBuffer } = webAuthn.isoBase64URL;
  const data = reading(() => webAuthn.parseAuthenticatorData(toBuffer(authenticatorData)));
  insistOnOurs(clientData, data, place);
  insistOnPerson(data);
  const { verified } = await webAuthn
    .verifyAuthenticationResponse({
      response: {
        ...answer,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: clientData.challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      credential: { id: passkey.credential_id, publicKey: toBuffer(passkey.public_key), counter: 0 },
      requireUserVerification: true,
    })
    .catch(malformed);
  insist(verified, 'signature_wrong');
  insist(data.flags.be === passkey.backup_eligible, 'backup_state_impossible');
  return { counter: data.counter, backedUp: data.flags.bs };
};
