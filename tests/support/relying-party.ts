import * as oidc from 'openid-client';

type Parameters = Record<string, string>;
type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

export interface RelyingPartyOptions {
  issuer: string;
  clientId: string;
  /** Sent by client_secret_basic; a client without a secret is public. */
  clientSecret?: string;
  /** An authentication method other than `clientSecret`. */
  authentication?: oidc.ClientAuth;
  redirectUri: string;
  /** `openid profile` by default. */
  scope?: string;
}

/** The values of an authorization request that its response is verified against. */
interface Checks {
  pkceCodeVerifier: string;
  expectedState: string;
  expectedNonce?: string;
  maxAge?: number;
}

export interface RelyingParty {
  /** The library’s own configuration, for calls that are not wrapped here. */
  readonly configuration: oidc.Configuration;
  /** Code flow with PKCE S256, state and, for OpenID requests, nonce; `parameters` add to these or override them. */
  authorizationUrl(parameters?: Parameters): Promise<{ url: URL; checks: Checks }>;
  /** Verifies the callback, redeems its code and verifies the id_token with its signature. */
  exchange(callbackUrl: URL | string, checks: Checks, parameters?: Parameters): Promise<Tokens>;
  refresh(refreshToken: string, parameters?: Parameters): Promise<Tokens>;
  /** With `subject` the response must have that sub (OpenID Connect Core section 5.3.2). */
  userinfo(accessToken: string, subject?: string): Promise<oidc.UserInfoResponse>;
  introspect(token: string, hint?: TokenHint): Promise<oidc.IntrospectionResponse>;
  revoke(token: string, hint?: TokenHint): Promise<void>;
  endSessionUrl(parameters?: Parameters): URL;
}

type TokenHint = 'access_token' | 'refresh_token';

/**
 * A third-party app: openid-client, with plain http allowed if the issuer has it.
 * Refusals of the server reject with the library's own errors (`ResponseBodyError`,
 * `AuthorizationResponseError`, `WWWAuthenticateChallengeError`).
 */
export async function createRelyingParty(options: RelyingPartyOptions): Promise<RelyingParty> {
  const { issuer, clientId, clientSecret, redirectUri } = options;
  const authentication =
    options.authentication ?? (clientSecret ? oidc.ClientSecretBasic(clientSecret) : oidc.None());
  const plain = new URL(issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const configuration = await oidc.discovery(new URL(issuer), clientId, undefined, authentication, {
    execute: [...plain, oidc.enableNonRepudiationChecks],
  });

  return {
    configuration,

    async authorizationUrl(parameters = {}) {
      const scope = parameters.scope ?? options.scope ?? 'openid profile';
      const checks: Checks = {
        pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
        expectedState: parameters.state ?? oidc.randomState(),
      };
      if (scope.split(' ').includes('openid')) checks.expectedNonce = parameters.nonce ?? oidc.randomNonce();
      if (parameters.max_age !== undefined) checks.maxAge = Number(parameters.max_age);
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
        code_challenge_method: 'S256',
        ...parameters,
        scope,
        state: checks.expectedState,
        ...(checks.expectedNonce === undefined ? {} : { nonce: checks.expectedNonce }),
      });
      return { url, checks };
    },

    exchange: (callbackUrl, checks, parameters) =>
      oidc.authorizationCodeGrant(configuration, new URL(callbackUrl), checks, parameters),

    refresh: (refreshToken, parameters) => oidc.refreshTokenGrant(configuration, refreshToken, parameters),

    userinfo: (accessToken, subject) =>
      oidc.fetchUserInfo(configuration, accessToken, subject ?? oidc.skipSubjectCheck),

    introspect: (token, hint) => oidc.tokenIntrospection(configuration, token, hinted(hint)),

    revoke: (token, hint) => oidc.tokenRevocation(configuration, token, hinted(hint)),

    endSessionUrl: (parameters) => oidc.buildEndSessionUrl(configuration, parameters),
  };
}

function hinted(hint: TokenHint | undefined): Parameters {
  return hint === undefined ? {} : { token_type_hint: hint };
}
