import * as oidc from 'openid-client';
import { recordingFetch } from './exchanges.ts';

export interface Registration {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  postLogoutRedirectUri: string;
}

export interface SignInRequest {
  scope: string;
  prompt?: string | undefined;
  uiLocales?: string | undefined;
  loginHint?: string | undefined;
  maxAgeSeconds?: number | undefined;
}

/** The values of an authorization request that its response is verified against. */
export interface PendingSignIn {
  state: string;
  checks: oidc.AuthorizationCodeGrantChecks;
}

export interface Tokens {
  accessToken: string;
  tokenType: string;
  scope?: string | undefined;
  expiresAt?: Date | undefined;
  receivedAt: Date;
  refreshToken?: string | undefined;
  idToken?: string | undefined;
  /** The claims of the id_token; absent without the `openid` scope. */
  claims?: oidc.IDToken | undefined;
}

/** The requests to the authorization server; a refusal rejects with an error of openid-client. */
export interface AuthorizationServer {
  startSignIn(request: SignInRequest): Promise<PendingSignIn & { url: URL }>;
  finishSignIn(callbackUrl: URL, pending: PendingSignIn): Promise<Tokens>;
  refresh(tokens: Tokens): Promise<Tokens>;
  userinfo(tokens: Tokens): Promise<oidc.UserInfoResponse>;
  introspect(tokens: Tokens): Promise<oidc.IntrospectionResponse>;
  revoke(tokens: Tokens): Promise<void>;
  signOutUrl(tokens: Tokens, state: string): Promise<URL>;
}

const requestTimeoutSeconds = 10;

/** Discovers the server at the first use, since the issuer may start later. */
function createDiscovery(registration: Registration): () => Promise<oidc.Configuration> {
  let discovered: Promise<oidc.Configuration> | undefined;
  return async () => {
    discovered ??= oidc.discovery(
      new URL(registration.issuer),
      registration.clientId,
      undefined,
      oidc.ClientSecretBasic(registration.clientSecret),
      {
        timeout: requestTimeoutSeconds,
        execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks],
        [oidc.customFetch]: recordingFetch,
      },
    );
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      throw error;
    }
  };
}

/** Builds an authorization request, with the values that its response is verified against. */
async function buildSignIn(
  configuration: oidc.Configuration,
  redirectUri: string,
  request: SignInRequest,
): Promise<PendingSignIn & { url: URL }> {
  const codeVerifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const isOpenId = request.scope.split(' ').includes('openid');
  const nonce = isOpenId ? oidc.randomNonce() : undefined;
  const url = oidc.buildAuthorizationUrl(
    configuration,
    definedOnly({
      redirect_uri: redirectUri,
      scope: request.scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      prompt: request.prompt,
      ui_locales: request.uiLocales,
      login_hint: request.loginHint,
      max_age: request.maxAgeSeconds?.toString(),
    }),
  );
  const checks: oidc.AuthorizationCodeGrantChecks = {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
  };
  if (nonce !== undefined) checks.expectedNonce = nonce;
  if (isOpenId && request.maxAgeSeconds !== undefined) checks.maxAge = request.maxAgeSeconds;
  return { url, state, checks };
}

export function createAuthorizationServer(registration: Registration): AuthorizationServer {
  const discover = createDiscovery(registration);

  return {
    async startSignIn(request) {
      return buildSignIn(await discover(), registration.redirectUri, request);
    },

    async finishSignIn(callbackUrl, pending) {
      const configuration = await discover();
      return toTokens(await oidc.authorizationCodeGrant(configuration, callbackUrl, pending.checks));
    },

    async refresh(tokens) {
      const configuration = await discover();
      const answer = toTokens(await oidc.refreshTokenGrant(configuration, tokens.refreshToken ?? ''));
      // OpenID Connect Core section 12.2
      if (answer.claims && tokens.claims && answer.claims.sub !== tokens.claims.sub) {
        throw new oidc.ClientError('the refreshed id_token is about another subject');
      }
      // RFC 6749 section 6: values absent from the response stay as they were.
      return {
        ...answer,
        scope: answer.scope ?? tokens.scope,
        refreshToken: answer.refreshToken ?? tokens.refreshToken,
        idToken: answer.idToken ?? tokens.idToken,
        claims: answer.claims ?? tokens.claims,
      };
    },

    async userinfo(tokens) {
      const subject = tokens.claims?.sub ?? oidc.skipSubjectCheck;
      return await oidc.fetchUserInfo(await discover(), tokens.accessToken, subject);
    },

    async introspect(tokens) {
      return await oidc.tokenIntrospection(await discover(), tokens.accessToken, {
        token_type_hint: 'access_token',
      });
    },

    async revoke(tokens) {
      const configuration = await discover();
      if (tokens.refreshToken !== undefined) {
        await oidc.tokenRevocation(configuration, tokens.refreshToken, { token_type_hint: 'refresh_token' });
      }
      await oidc.tokenRevocation(configuration, tokens.accessToken, { token_type_hint: 'access_token' });
    },

    async signOutUrl(tokens, state) {
      return oidc.buildEndSessionUrl(
        await discover(),
        definedOnly({
          id_token_hint: tokens.idToken,
          post_logout_redirect_uri: registration.postLogoutRedirectUri,
          state,
        }),
      );
    },
  };
}

function toTokens(answer: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers): Tokens {
  const receivedAt = new Date();
  const expiresInSeconds = answer.expiresIn();
  return {
    accessToken: answer.access_token,
    tokenType: answer.token_type,
    scope: answer.scope,
    expiresAt:
      expiresInSeconds === undefined ? undefined : new Date(receivedAt.getTime() + expiresInSeconds * 1000),
    receivedAt,
    refreshToken: answer.refresh_token,
    idToken: answer.id_token,
    claims: answer.claims(),
  };
}

function definedOnly(parameters: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
