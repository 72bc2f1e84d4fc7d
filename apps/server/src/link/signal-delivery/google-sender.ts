import { importPKCS8, type JWTPayload, SignJWT } from 'jose';
import type { OutboundRequest } from '../../ground/outbound/outbound-request.ts';
import { openWithAny } from '../../ground/seal.ts';
import type { ServiceAccount } from '../stream/service-account.ts';
import { isTaken, readJsonAnswer, storable } from './receiver-answer.ts';
import { toSeconds } from './security-event-token.ts';
import type { LeasedSignal } from './signal.repository.ts';
import type { SignalSender, SignalSenderOptions, Verdict } from './signal-sender.ts';

const TOKEN_REVOKED = 'https://schemas.openid.net/secevent/oauth/event-type/token-revoked';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** An access token that ends so soon is not used any more. */
const MARGIN_SECONDS = 60;

/** Google Account Linking API, November 2026, section RISC: the claims of a security event token. */
const claimsForGoogle = ({ jti, created_at, payload }: LeasedSignal, issuer: string): JWTPayload => ({
  iss: issuer,
  aud: 'google_account_linking',
  jti,
  iat: toSeconds(created_at),
  toe: toSeconds(created_at),
  events: {
    [TOKEN_REVOKED]: {
      subject_type: 'oauth_token',
      token_type: 'refresh_token',
      token_identifier_alg: 'hash_base64_sha512_sha512',
      token: payload.google_token_hash,
    },
  },
});

/** RFC 7523 section 2.1: what a service account asks for an access token with. */
const assertionOf = async (
  { client_email, private_key, private_key_id, token_uri }: ServiceAccount,
  at: number,
): Promise<string> =>
  new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(private_key_id && { kid: private_key_id }) })
    .setIssuer(client_email)
    .setAudience(token_uri)
    .setIssuedAt(at)
    .setExpirationTime(at + 3_600)
    .sign(await importPKCS8(private_key, 'RS256'));

/** Google's words for an error: of its APIs an object, of its token endpoint two texts. */
const detailOf = (body: unknown): { detail?: string } => {
  const { error, error_description } = Object(body);
  const words = [typeof error === 'string' ? error : error?.message, error_description];
  const detail = storable(words.filter((word) => typeof word === 'string').join(' '));
  return detail ? { detail } : {};
};

/** What this side did wrong by itself would be wrong again. All else may be the setup, or pass. */
const outcomeOf = (status: number): Verdict['outcome'] =>
  isTaken(status) ? 'told' : status === 400 ? 'refused' : 'not_taken';

interface AccessToken {
  value: string;
  /** In seconds since the epoch. */
  endsAt: number;
}

const requestToken = async (
  account: ServiceAccount,
  { request, at, signal }: { request: OutboundRequest; at: number; signal: AbortSignal },
): Promise<AccessToken | Verdict> => {
  const form = { grant_type: JWT_BEARER, assertion: await assertionOf(account, at) };
  const answer = await request(account.token_uri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
    signal,
  });
  const status = answer.statusCode ?? 0;
  const body = await readJsonAnswer(answer);
  const { access_token: value, expires_in: lasts } = Object(body);
  if (!isTaken(status) || typeof value !== 'string' || typeof lasts !== 'number')
    return { outcome: 'not_taken', status, ...detailOf(body) };
  return { value, endsAt: at + lasts - MARGIN_SECONDS };
};

/**
 * Tells Google that a refresh token is revoked. Google documents no event for a test: a verification asks for the access
 * token, and sends no event.
 */
export const createGoogleSender = ({ request, sign, keys, now }: SignalSenderOptions): SignalSender => {
  const tokens = new Map<string, AccessToken & { sealed: string }>();

  return async (item, { issuer }, signal) => {
    const sealed = item.service_account_sealed ?? '';
    const at = toSeconds(now());
    const held = tokens.get(item.stream_id);
    const isGood = held?.sealed === sealed && held.endsAt > at && item.event !== 'verification';
    const account = (): ServiceAccount => JSON.parse(openWithAny(keys, sealed));
    const token = isGood ? held : await requestToken(account(), { request, at, signal });
    if ('outcome' in token) return token;
    tokens.set(item.stream_id, { ...token, sealed });
    if (item.event === 'verification') return { outcome: 'told', status: 200 };

    const set = await sign(claimsForGoogle(item, issuer));
    const answer = await request(item.endpoint_url ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${token.value}`,
      },
      body: JSON.stringify({ set }),
      signal,
    });
    const status = answer.statusCode ?? 0;
    if (status === 401) tokens.delete(item.stream_id);
    const outcome = outcomeOf(status);
    if (outcome !== 'told') return { outcome, status, ...detailOf(await readJsonAnswer(answer)) };
    answer.destroy();
    return { outcome, status };
  };
};
