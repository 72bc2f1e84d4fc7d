import type { RegisteredClient } from '@candela/contract';
import { challengeOf, randomValue } from './pkce.ts';
import { type Proof, proofOf, type TrialRequest } from './trial-request.ts';

/** The page that the authorization answer comes back to. The server adds it to the client’s redirect URIs. */
const TRIAL_PAGE = '/developers/try';

/** What one run of a trial has made and received so far. It lives in the memory of the page alone. */
export interface Trial {
  verifier: string;
  challenge: string;
  state: string;
  nonce: string;
  code?: string;
  deviceCode?: string;
  tokens?: Tokens;
}

/** A token response (RFC 6749 section 5.1). */
export interface Tokens {
  access_token: string;
  refresh_token?: string;
  id_token?: string;
  expires_in?: number;
  scope?: string;
}

export const beginTrial = async (): Promise<Trial> => {
  const verifier = randomValue();
  return {
    verifier,
    challenge: await challengeOf(verifier),
    state: randomValue(),
    nonce: randomValue(),
  };
};

/** Scopes of every client that names none. */
const DEFAULT_SCOPE = 'openid profile email phone';

/** The scope that a trial asks for: all that the client is registered for. */
export const scopeOf = ({ scope }: Pick<RegisteredClient, 'scope'>): string => scope || DEFAULT_SCOPE;

type Client = Pick<RegisteredClient, 'scope' | 'token_endpoint_auth_method'>;

/** The parameters of the authorization request (OpenID Connect Core section 3.1.2.1). */
export const authorizationRequest = (client: Client, trial: Trial, origin: string): TrialRequest => ({
  method: 'GET',
  path: '/oauth/authorize',
  proof: 'none',
  params: {
    response_type: 'code',
    redirect_uri: origin + TRIAL_PAGE,
    scope: scopeOf(client),
    state: trial.state,
    ...(scopeOf(client).split(' ').includes('openid') && { nonce: trial.nonce }),
    code_challenge: trial.challenge,
    code_challenge_method: 'S256',
  },
});

/** How the client proves itself. A client that signs assertions cannot be tried in a browser beyond its first step. */
const proof = (client: Client): Exclude<Proof, 'bearer'> => proofOf(client) ?? 'none';

const post = (client: Client, path: string, params: Record<string, string>): TrialRequest => ({
  method: 'POST',
  path,
  params,
  proof: proof(client),
});

export const deviceAuthorizationRequest = (client: Client): TrialRequest =>
  post(client, '/oauth/device_authorization', { scope: scopeOf(client) });

/** The token request of what the trial holds: a code, a device code, or the client’s own credentials. */
export const tokenRequest = (client: Client, trial: Trial, origin: string): TrialRequest => {
  if (trial.code !== undefined)
    return post(client, '/oauth/token', {
      grant_type: 'authorization_code',
      code: trial.code,
      redirect_uri: origin + TRIAL_PAGE,
      code_verifier: trial.verifier,
    });
  if (trial.deviceCode !== undefined)
    return post(client, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: trial.deviceCode,
    });
  return post(client, '/oauth/token', {
    grant_type: 'client_credentials',
    ...(client.scope && { scope: client.scope }),
  });
};

export const userinfoRequest = ({ access_token: accessToken }: Tokens): TrialRequest => ({
  method: 'GET',
  path: '/oauth/userinfo',
  params: {},
  proof: 'bearer',
  accessToken,
});

export const refreshRequest = (client: Client, { refresh_token: token = '' }: Tokens): TrialRequest =>
  post(client, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token });

export const introspectionRequest = (client: Client, { access_token: token }: Tokens): TrialRequest =>
  post(client, '/oauth/introspect', { token });

/** Revokes the whole approval where there is a refresh token, else the access token. */
export const revocationRequest = (client: Client, tokens: Tokens): TrialRequest =>
  post(client, '/oauth/revoke', { token: tokens.refresh_token ?? tokens.access_token });

/** Sign-out that the app starts (OpenID Connect RP-Initiated Logout section 2). */
export const logoutRequest = ({ id_token: hint }: Tokens): TrialRequest => ({
  method: 'GET',
  path: '/oauth/logout',
  params: hint ? { id_token_hint: hint } : {},
  proof: 'none',
});

const hasText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The tokens of an answer; undefined where it has none. */
export const tokensIn = (body: unknown): Tokens | undefined =>
  typeof body === 'object' && body !== null && 'access_token' in body && hasText(body.access_token)
    ? (body as Tokens)
    : undefined;
