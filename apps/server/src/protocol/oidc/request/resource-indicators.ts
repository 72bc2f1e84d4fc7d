import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { readWords } from '../../../branding/scope/space-separated.ts';
import type { ClientService } from '../../../clients/client/client.service.ts';
import { scopesForMachine, scopesForPeople } from '../../../clients/resource-server/allowed-scopes.ts';
import type {
  ResourceServer,
  ResourceServerService,
} from '../../../clients/resource-server/resource-server.service.ts';
import { toDescription } from '../error-descriptions.ts';
import { setScope } from '../seam/request-rewriting.ts';
import { currentUnit } from '../storage/unit.ts';
import { isOfSuspendedAccount } from '../subject/claims.ts';
import { authenticationClaims } from '../token/authentication-claims.ts';
import { createJwtCustomizer } from '../token/jwt-access-token.ts';
import { bitsOfOpaqueRandomness } from '../token/opaque-length.ts';
import { requireNamedResource } from './default-scope.ts';

type Features = NonNullable<Configuration['features']>;
type ResourceIndicators = NonNullable<Features['resourceIndicators']>;
type IntrospectionPolicy = NonNullable<NonNullable<Features['introspection']>['allowedPolicy']>;

export interface ResourceIndicatorOptions {
  brand: string;
  clients: ClientService;
  resourceServers: ResourceServerService;
}

const isMachine = ({ oidc }: KoaContextWithOIDC): boolean => oidc.params?.grant_type === 'client_credentials';

/**
 * Checks the scope that a machine asks for. No person narrows it, so the client must be allowed all of it. A request
 * without a scope gets all that the client is allowed (RFC 6749 section 3.3).
 * @throws UnauthorizedClient for a public client (RFC 6749 section 4.4).
 * @throws InvalidScope (RFC 6749 section 5.2)
 */
const settleMachineScope = ({ oidc }: KoaContextWithOIDC, allowed: readonly string[]): void => {
  if (oidc.client?.clientAuthMethod === 'none')
    throw new errors.UnauthorizedClient('client credentials are for confidential clients');
  const refused = readWords(oidc.params?.scope).filter((name) => !allowed.includes(name));
  if (refused.length > 0)
    throw new errors.InvalidScope(
      toDescription(`scope of this client for the API: ${allowed.join(' ')}`),
      refused.join(' '),
    );
  if (oidc.params?.scope === undefined && allowed.length > 0) setScope(oidc, allowed.join(' '));
};

const toEngine = (resource: ResourceServer, scopes: readonly string[]) => ({
  scope: scopes.join(' '),
  accessTokenFormat: resource.access_token_format,
  accessTokenTTL: resource.access_token_ttl,
  jwt: { sign: { alg: resource.access_token_signing_alg } },
});

const createResourceServerInfo =
  ({
    brand,
    clients,
    resourceServers,
  }: ResourceIndicatorOptions): NonNullable<ResourceIndicators['getResourceServerInfo']> =>
  async (ctx, identifier, client) => {
    const resource = await resourceServers.findResourceServer(identifier, brand);
    if (!resource) throw new errors.InvalidTarget('the resource is unknown');
    const registered = await clients.findClient(client.clientId, brand);
    if (!isMachine(ctx))
      return toEngine(
        resource,
        scopesForPeople(resource, registered).map(({ name }) => name),
      );

    const allowed = scopesForMachine(resource, registered);
    const asked = ctx.oidc.params?.resource;
    if (Array.isArray(asked) && new Set(asked).size > 1)
      throw new errors.InvalidTarget('only one resource can be asked for');
    if (allowed.length === 0) throw new errors.InvalidTarget('the resource is not allowed for this client');
    settleMachineScope(ctx, allowed);
    return toEngine(resource, allowed);
  };

/**
 * The API of a machine that names scopes but no resource: the API that allows the machine all of these scopes.
 * @throws InvalidScope where no API allows them all, or several do.
 */
const findMeantResource = async (
  { oidc }: KoaContextWithOIDC,
  { brand, clients, resourceServers }: ResourceIndicatorOptions,
): Promise<string> => {
  const asked = String(oidc.params?.scope);
  const registered = await clients.findClient(oidc.client?.clientId ?? '', brand);
  const allowed = (await resourceServers.listOfBrand(brand))
    .map((resource) => ({ resource, names: scopesForMachine(resource, registered) }))
    .filter(({ names }) => names.length > 0);
  const meant = allowed.filter(({ names }) => readWords(asked).every((name) => names.includes(name)));
  const [only, ...others] = meant;
  if (only && others.length === 0) return only.resource.identifier;
  const choice = (only ? meant : allowed).map(({ resource }) => resource.identifier).join(' ');
  const why = only ? 'several APIs have this scope' : 'no API has all of this scope for this client';
  throw new errors.InvalidScope(
    toDescription(choice ? `${why}: send one as resource: ${choice}` : why),
    asked,
  );
};

/**
 * The engine's `defaultResource`. A machine that names scopes but no resource gets the API of these scopes. Any other
 * request without a resource gets no resource. Among several resources the client chooses (RFC 8707 section 2.2).
 * @throws InvalidScope where the scopes are of APIs, and which API is meant is not clear.
 */
const createDefaultResource =
  (options: ResourceIndicatorOptions): NonNullable<ResourceIndicators['defaultResource']> =>
  async (ctx, _client, oneOf) => {
    if (oneOf) return oneOf;
    if (!isMachine(ctx)) {
      await requireNamedResource(ctx, options);
      return undefined;
    }
    if (ctx.oidc.client?.clientAuthMethod !== 'none' && ctx.oidc.params?.scope)
      return findMeantResource(ctx, options);
    settleMachineScope(ctx, []);
    return undefined;
  };

/**
 * Who may introspect a token (RFC 7662 section 4): the client of the token, and, while that client is registered, the
 * resource server in the token's audience. While its account is disabled, a token is active to nobody.
 */
const createIntrospectionPolicy =
  ({ brand, clients }: ResourceIndicatorOptions): IntrospectionPolicy =>
  async (_ctx, client, token) => {
    if (isOfSuspendedAccount(currentUnit(), 'accountId' in token ? token.accountId : undefined)) return false;
    if (token.clientId === client.clientId) return true;
    const audience = 'aud' in token ? token.aud : undefined;
    if (typeof audience !== 'string') return false;
    if ((await clients.findClient(client.clientId, brand))?.metadata.resource_server !== audience)
      return false;
    return (await clients.findClient(token.clientId ?? '', brand)) !== undefined;
  };

/**
 * What an access token says beside its own claims: how and when the person signed in. Refuses a token without scopes:
 * an API that checks the audience alone would take it for an approval.
 * @throws InvalidTarget (RFC 8707 section 2)
 */
const claimsOfToken: NonNullable<Configuration['extraTokenClaims']> = (ctx, token) => {
  if (token.aud && !token.scope) throw new errors.InvalidTarget('no scope of the resource was granted');
  return authenticationClaims(ctx);
};

/** The parts of the engine's configuration that concern tokens for protected APIs (RFC 8707, RFC 9068). */
export const createResourceIndicators = (options: ResourceIndicatorOptions) => ({
  /** Without `resource` a token is for userinfo, or for the one resource of an approval without `openid`. */
  feature: {
    enabled: true,
    defaultResource: createDefaultResource(options),
    getResourceServerInfo: createResourceServerInfo(options),
    useGrantedResource: () => false,
  } satisfies ResourceIndicators,
  introspectionPolicy: createIntrospectionPolicy(options),
  extraTokenClaims: claimsOfToken,
  formats: { bitsOfOpaqueRandomness, customizers: { jwt: createJwtCustomizer(options.brand) } },
});
