import { locales } from '@candela/contract';
import { DOCUMENTATION_PAGE } from '@candela/contract/pages';
import { authenticationClasses } from '@candela/contract/rules/authentication-classes';
import { cookieNames } from '@candela/contract/rules/cookie-names';
import { isHttps } from '@candela/contract/rules/is-https';
import type { Context } from 'koa';
import type { Kysely } from 'kysely';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Brand } from '../../branding/brand/brand.ts';
import { accountScopes } from '../../branding/scope/account-scopes.ts';
import { scopeClaims } from '../../branding/scope/scope-claims.ts';
import type { ClientService } from '../../clients/client/client.service.ts';
import type { ResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import type { Database } from '../../ground/db/database.ts';
import type { OutboundRequest } from '../../ground/outbound/outbound-request.ts';
import type { ConsentMemory } from '../../link/grant/grant.service.ts';
import type { PrivateJwk } from '../../link/signing-key/signing-key.service.ts';
import { remainingSeconds } from '../../person/session/session-lifetime.ts';
import type { ClientDocumentService } from '../../registration/client-document/client-document.service.ts';
import { createAdapterFactory } from './adapters.ts';
import { assertClientAssertion, clientAssertionAlgorithms } from './client/client-assertion.ts';
import { type EngineClient, policyOf, policyProperties } from './client/client-policy.ts';
import { portalClient } from './client/portal-client.ts';
import { createDeviceFlow, type DevicePages } from './device/device-flow.ts';
import { DEVICE_CODE_SECONDS, type UserCodeKeys } from './device/user-code.ts';
import { endpoints } from './endpoints.ts';
import { createEngineFetch } from './engine-fetch.ts';
import { refreshTokenSeconds, withinFamily } from './refresh/policy.ts';
import { createRotation } from './refresh/rotation.ts';
import type { AnonymousLimits } from './request/anonymous-limits.ts';
import { claimsParameter } from './request/claims-parameter.ts';
import { settleScope } from './request/default-scope.ts';
import { createLoadExistingGrant } from './request/existing-grant.ts';
import { requireBoundedParameters } from './request/parameter-bounds.ts';
import { createPromptPolicy } from './request/prompts.ts';
import { createRequestObjects } from './request/request-object.ts';
import { createResourceIndicators } from './request/resource-indicators.ts';
import { engineNowSeconds } from './seam/engine-time.ts';
import { createFindAccount } from './subject/claims.ts';
import { createPairwiseIdentifier } from './subject/pairwise-subject.ts';
import { requireCodeBinding } from './token/code-binding.ts';
import { createDPoPFeature, dpopSigningAlgorithms } from './token/dpop.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The pages that the engine asks for. */
export interface EnginePages extends DevicePages {
  renderLogout(ctx: KoaContextWithOIDC, form: string): Promise<void>;
  renderLoggedOut(ctx: KoaContextWithOIDC): Promise<void>;
  /** Answers a request whose session or grant ended while it was under way. */
  renderGone(ctx: Context): Promise<void>;
  /** Another request was faster to use the same `request_uri`. */
  renderUsed(ctx: KoaContextWithOIDC): Promise<void>;
}

export interface ConfigurationOptions {
  brand: Brand;
  /** The ids of all brands that are served. */
  servedBrands: readonly string[];
  db: Kysely<Database>;
  clients: ClientService;
  /** Absent: no client id metadata documents are taken. */
  documents?: ClientDocumentService | undefined;
  /** Whether clients register themselves without an initial access token. */
  hasOpenRegistration?: boolean;
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

/** The lifetime of an access token in seconds: what its API says goes before what its client says. */
const accessTokenSeconds = (
  client: EngineClient | undefined,
  { resourceServer }: { resourceServer?: { accessTokenTTL?: number | undefined } | undefined },
): number => resourceServer?.accessTokenTTL ?? policyOf(client).accessTokenSeconds;

/** In seconds. */
const lifetimes: NonNullable<Configuration['ttl']> = {
  AccessToken: (ctx, token, client) =>
    withinFamily(client, ctx.oidc.entities.RefreshToken, accessTokenSeconds(client, token)),
  AuthorizationCode: MINUTE,
  ClientCredentials: (_ctx, token, client) => accessTokenSeconds(client, token),
  DeviceCode: DEVICE_CODE_SECONDS,
  // It slides to the end of its tokens at the first exchange; an approval that no app takes up is gone in an hour.
  Grant: HOUR,
  IdToken: HOUR,
  Interaction: HOUR,
  RefreshToken: (_ctx, _token, client) => refreshTokenSeconds(client),
  // The engine slides it at each use; its end never moves past the longest it may last.
  Session: (_ctx, session) => remainingSeconds(session.iat, engineNowSeconds()),
};

/** RFC 7009 section 2.1 lets a revoked access token spare the rest of its grant (decision 003). */
const endsLink: NonNullable<Configuration['revokeGrantPolicy']> = ({ oidc }) =>
  oidc.route !== 'revocation' || !oidc.entities.AccessToken || policyOf(oidc.client).revocationEndsLink;

/** How id_tokens are signed: the keys of the issuers are for these. */
export const idTokenAlgorithms = ['RS256', 'ES256'] as const;

/** How a client authenticates, at every endpoint. */
const confidentialMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

/** How clients are registered, and what they prove themselves and sign by. */
const ofClients = ({ brand }: ConfigurationOptions) =>
  ({
    clients: [portalClient(brand.origin)],
    clientAuthMethods: [...confidentialMethods, 'none'],
    clientDefaults: {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'RS256',
    },
    extraClientMetadata: { properties: [...policyProperties] },
    enabledJWA: {
      clientAuthSigningAlgValues: [...clientAssertionAlgorithms],
      dPoPSigningAlgValues: [...dpopSigningAlgorithms],
      idTokenSigningAlgValues: [...idTokenAlgorithms],
      requestObjectSigningAlgValues: [...clientAssertionAlgorithms],
    },
    assertJwtClientAuthClaimsAndHeader: assertClientAssertion,
    // Operators register clients, and what they write of a sector is believed: nothing is fetched for it.
    sectorIdentifierUriValidate: () => false,
    // The portal's own pages try clients, whatever their redirect URIs are.
    clientBasedCORS: (_ctx, origin, client) =>
      origin === brand.origin ||
      // The origin of a private scheme is "null", and so is that of any sandboxed page.
      (origin !== 'null' && (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin)),
  }) satisfies Configuration;

/** What apps learn of an account, and of how it signed in. */
const ofSubjects = ({ brand, db, pairwiseSalt }: ConfigurationOptions) =>
  ({
    findAccount: createFindAccount(db, brand.origin),
    // Most libraries look nowhere else; `findAccount` leaves them out for a client that wants it.
    conformIdTokenClaims: false,
    claims: Object.fromEntries(Object.entries(scopeClaims).map(([scope, names]) => [scope, [...names]])),
    scopes: [...accountScopes],
    subjectTypes: ['public', 'pairwise'],
    pairwiseIdentifier: createPairwiseIdentifier(pairwiseSalt),
    acrValues: [...authenticationClasses],
  }) satisfies Configuration;

/** What an authorization request may ask, and how it is settled. */
const ofRequests = ({ brand, clients, consents }: ConfigurationOptions) =>
  ({
    responseTypes: ['code', 'none'],
    // OpenID Connect Core section 3.1.2.1 requires it, and the token request then has to repeat it.
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: requireCodeBinding },
    // Account linking of Google Home sends it where others send ui_locales.
    extraParams: {
      // The engine asks this of each request before it keeps any of it, whichever parameters it has.
      user_locale: async (ctx) => {
        requireBoundedParameters({ ...ctx.oidc.params });
        await settleScope(ctx, { brand: brand.id, clients });
      },
    },
    interactions: {
      policy: createPromptPolicy({ brand: brand.id, clients, consents }),
      url: (_ctx, interaction) => `/interaction/${interaction.uid}`,
    },
    loadExistingGrant: createLoadExistingGrant({ brand: brand.id, clients }),
  }) satisfies Configuration;

/** What hangs on the resources that tokens are for, and all optional features. */
const ofFeatures = (options: ConfigurationOptions) => {
  const { brand, clients, resourceServers, pages } = options;
  const resources = createResourceIndicators({ brand: brand.id, clients, resourceServers });
  return {
    features: {
      backchannelLogout: { enabled: true },
      claimsParameter,
      clientCredentials: { enabled: true },
      deviceFlow: createDeviceFlow(pages),
      devInteractions: { enabled: false },
      dPoP: createDPoPFeature(options.nonceKey),
      fapi: { enabled: true, profile: (_ctx, client) => (policyOf(client).fapi ? '2.0' : undefined) },
      introspection: { enabled: true, allowedPolicy: resources.introspectionPolicy },
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
    extraTokenClaims: resources.extraTokenClaims,
    formats: resources.formats,
  } satisfies Configuration;
};

const ofCookies = ({ brand }: ConfigurationOptions) => {
  const secure = isHttps(brand.origin);
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, secure } as const;
  return {
    names: cookieNames(brand.origin),
    long: { ...cookie, path: '/' },
    short: cookie,
  } satisfies Configuration['cookies'];
};

const ofDiscovery = ({ brand, hasOpenRegistration, documents }: ConfigurationOptions) => ({
  // The engine's own feature keeps documents in the memory of a process: decision 075.
  ...(documents && { client_id_metadata_document_supported: true }),
  // RFC 7591 section 3, by endpoints of our own: decision 073. Where a token is needed, nobody else is led there: 109.
  ...(hasOpenRegistration && { registration_endpoint: `${brand.origin}${endpoints.registration}` }),
  // RFC 8414 section 2: what is left out would be `client_secret_basic` alone. The engine tells the token endpoint's.
  introspection_endpoint_auth_methods_supported: [...confidentialMethods],
  introspection_endpoint_auth_signing_alg_values_supported: [...clientAssertionAlgorithms],
  revocation_endpoint_auth_methods_supported: [...confidentialMethods, 'none'],
  revocation_endpoint_auth_signing_alg_values_supported: [...clientAssertionAlgorithms],
  // draft-ietf-oauth-refresh-token-expiration-03 section 8: `refresh/expiration.ts` tells both in answers.
  refresh_token_expiration_types_supported: ['authorization', 'token_timeout'],
  op_policy_uri: `${brand.origin}/privacy`,
  op_tos_uri: `${brand.origin}/license`,
  service_documentation: brand.docs ?? brand.origin + DOCUMENTATION_PAGE,
  prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
  ui_locales_supported: [...locales],
});

/** The engine of one brand, as its documentation names each setting. */
export const createConfiguration = (options: ConfigurationOptions): Configuration => {
  const { brand, servedBrands, db, clients, documents, anonymousLimits, userCodeKeys, signingKeys, pages } =
    options;
  return {
    ...ofClients(options),
    ...ofSubjects(options),
    ...ofRequests(options),
    ...ofFeatures(options),
    adapter: createAdapterFactory({
      db,
      brand: brand.id,
      servedBrands,
      origin: brand.origin,
      clients,
      documents,
      anonymousLimits,
      userCodeKeys,
    }),
    jwks: { keys: signingKeys },
    cookies: ofCookies(options),
    discovery: ofDiscovery(options),
    routes: endpoints,
    ttl: lifetimes,
    expiresWithSession: () => false,
    revokeGrantPolicy: endsLink,
    issueRefreshToken: async (_ctx, client) => policyOf(client).issuesRefreshToken,
    rotateRefreshToken: createRotation(brand.id),
    fetch: createEngineFetch(options.outbound),
    renderError: pages.renderError,
  };
};
