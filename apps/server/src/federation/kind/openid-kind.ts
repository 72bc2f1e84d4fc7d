import {
  type AuthorizationCodeGrantChecks,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  fetchUserInfo,
  type IDToken,
  type TokenEndpointResponse,
  type UserInfoResponse,
} from 'openid-client';
import { AppError } from '../../ground/errors.ts';
import type { IdentityProvider } from '../identity-provider/identity-provider.ts';
import type {
  AuthorizationRequest,
  ProvenIdentity,
  ProviderAnswer,
  ProviderContext,
  ProviderKind,
} from '../identity-provider/provider-kind.ts';
import { checkOpenid } from './openid-check.ts';
import { speaking } from './openid-failure.ts';
import { openidServerOf, type ServerHabits } from './openid-server.ts';

/** The claims about a person, of the ID Token and, where that has no e-mail address, of the UserInfo endpoint. */
type Claims = IDToken & Partial<UserInfoResponse>;

interface OpenidHabits extends Omit<ProviderKind, 'authorizationUrl' | 'identify' | 'check'>, ServerHabits {
  issuerOf(provider: IdentityProvider): string;
  scopes: readonly string[];
  /** Parameters besides those of OpenID Connect. */
  parameters?(request: AuthorizationRequest, provider: IdentityProvider): Record<string, string>;
  /** Whether the provider signs people in anew on `prompt=login` and says when (`auth_time`). */
  signsInAnew: boolean;
  /** Whether the provider is the authority for the e-mail address of these claims. */
  isAuthority(claims: Claims & { email: string }, provider: IdentityProvider): boolean;
  /** What the provider calls the person. */
  nameOf?(claims: Claims, answer: ProviderAnswer): string | undefined;
}

/** How far the clocks of two servers may be apart. */
const SKEW_MS = 30_000;

const requireAnew = ({ auth_time: at }: Claims, { startedAt }: ProviderAnswer): void => {
  if (typeof at !== 'number' || at * 1000 < startedAt.getTime() - SKEW_MS)
    throw new AppError('provider_stale');
};

const emailOf = ({ email }: Claims): string | undefined =>
  typeof email === 'string' && email !== '' ? email : undefined;

/** Who the person is stands in the ID Token: a UserInfo endpoint that is away takes nothing but the rest from it. */
const claimsOf = async (
  server: Awaited<ReturnType<typeof openidServerOf>>,
  tokens: TokenEndpointResponse & { claims(): IDToken | undefined },
  asksForEmail: boolean,
): Promise<{ claims: Claims; untold?: AppError }> => {
  const claims = tokens.claims();
  if (!claims) throw new AppError('provider_failed');
  if (!asksForEmail || emailOf(claims) || !server.metadata.userinfo_endpoint) return { claims };
  try {
    // OpenID Connect Core section 5.3.2: the subject is compared.
    const userInfo = await speaking(() =>
      fetchUserInfo(server.configuration, tokens.access_token, claims.sub),
    );
    return { claims: { ...userInfo, ...claims } };
  } catch (error) {
    if (error instanceof AppError && error.code === 'provider_unavailable') return { claims, untold: error };
    throw error;
  }
};

/** Redeems the code, and verifies the ID Token. */
const redeem = async (
  server: Awaited<ReturnType<typeof openidServerOf>>,
  url: URL,
  checks: AuthorizationCodeGrantChecks,
) => {
  let isVerified = false;
  try {
    const tokens = await authorizationCodeGrant(server.configuration, url, checks);
    isVerified = true;
    return tokens;
  } finally {
    server.keepKeys(isVerified);
  }
};

/** The way through a provider that speaks OpenID Connect, by discovery and the code flow. */
export const openidKind = ({
  issuerOf,
  scopes,
  parameters,
  signsInAnew,
  authenticate,
  signsBySecret,
  isAuthority,
  nameOf = ({ name, nickname }) => name ?? nickname,
  ...kind
}: OpenidHabits): ProviderKind => {
  const scopesOf = (provider: IdentityProvider) => provider.scopes ?? scopes;
  const habits = { authenticate, signsBySecret };
  const serverOf = (context: ProviderContext) => openidServerOf(context, issuerOf(context.provider), habits);

  return {
    ...kind,

    check: (context) => checkOpenid(context, issuerOf(context.provider), habits),

    authorizationUrl: (context, request) =>
      speaking(async () => {
        const { provider, redirectUri } = context;
        const { configuration } = await serverOf(context);
        return buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: scopesOf(provider).join(' '),
          state: request.state,
          nonce: request.nonce,
          code_challenge: request.codeChallenge,
          code_challenge_method: 'S256',
          ui_locales: request.locale,
          ...(request.anew && signsInAnew && { prompt: 'login', max_age: '0' }),
          ...parameters?.(request, provider),
        });
      }),

    identify: (context, answer) =>
      speaking(async (): Promise<ProvenIdentity> => {
        const { provider, redirectUri } = context;
        const server = await serverOf(context);
        const url = new URL(redirectUri);
        url.search = answer.parameters.toString();
        const tokens = await redeem(server, url, {
          expectedState: answer.state,
          expectedNonce: answer.nonce,
          pkceCodeVerifier: answer.codeVerifier,
          idTokenExpected: true,
        });
        await server.verifySignature(tokens.id_token);
        const { claims, untold } = await claimsOf(server, tokens, scopesOf(provider).includes('email'));
        if (answer.anew && signsInAnew) requireAnew(claims, answer);
        const email = emailOf(claims);
        const name = nameOf(claims, answer);
        return {
          subject: claims.sub,
          ...(email && { email }),
          ...(untold && { untold }),
          emailProven: email !== undefined && isAuthority({ ...claims, email }, provider),
          ...(name && { name }),
          ...(kind.revoke && tokens.refresh_token && { refreshToken: tokens.refresh_token }),
        };
      }),
  };
};
