import { locales } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Brand } from '../brand/brand.ts';
import type { ClientService } from '../client/client.service.ts';
import type { Database } from '../db/database.ts';
import type { ConsentMemory } from '../grant/grant.service.ts';
import { remainingSeconds } from '../session/session-lifetime.ts';
import { createAdapterFactory } from './adapter.ts';
import { queueFirstUse } from './adapters/refresh-token.adapter.ts';
import { createFindAccount, scopeClaims } from './claims.ts';
import { PORTAL_CLIENT_ID, portalClient } from './portal-client.ts';
import { createPromptPolicy } from './prompts.ts';
import type { PrivateJwk } from './signing-key.service.ts';
import { currentUnit } from './unit-of-work.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The pages that the engine asks for; see `http/`. */
export interface EnginePages {
  renderError: NonNullable<Configuration['renderError']>;
  renderLogout(ctx: KoaContextWithOIDC, form: string): Promise<void>;
  renderLoggedOut(ctx: KoaContextWithOIDC): Promise<void>;
}

export interface ConfigurationOptions {
  brand: Brand;
  db: Kysely<Database>;
  clients: ClientService;
  consents: ConsentMemory;
  signingKeys: readonly PrivateJwk[];
  cookieKeys: readonly string[];
  pages: EnginePages;
}

/** Engine cookies by name: `__Host-` and `__Secure-` where the origin is https (RFC 6265bis section 4.1.3). */
export const cookieNames = (origin: string) => {
  const secure = origin.startsWith('https:');
  return {
    session: secure ? '__Host-session' : '_session',
    interaction: secure ? '__Secure-interaction' : '_interaction',
    resume: secure ? '__Secure-interaction_resume' : '_interaction_resume',
  };
};

const issuesRefreshTokens = (client: KoaContextWithOIDC['oidc']['client']) =>
  client?.grantTypeAllowed('refresh_token') ?? false;

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
  if (issuesRefreshTokens(oidc.client) || oidc.prompts.has('consent')) return undefined;
  const grantId = oidc.client && oidc.session?.grantIdFor(oidc.client.clientId);
  return grantId ? oidc.provider.Grant.find(grantId) : undefined;
};

/** Marks the first use of what is presented, which ends its predecessor, and rotates unless a successor exists. */
const createRotation =
  (brand: string): NonNullable<Configuration['rotateRefreshToken']> =>
  async () => {
    const unit = currentUnit();
    if (!unit?.rotation) throw new Error('a refresh token is rotated inside a unit of work');
    queueFirstUse(unit, brand, unit.rotation.predecessor);
    return unit.rotation.successor === undefined;
  };

export const createConfiguration = (options: ConfigurationOptions): Configuration => {
  const { brand, db, clients, consents, signingKeys, cookieKeys, pages } = options;
  const secure = brand.origin.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, secure } as const;

  return {
    adapter: createAdapterFactory({ db, brand: brand.id, clients }),
    clients: [portalClient(brand.origin)],
    jwks: { keys: signingKeys as never },
    findAccount: createFindAccount(db, brand.origin),
    claims: Object.fromEntries(Object.entries(scopeClaims).map(([scope, names]) => [scope, [...names]])),
    scopes: ['openid', 'offline_access', 'profile', 'email', 'phone'],
    responseTypes: ['code', 'none'],
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    clientDefaults: {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'RS256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    // OpenID Connect Core section 3.1.2.1 requires it, and the token request then has to repeat it.
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    cookies: {
      keys: [...cookieKeys],
      names: cookieNames(brand.origin),
      long: { ...cookie, path: '/' },
      short: cookie,
    },
    routes: {
      authorization: '/oauth/authorize',
      code_verification: '/oauth/device',
      device_authorization: '/oauth/device_authorization',
      end_session: '/oauth/logout',
      introspection: '/oauth/introspect',
      jwks: '/oauth/jwks',
      pushed_authorization_request: '/oauth/par',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
    },
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: MINUTE,
      // Slides to its tokens' end at the first exchange; an approval that no app takes up is gone in an hour.
      Grant: HOUR,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: 400 * DAY,
      // The engine slides it at each use; its end never moves past the longest it may last.
      Session: (_ctx, session) => remainingSeconds(session.iat, Math.floor(Date.now() / 1000)),
    },
    features: {
      devInteractions: { enabled: false },
      introspection: {
        enabled: true,
        // RFC 7662 section 4: a client learns of its own tokens only.
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      resourceIndicators: { enabled: false },
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
      prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
      ui_locales_supported: [...locales],
    },
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    expiresWithSession: () => false,
    issueRefreshToken: async (_ctx, client) => issuesRefreshTokens(client),
    rotateRefreshToken: createRotation(brand.id),
    loadExistingGrant,
    renderError: pages.renderError,
  };
};
