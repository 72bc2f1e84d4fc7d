import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@candela/contract';

type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

/** The head of a CBOR item (RFC 8949 section 3). */
const head = (major: number, count: number): Buffer => {
  const kind = major << 5;
  if (count < 24) return Buffer.from([kind | count]);
  if (count < 0x100) return Buffer.from([kind | 24, count]);
  if (count < 0x1_0000) return Buffer.from([kind | 25, count >> 8, count & 0xff]);
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(kind | 26);
  bytes.writeUInt32BE(count, 1);
  return bytes;
};

/** Writes an item as CBOR: integers, texts, bytes, lists and maps. */
const toCbor = (item: Cbor): Buffer => {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item);
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)]);
  if (item instanceof Uint8Array) return Buffer.concat([head(2, item.length), item]);
  if (item instanceof Map)
    return Buffer.concat([
      head(5, item.size),
      ...[...item].flatMap(([key, value]: [Cbor, Cbor]) => [toCbor(key), toCbor(value)]),
    ]);
  const list = item as readonly Cbor[];
  return Buffer.concat([head(4, list.length), ...list.map(toCbor)]);
};

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** The public key of ES256 as COSE writes it (RFC 9053 section 7.1). */
const toCose = (publicKey: KeyObject): Buffer => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return toCbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
};

/** What an authenticator and a browser do otherwise than they should, or than most do. */
export interface Ceremony {
  /** The origin of the page. Default: that of the authenticator. */
  origin?: string;
  /** Default: the one of the options. */
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  /** The person is there. Default: yes. */
  present?: boolean;
  /** The person was verified, by a fingerprint or a PIN. Default: yes. */
  verified?: boolean;
  /** Default: a counter that stays 0, as that of synced passkeys. */
  counter?: number;
  backupEligible?: boolean;
  backedUp?: boolean;
}

export interface RegistrationCeremony extends Ceremony {
  /** Makes the credential anew under this id, as a copy would have it. */
  credentialId?: Buffer;
  /** Default: the format `none`, with nothing in its statement. */
  attestation?: { fmt: string; attStmt?: Readonly<Record<string, Cbor>> };
  transports?: string[];
}

export interface AssertionCeremony extends Ceremony {
  /** Which of the credentials. Default: the newest that the options allow. */
  credential?: SoftwareCredential;
  userHandle?: string | null;
  signature?: Buffer;
}

/** A passkey with its private key. */
interface SoftwareCredential {
  id: string;
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
  backupEligible: boolean;
  backedUp: boolean;
}

export interface SoftwareAuthenticatorOptions {
  /** The origin of the pages that ask it. */
  origin: string;
  /** A model, as 16 bytes in the form of a UUID. Default: zeros, as of most. */
  aaguid?: string;
  /** Whether its passkeys are synced, or stay on the device. Default: synced. */
  synced?: boolean;
}

export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>;

/** A browser with an authenticator: makes real attestations of the format `none`, and assertions signed by ES256. */
export const createSoftwareAuthenticator = ({
  origin: ownOrigin,
  aaguid = '00000000-0000-0000-0000-000000000000',
  synced = true,
}: SoftwareAuthenticatorOptions) => {
  const credentials: SoftwareCredential[] = [];

  const clientDataOf = (
    defaultType: string,
    asked: { challenge: string },
    { type = defaultType, challenge = asked.challenge, origin = ownOrigin, crossOrigin = false }: Ceremony,
  ): Buffer => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));

  /** Authenticator data without a credential: Web Authentication section 6.1. */
  const authDataOf = (
    { rpId, backupEligible, backedUp }: { rpId: string; backupEligible: boolean; backedUp: boolean },
    { present = true, verified = true, counter = 0 }: Ceremony,
    hasCredential: boolean,
  ): Buffer => {
    const flags =
      Number(present) |
      (Number(verified) << 2) |
      (Number(backupEligible) << 3) |
      (Number(backedUp) << 4) |
      (Number(hasCredential) << 6);
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), rest]);
  };

  return {
    credentials,

    /** Answers options as `navigator.credentials.create` does. */
    create: (options: PasskeyCreationOptions, ceremony: RegistrationCeremony = {}): PasskeyRegistration => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const idBytes = ceremony.credentialId ?? randomBytes(16);
      const { backupEligible = synced, backedUp = synced, rpId = options.rp.id } = ceremony;
      const credential = {
        id: idBytes.toString('base64url'),
        rpId,
        userHandle: options.user.id,
        privateKey,
        backupEligible,
        backedUp,
      };
      credentials.push(credential);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(idBytes.length);
      const authData = Buffer.concat([
        authDataOf(credential, ceremony, true),
        Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
        length,
        idBytes,
        toCose(publicKey),
      ]);
      const { fmt, attStmt } = ceremony.attestation ?? { fmt: 'none', attStmt: {} };
      const attestationObject = toCbor(
        new Map<string, Cbor>([
          ['fmt', fmt],
          ...(attStmt ? [['attStmt', new Map(Object.entries(attStmt))] as const] : []),
          ['authData', authData],
        ]),
      );
      return {
        id: credential.id,
        rawId: credential.id,
        type: 'public-key',
        response: {
          clientDataJSON: clientDataOf('webauthn.create', options, ceremony).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ceremony.transports ?? ['internal', 'hybrid'],
        },
      };
    },

    /** Answers options as `navigator.credentials.get` does. */
    get: (options: PasskeyRequestOptions, ceremony: AssertionCeremony = {}): PasskeyAssertion => {
      const allowed = options.allowCredentials?.map(({ id }) => id);
      const found = credentials.findLast(
        ({ id, rpId }) => rpId === options.rpId && (allowed?.includes(id) ?? true),
      );
      const credential = ceremony.credential ?? found;
      if (!credential) throw new Error('the authenticator has no such passkey');
      const { backupEligible = credential.backupEligible, backedUp = credential.backedUp } = ceremony;
      const { rpId = options.rpId } = ceremony;
      const clientData = clientDataOf('webauthn.get', options, ceremony);
      const authData = authDataOf({ rpId, backupEligible, backedUp }, ceremony, false);
      const signed = createSign('sha256').update(authData).update(sha256(clientData));
      const signature = ceremony.signature ?? signed.sign(credential.privateKey);
      const userHandle = ceremony.userHandle === undefined ? credential.userHandle : ceremony.userHandle;
      return {
        id: credential.id,
        rawId: credential.id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle !== null && { userHandle }),
        },
      };
    },
  };
};
