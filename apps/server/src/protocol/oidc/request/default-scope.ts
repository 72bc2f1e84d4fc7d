import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { accountScopes } from '../../../branding/scope/account-scopes.ts';
import { claimsWithin } from '../../../branding/scope/scope-claims.ts';
import { readWords } from '../../../branding/scope/space-separated.ts';
import type { ClientService } from '../../../clients/client/client.service.ts';
import { scopesForPeople } from '../../../clients/resource-server/allowed-scopes.ts';
import type { ResourceServerService } from '../../../clients/resource-server/resource-server.service.ts';
import { policyOf } from '../client/client-policy.ts';
import { setClaims, setScope } from '../seam/request-rewriting.ts';
import { askedOf } from './fill-grant.ts';

interface Registrations {
  brand: string;
  clients: ClientService;
}

const registeredIn = ({ oidc }: KoaContextWithOIDC, { brand, clients }: Registrations) =>
  clients.findClient(oidc.client?.clientId ?? '', brand);

/** Whether the request asks for a scope that a person can approve. Staying connected alone opens nothing. */
const asksForAnything = (ctx: KoaContextWithOIDC): boolean => {
  const { scopes, resources } = askedOf(ctx);
  return scopes.some((name) => name !== 'offline_access') || resources.some(({ names }) => names.length > 0);
};

/** The default scope of a client that names no API: `openid`, where the registration allows it. */
export const defaultOfAccount = ({ scope }: Record<string, unknown>): string[] =>
  scope === undefined || readWords(scope).includes('openid') ? ['openid'] : [];

/** The scopes of the account among registered scopes. */
const ofAccount = (scope: unknown): string[] =>
  readWords(scope).filter((name) => accountScopes.includes(name));

/**
 * What a client that links homes is given where no browser asks for it: what it asks for and is registered for, of the
 * account alone; else its default.
 */
export const scopesOfLink = (asked: unknown, { scope }: Record<string, unknown>): string[] => {
  const registered = scope === undefined ? accountScopes : ofAccount(scope);
  const named = readWords(asked).filter((name) => registered.includes(name) && name !== 'offline_access');
  if (named.length > 0) return [...new Set(named)];
  return scope === undefined ? defaultOfAccount({ scope }) : ofAccount(scope);
};

/** The `scope` of the registration; undefined where it names none. */
const registeredScope = async (ctx: KoaContextWithOIDC, registrations: Registrations): Promise<unknown> =>
  (await registeredIn(ctx, registrations))?.metadata.scope;

const defaultOf = async (ctx: KoaContextWithOIDC, registrations: Registrations): Promise<string[]> => {
  const resources = Object.values(ctx.oidc.resourceServers ?? {});
  if (resources.length > 0) return resources.flatMap(({ scope }) => readWords(scope));
  const scope = await registeredScope(ctx, registrations);
  if (policyOf(ctx.oidc.client).linksHomes && scope !== undefined) return ofAccount(scope);
  return defaultOfAccount({ scope });
};

/** Leaves out what a platform asks for beyond its registration: its console may hold any scope. */
const dropUnregistered = async (ctx: KoaContextWithOIDC, registrations: Registrations): Promise<void> => {
  if (!policyOf(ctx.oidc.client).linksHomes) return;
  const scope = await registeredScope(ctx, registrations);
  const asked = readWords(ctx.oidc.params?.scope);
  const isTaken = (name: string) =>
    scope === undefined || !accountScopes.includes(name) || readWords(scope).includes(name);
  if (!asked.every(isTaken)) setScope(ctx.oidc, asked.filter(isTaken).join(' '));
};

/**
 * Leaves out the claims asked for by name whose scopes the registration does not allow. The app goes on without them: a
 * claim that is not answered is no error (OpenID Connect Core section 5.5.1).
 */
const dropUnregisteredClaims = async (
  ctx: KoaContextWithOIDC,
  registrations: Registrations,
): Promise<void> => {
  const { claims } = ctx.oidc.params ?? {};
  if (typeof claims !== 'string') return;
  const scope = await registeredScope(ctx, registrations);
  if (scope === undefined) return;
  setClaims(ctx.oidc, JSON.stringify(claimsWithin(JSON.parse(claims), readWords(scope))));
};

const NO_DEFAULT =
  'send a scope that this client is registered for; for a scope of an API send the API as resource, too';

/**
 * Gives a request that asks for nothing that can be granted its default (RFC 6749 section 3.3), before a person is
 * asked: all scopes that the registration allows of the resources that it names, or `openid` where it names none. A
 * client that links homes gets its registered scopes of the account in place of `openid`. Claims that are asked for by
 * name are left out where the registration does not allow their scopes.
 * @throws InvalidScope that says what to send, where the registration allows no default.
 */
export const settleScope = async (ctx: KoaContextWithOIDC, registrations: Registrations): Promise<void> => {
  // First: the engine keeps what it has once read of the claims.
  await dropUnregisteredClaims(ctx, registrations);
  await dropUnregistered(ctx, registrations);
  if (asksForAnything(ctx)) return;
  const asked = ctx.oidc.params?.scope;
  const given = await defaultOf(ctx, registrations);
  // The answer repeats no scope where there was none; the engine's types know the other case alone.
  if (given.length === 0) throw new errors.InvalidScope(NO_DEFAULT, (asked || undefined) as string);
  setScope(ctx.oidc, [...new Set([...given, ...readWords(asked)])].join(' '));
};

/**
 * Refuses an authorization request for scopes of APIs alone that names no resource: the engine would drop each of them,
 * and the default would open nothing that the app is for.
 * @throws InvalidScope that says what to send.
 */
export const requireNamedResource = async (
  ctx: KoaContextWithOIDC,
  { resourceServers, ...registrations }: Registrations & { resourceServers: ResourceServerService },
): Promise<void> => {
  const asked = readWords(ctx.oidc.params?.scope).filter((name) => name !== 'offline_access');
  if (policyOf(ctx.oidc.client).linksHomes) return;
  if (asked.length === 0 || asked.some((name) => accountScopes.includes(name))) return;
  const client = await registeredIn(ctx, registrations);
  const isOfApi = (await resourceServers.listOfBrand(registrations.brand)).some((resource) =>
    scopesForPeople(resource, client).some(({ name }) => asked.includes(name)),
  );
  if (isOfApi)
    throw new errors.InvalidScope(
      'scope is of an API: send its identifier as resource, too',
      asked.join(' '),
    );
};
