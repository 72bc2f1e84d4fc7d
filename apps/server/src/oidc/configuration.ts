import { locales } from '@candela/contract';
import type { Context } from 'koa';
import type { Kysely } from 'kysely';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Brand } from '../brand/brand.ts';
import type { ClientService } from '../client/client.service.ts';
import type { Database } from '../db/database.ts';
import type { ConsentMemory } from '../grant/grant.service.ts';
import { cookieNames } from '../http/cookie-names.ts';
import { createCookieSigner } from '../http/cookie-signer.ts';
import type { OutboundRequest } from '../outbound/outbound-request.ts';
import type { ResourceServerService } from '../resource-server/resource-server.service.ts';
import { accountScopes } from '../scope/account-scopes.ts';
import { remainingSeconds } from '../session/session-lifetime.ts';
import type { PrivateJwk } from '../signing-key/signing-key.service.ts';
import { assertClientAssertion, clientAssertionAlgorithms } from './client/client-assertion.ts';
import { type EngineClient, policyOf, policyProperties } from './client/client-policy.ts';
import { PORTAL_CLIENT_ID, portalClient } from './client/portal-client.ts';
import { createDeviceFlow } from './device/device-flow.ts';
import { DEVICE_CODE_SECONDS, type UserCodeKeys } from './device/user-code.ts';
import { endpoints } from './endpoints.ts';
import { createEngineFetch } from './engine-fetch.ts';
import { refreshTokenSeconds } from './refresh/policy.ts';
import { createRotation } from './refresh/rotation.ts';
import type { AnonymousLimits } from './request/anonymous-limits.ts';
import { claimsParameter } from './request/claims-parameter.ts';
import { requireBoundedParameters } from './request/parameter-bounds.ts';
import { createPromptPolicy } from './request/prompts.ts';
import { createRequestObjects } from './request/request-object.ts';
import { createResourceIndicators } from './request/resource-indicators.ts';
import { createAdapterFactory } from './storage/adapter.ts';
import { acrValues } from './subject/authentication-context.ts';
import { createFindAccount, scopeClaims } from './subject/claims.ts';
import { createPairwiseIdentifier } from './subject/pairwise-subject.ts';
import { requireCodeBinding } from './token/code-binding.ts';
import { createDPoPFeature, dpopSigningAlgorithms } from './token/dpop.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The pages that the engine asks for; see `http/`. */
export interface EnginePages {
  renderError: NonNullable<Configuration['renderError']>;
  renderLogout(ctx: KoaContextWithOIDC, form: string): Promise<void>;
  renderLoggedOut(ctx: KoaContextWithOIDC): Promise<void>;
  /** The portal's page, on which somebody enters the code of a device; its form sends `xsrf` back. */
  renderDevicePage(ctx: KoaContextWithOIDC, xsrf: string): Promise<void>;
  /** Answers a request whose session or grant ended while it was under way. */
  renderGone(ctx: Context): Promise<void>;
}

export interface ConfigurationOptions {
  brand: Brand;
  db: Kysely<Database>;
  clients: ClientService;
  anonymousLimits: AnonymousLimits;
  userCodeKeys: UserCodeKeys;
  consents: ConsentMemory;
  resourceServers: ResourceServerService;
  signingKeys: readonly PrivateJwk[];
  cookieKeys: readonly string[];
  /** 32 bytes that nonces are made of, the same in every process. */
  nonceKey: Buffer;
  pairwiseSalt: Buffer;
  /** How the engine reaches clients' hosts. */
  outbound: OutboundRequest;
  pages: EnginePages;
}

/**
 * A silent sign-on in the same session goes on with its grant, but for clients that get refresh tokens:
 * there each code has a grant of its own, so that two homes can be withdrawn separately.
 */
const loadExistingGrant: NonNullable<Configuration['loadExistingGrant']> = async (ctx) => {
  const { oidc } = ctx;
  if (oidc.client?.clientId === PORTAL_CLIENT_ID) {
    const grant = new oidc.provider.Grant({
      accountId: oidc.session?.accountId ?? '',
      clientId: PORTAL_CLIENT_ID,
    });
    grant.addOIDCScope('openid');
    return grant;
  }
  const approved = oidc.result?.consent?.grantId;
  if (approved) return oidc.provider.Grant.find(approved);
  if (policyOf(oidc.client).issuesRefreshToken || oidc.prompts.has('consent')) return undefined;
  // Each device is approved by itself (RFC 8628 section 5.4).
  if (oidc.deviceCode) return undefined;
  const grantId = oidc.client && oidc.session?.grantIdFor(oidc.client.clientId);
  return grantId ? oidc.provider.Grant.find(grantId) : undefined;
};

/** What an API says of the tokens meant for it goes before what the client says of its own. */
const accessTokenSeconds = (
  client: EngineClient | undefined,
  { resourceServer }: { resourceServer?: { accessTokenTTL?: number | undefined } | undefined },
): number => resourceServer?.accessTokenTTL ?? policyOf(client).accessTokenSeconds;

export const createConfiguration = (options: ConfigurationOptions): Configuration => {
  const { brand, db, clients, consents, signingKeys, cookieKeys, pages } = options;
  const resources = createResourceIndicators({
    brand: brand.id,
    clients,
    resourceServers: options.resourceServers,
  });
  const secure = brand.origin.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, secure } as const;

  return {
    adapter: createAdapterFactory({
      db,
      brand: brand.id,
      clients,
      anonymousLimits: options.anonymousLimits,
      userCodeKeys: options.userCodeKeys,
    }),
    clients: [portalClient(brand.origin)],
    jwks: { keys: signingKeys as never },
    findAccount: createFindAccount(db, brand.origin),
    // Most libraries look nowhere else; `findAccount` leaves them out for a client that wants it.
    conformIdTokenClaims: false,
    claims: Object.fromEntries(Object.entries(scopeClaims).map(([scope, names]) => [scope, [...names]])),
    scopes: [...accountScopes],
    responseTypes: ['code', 'none'],
    subjectTypes: ['public', 'pairwise'],
    pairwiseIdentifier: createPairwiseIdentifier(options.pairwiseSalt),
    // Operators register clients, and what they write of a sector is believed: nothing is fetched for it.
    sectorIdentifierUriValidate: () => false,
    acrValues: [...acrValues],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    clientDefaults: {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'RS256',
    },
    enabledJWA: {
      clientAuthSigningAlgValues: [...clientAssertionAlgorithms],
      dPoPSigningAlgValues: [...dpopSigningAlgorithms],
      idTokenSigningAlgValues: ['RS256', 'ES256'],
      requestObjectSigningAlgValues: [...clientAssertionAlgorithms],
    },
    assertJwtClientAuthClaimsAndHeader: assertClientAssertion,
    // OpenID Connect Core section 3.1.2.1 requires it, and the token request then has to repeat it.
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: requireCodeBinding },
    extraClientMetadata: { properties: [...policyProperties] },
    // Account linking of Google Home sends it where others send ui_locales.
    extraParams: {
      // The engine asks this of each request before it keeps any of it, whichever parameters it has.
      user_locale: ({ oidc }) => requireBoundedParameters({ ...oidc.params }),
    },
    cookies: {
      // The engine takes a Keygrip for its keys too, which its types do not say.
      keys: createCookieSigner(cookieKeys) as unknown as string[],
      names: cookieNames(brand.origin),
      long: { ...cookie, path: '/' },
      short: cookie,
    },
    routes: endpoints,
    ttl: {
      AccessToken: (_ctx, token, client) => accessTokenSeconds(client, token),
      AuthorizationCode: MINUTE,
      ClientCredentials: (_ctx, token, client) => accessTokenSeconds(client, token),
      DeviceCode: DEVICE_CODE_SECONDS,
      // Slides to its tokens' end at the first exchange; an approval that no app takes up is gone in an hour.
      Grant: HOUR,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: (_ctx, token, client) => refreshTokenSeconds(client, token),
      // The engine slides it at each use; its end never moves past the longest it may last.
      Session: (_ctx, session) => remainingSeconds(session.iat, Math.floor(Date.now() / 1000)),
    },
    fetch: createEngineFetch(options.outbound),
    features: {
      backchannelLogout: { enabled: true },
      claimsParameter,
      clientCredentials: { enabled: true },
      deviceFlow: createDeviceFlow(pages),
      devInteractions: { enabled: false },
      dPoP: createDPoPFeature(options.nonceKey),
      fapi: { enabled: true, profile: (_ctx, client) => (policyOf(client).fapi ? '2.0' : undefined) },
      introspection: {
        enabled: true,
        allowedPolicy: resources.introspectionPolicy,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      requestObjects: createRequestObjects(options.anonymousLimits),
      resourceIndicators: resources.feature,
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: pages.renderLogout,
        postLogoutSuccessSource: pages.renderLoggedOut,
      },
    },
    interactions: {
      policy: createPromptPolicy({ brand: brand.id, clients, consents }),
      url: (_ctx, interaction) => `/interaction/${interaction.uid}`,
    },
    discovery: {
      op_policy_uri: `${brand.origin}/privacy`,
      op_tos_uri: `${brand.origin}/license`,
      prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
      ui_locales_supported: [...locales],
    },
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    expiresWithSession: () => false,
    extraTokenClaims: resources.extraTokenClaims,
    formats: resources.formats,
    issueRefreshToken: async (_ctx, client) => policyOf(client).issuesRefreshToken,
    rotateRefreshToken: createRotation(brand.id),
    loadExistingGrant,
    renderError: pages.renderError,
  };
};
