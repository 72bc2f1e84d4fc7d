import type { KoaContextWithOIDC } from 'oidc-provider';
import { accountScopes } from '../../../branding/scope/account-scopes.ts';
import { readWords } from '../../../branding/scope/space-separated.ts';
import { scopesForPeople } from '../../../clients/resource-server/allowed-scopes.ts';
import type { ResourceServerService } from '../../../clients/resource-server/resource-server.service.ts';
import { policyOf } from '../client/client-policy.ts';
import { setScope } from '../seam/request-rewriting.ts';
import { type RegisteredScopeOptions, withinRegistration } from '../token/registered-scope.ts';

export interface RefreshScopeOptions extends RegisteredScopeOptions {
  resourceServers: ResourceServerService;
}

type Engine = KoaContextWithOIDC['oidc'];
type RefreshToken = InstanceType<Engine['provider']['RefreshToken']>;

/** What the authorization request of the token could ask for, by API; undefined stands for the account. */
const grantable = async (
  { client }: Engine,
  { resource }: RefreshToken,
  { brand, clients, resourceServers }: RefreshScopeOptions,
): Promise<[resource: string | undefined, names: string[]][]> => {
  const registered = await clients.findClient(client?.clientId ?? '', brand);
  const ofApis = [resource ?? []].flat().map(async (identifier): Promise<[string, string[]]> => {
    const api = await resourceServers.findResourceServer(identifier, brand);
    return [identifier, api ? scopesForPeople(api, registered).map(({ name }) => name) : []];
  });
  const ofAccount = accountScopes.filter((name) => name !== 'offline_access');
  return [[undefined, ofAccount], ...(await Promise.all(ofApis))];
};

const keep = (oidc: Engine, asked: readonly string[], kept: ReadonlySet<string>): void =>
  setScope(oidc, asked.filter((name) => kept.has(name)).join(' ') || undefined);

/**
 * Drops from the `scope` of a refresh what the authorization dropped: libraries repeat what they sent there. These are
 * unknown scopes, `offline_access`, scopes that the person declined, and scopes of APIs that were not named or that the
 * registration does not allow. What could have been granted and was never asked for stays: the engine refuses it (RFC
 * 6749 section 6), unless the client links homes, whose platform may send any scope. Where nothing is left, the refresh is one without `scope`.
 */
const dropUngranted = async (
  oidc: Engine,
  token: RefreshToken,
  options: RefreshScopeOptions,
): Promise<void> => {
  const asked = readWords(oidc.params?.scope);
  if (asked.every((name) => token.scopes.has(name))) return;
  if (policyOf(oidc.client).linksHomes) return keep(oidc, asked, token.scopes);
  const grant = token.grantId ? await oidc.provider.Grant.find(token.grantId) : undefined;
  const neverAsked = new Set(
    (await grantable(oidc, token, options)).flatMap(([resource, names]) => {
      const declined = resource ? grant?.getRejectedResourceScope(resource) : grant?.getRejectedOIDCScope();
      return names.filter((name) => !readWords(declined).includes(name));
    }),
  );
  keep(oidc, asked, new Set([...token.scopes, ...neverAsked]));
};

/** What a refresh asks for, as far as it may: see `dropUngranted` and `withinRegistration`. @throws InvalidScope */
export const createRefreshScope =
  (options: RefreshScopeOptions) =>
  async ({ oidc }: KoaContextWithOIDC, token: RefreshToken): Promise<void> => {
    if (token.clientId !== oidc.client?.clientId) return;
    await dropUngranted(oidc, token, options);
    const asked = oidc.params?.scope ? readWords(oidc.params.scope) : [...token.scopes];
    const left = await withinRegistration(oidc, { token, asked }, options);
    if (left.length < asked.length) setScope(oidc, left.join(' '));
  };
