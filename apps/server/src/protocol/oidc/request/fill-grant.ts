import type { KoaContextWithOIDC } from 'oidc-provider';
import { scopesOfClaims } from '../../../branding/scope/scope-claims.ts';
import { toScopeKey } from '../../../branding/scope/scope-key.ts';

type Grant = InstanceType<KoaContextWithOIDC['oidc']['provider']['Grant']>;

/** What a request asks a person to approve. */
export interface Asked {
  /** The names of the account's scopes. */
  scopes: readonly string[];
  claims: readonly string[];
  /** The names of the scopes of each API. */
  resources: readonly { identifier: string; names: readonly string[] }[];
}

export const askedOf = ({ oidc }: KoaContextWithOIDC): Asked => ({
  scopes: [...oidc.requestParamOIDCScopes],
  claims: [...oidc.requestParamClaims],
  resources: Object.entries(oidc.resourceServers ?? {}).map(([identifier, { scopes }]) => ({
    identifier,
    names: [...oidc.requestParamScopes].filter((name) => scopes.has(name)),
  })),
});

/** The keys of answers: the names of the account's scopes, and `toScopeKey` of the scopes of APIs. */
export const keysAsked = ({ scopes, claims, resources }: Asked): string[] => [
  ...scopes,
  ...scopesOfClaims(claims),
  ...resources.flatMap(({ identifier, names }) => names.map((name) => toScopeKey(identifier, name))),
];

const part = (values: readonly string[], isDeclined: (value: string) => boolean) => ({
  approved: values.filter((value) => !isDeclined(value)),
  declined: values.filter(isDeclined),
});

/**
 * Fills a grant with the scopes and claims that the request asks for, except those whose keys (`keysAsked`) are
 * declined. The grant lists the declined ones as rejected: otherwise the engine asks for them again.
 */
export const fillGrant = (
  grant: Grant,
  { scopes, claims, resources }: Asked,
  isDeclined: (key: string) => boolean,
): void => {
  const ofAccount = part(scopes, isDeclined);
  grant.addOIDCScope(ofAccount.approved.join(' '));
  if (ofAccount.declined.length > 0) grant.rejectOIDCScope(ofAccount.declined.join(' '));

  const ofClaims = part(claims, (claim) => scopesOfClaims([claim]).some(isDeclined));
  grant.addOIDCClaims(ofClaims.approved);
  if (ofClaims.declined.length > 0) grant.rejectOIDCClaims(ofClaims.declined);

  for (const { identifier, names } of resources) {
    const { approved, declined } = part(names, (name) => isDeclined(toScopeKey(identifier, name)));
    if (approved.length > 0) grant.addResourceScope(identifier, approved.join(' '));
    if (declined.length > 0) grant.rejectResourceScope(identifier, declined.join(' '));
  }
};
