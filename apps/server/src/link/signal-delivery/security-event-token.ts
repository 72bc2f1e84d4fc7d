import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { isSignalName, signalEvents } from '../../person/signal/signal-events.ts';
import type { PrivateJwk } from '../signing-key/signing-key.service.ts';

/** What a security event token is made of. */
export interface EventOfToken {
  jti: string;
  stream_id: string;
  sid: string | null;
  event: string;
  payload: Record<string, unknown>;
  created_at: Date;
}

/** Who issues a token, for whom, and about whom; without a subject it is about the stream. */
export interface TokenParties {
  issuer: string;
  clientId: string;
  subject: string | undefined;
}

const framework = 'https://schemas.openid.net/secevent/ssf/event-type/';

/** The URI of a type of event. The framework's own are `verification` and `stream-updated`. */
const typeOf = (event: string): string =>
  isSignalName(event) ? signalEvents[event] : `${framework}${event}`;

/** RFC 9493 section 3, Shared Signals Framework 1.0 section 3.3. */
const subjectOf = ({ stream_id, sid }: EventOfToken, { issuer, subject }: TokenParties) => {
  if (subject === undefined) return { format: 'opaque', id: stream_id };
  const user = { format: 'iss_sub', iss: issuer, sub: subject };
  return sid === null ? user : { format: 'complex', user, session: { format: 'opaque', id: sid } };
};

/** Seconds since the epoch. */
export const toSeconds = (at: Date) => Math.floor(at.getTime() / 1_000);

/**
 * The claims of a security event token (RFC 8417, Shared Signals Framework 1.0 section 4): one event, without `sub` and
 * `exp`. Every try and every poll has the same.
 */
export const claimsOfEvent = (event: EventOfToken, parties: TokenParties): JWTPayload => ({
  iss: parties.issuer,
  jti: event.jti,
  iat: toSeconds(event.created_at),
  aud: parties.clientId,
  // Not the same for two receivers: by it they could tell that their pairwise subjects are one person.
  txn: event.jti,
  sub_id: subjectOf(event, parties),
  events: {
    [typeOf(event.event)]: {
      ...(parties.subject !== undefined && { event_timestamp: toSeconds(event.created_at) }),
      ...event.payload,
    },
  },
});

/** CAEP Interoperability Profile 1.0 section 2.6. */
const ALG = 'RS256';

/** Signs security event tokens with the key that signs now. */
export const createTokenSigner = (keys: () => readonly PrivateJwk[]) => {
  let held: { kid: string; key: ReturnType<typeof importJWK> } | undefined;
  const signingKey = async () => {
    const jwk = keys().find(({ alg }) => alg === ALG);
    if (!jwk) throw new Error(`there is no key for ${ALG}`);
    if (held?.kid !== jwk.kid) held = { kid: jwk.kid, key: importJWK({ ...jwk }, ALG) };
    return { kid: jwk.kid, key: await held.key };
  };
  return async (claims: JWTPayload): Promise<string> => {
    const { kid, key } = await signingKey();
    return new SignJWT(claims).setProtectedHeader({ alg: ALG, kid, typ: 'secevent+jwt' }).sign(key);
  };
};

export type TokenSigner = ReturnType<typeof createTokenSigner>;
