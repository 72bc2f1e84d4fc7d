import * as z from 'zod/mini';

/** Larger than what any authenticator makes: an answer has a few hundred bytes. */
const ANSWER_LENGTH = 8192;
/** A credential id has 1023 bytes at most (Web Authentication section 4). */
const CREDENTIAL_ID_LENGTH = 1364;

const base64url = (maxLength: number) =>
  z.string().check(z.regex(/^[\w-]+$/, 'passkey_rejected'), z.maxLength(maxLength, 'passkey_rejected'));

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
export type PasskeyTransport = (typeof transports)[number];

/** The transports that Web Authentication names; a browser may add others, which are not kept. */
export const isPasskeyTransport = (name: string): name is PasskeyTransport =>
  (transports as readonly string[]).includes(name);

const Credential = {
  id: base64url(CREDENTIAL_ID_LENGTH),
  rawId: base64url(CREDENTIAL_ID_LENGTH),
  type: z.literal('public-key'),
};

/**
 * `RegistrationResponseJSON` (Web Authentication section 5.1.8), as a browser answers `navigator.credentials.create`.
 * Browsers add fields; those that are not named here are ignored.
 */
export const PasskeyRegistration = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: base64url(ANSWER_LENGTH),
    attestationObject: base64url(ANSWER_LENGTH),
    transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(20))),
  }),
});
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>;

/** `AuthenticationResponseJSON`, as a browser answers `navigator.credentials.get`. */
export const PasskeyAssertion = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: base64url(ANSWER_LENGTH),
    authenticatorData: base64url(ANSWER_LENGTH),
    signature: base64url(ANSWER_LENGTH),
    userHandle: z.nullish(base64url(128)),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.enum(transports))),
});

/** `PublicKeyCredentialCreationOptionsJSON`: what the browser needs to make a passkey. `timeout` is in milliseconds. */
export const PasskeyCreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.number(),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.enum(['required', 'preferred']),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>;

/**
 * `PublicKeyCredentialRequestOptionsJSON`: what the browser needs to ask for a passkey. Without `allowCredentials`
 * the person chooses among the passkeys that the browser finds.
 */
export const PasskeyRequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.optional(z.array(Descriptor)),
});
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>;

/** A passkey, as its owner sees it. */
export const Passkey = z.object({
  id: z.string(),
  /** What authenticators and browsers call it, for the signals of Web Authentication section 5.1.10. */
  credentialId: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.optional(z.iso.datetime()),
  /** It is kept in an account of its provider too; else it is lost with its device. */
  synced: z.boolean(),
  /** Who keeps it, where that is known, such as `iCloud Keychain`. */
  provider: z.optional(z.string()),
  /** Its counter went back: somebody may have copied it. */
  warning: z.optional(z.literal('counter')),
  /** The relying party id that it belongs to, where it does not work at this brand. */
  elsewhere: z.optional(z.string()),
});
export type Passkey = z.infer<typeof Passkey>;

/**
 * `rpId` and `userHandle` are those of this brand and account, for `signalAllAcceptedCredentials`. An account that never
 * had a passkey has no `userHandle`.
 */
export const PasskeyList = z.object({
  items: z.array(Passkey),
  rpId: z.string(),
  userHandle: z.optional(z.string()),
});

/** As typed; the rule is that of nicknames. */
const PasskeyName = z.string().check(z.maxLength(1024, 'passkey_name_invalid'));

/**
 * `conditional`: the browser makes the passkey without asking anybody, where it keeps the password of the account (Web
 * Authentication section 5.1.3). Nobody is verified then, but at each use.
 */
const Mediation = z.optional(z.literal('conditional'));

/** How the browser is to make the passkey. */
export const AskForPasskey = z.strictObject({ mediation: Mediation });

/** Without `name` the server chooses one: who keeps the passkey, else the browser. */
export const AddPasskey = z.strictObject({
  response: PasskeyRegistration,
  name: z.optional(PasskeyName),
  mediation: Mediation,
});

export const RenamePasskey = z.strictObject({ name: PasskeyName });

/** What the browser answered. */
export const UsePasskey = z.strictObject({ response: PasskeyAssertion });
