import type { RegisteredClient, ScopeAsked, UpdateClient } from '@candela/contract';

/** The scopes of the account. All others belong to APIs. */
const accountScopes: readonly string[] = ['openid', 'profile', 'email', 'phone', 'offline_access'];

const words = (text = ''): string[] => text.split(/\s+/).filter(Boolean);

/** The permissions of a client while a developer edits them. */
export interface PermissionsDraft {
  scopes: readonly string[];
  /** The scopes that people may leave out. */
  optional: readonly string[];
  reasons: Readonly<Record<string, string>>;
}

/** Whether people approve the client. A machine that acts for itself asks nobody. */
export const asksPeople = ({ grant_types: types }: RegisteredClient): boolean =>
  types.some((type) => type !== 'client_credentials');

/** The scopes that the client has or could have, those of the account first. */
export const offeredScopes = (client: RegisteredClient): string[] => [
  ...new Set([
    ...(asksPeople(client) ? accountScopes : []),
    ...(client.apiScopes ?? []).map(({ name }) => name),
    ...words(client.scope),
  ]),
];

/** A client without a registered scope may ask people for all scopes (RFC 7591 section 2). */
export const draftOf = (client: RegisteredClient): PermissionsDraft => ({
  scopes: client.scope === undefined && asksPeople(client) ? offeredScopes(client) : words(client.scope),
  optional: words(client.optional_scopes),
  reasons: client.scope_reasons ?? {},
});

/** `openid` and `offline_access` carry the request, so nobody leaves them out. */
export const mayBeOptional = (scope: string): boolean => scope !== 'openid' && scope !== 'offline_access';

export const patchOf = ({ scopes, optional, reasons }: PermissionsDraft) => {
  const leftOut = scopes.filter((scope) => mayBeOptional(scope) && optional.includes(scope));
  const given = scopes.flatMap((scope): [string, string][] => {
    const reason = reasons[scope]?.trim();
    return reason ? [[scope, reason]] : [];
  });
  return {
    scope: scopes.length > 0 ? scopes.join(' ') : null,
    optional_scopes: leftOut.length > 0 ? leftOut.join(' ') : null,
    scope_reasons: given.length > 0 ? Object.fromEntries(given) : null,
  } satisfies UpdateClient;
};

type ApiScopes = RegisteredClient['apiScopes'];

/** A scope as an approval asks for it. APIs may share a name, so each has a key of its own. */
export const toAsked = (name: string, apiScopes: ApiScopes = []): ScopeAsked[] => {
  const asked = { name, granted: false, optional: false };
  const ofApis = apiScopes.filter((scope) => scope.name === name);
  if (ofApis.length === 0) return [asked];
  return ofApis.map(({ resource, description }) => ({
    ...asked,
    key: `${resource}#${name}`,
    resource,
    ...(description && { description }),
  }));
};

/** The scopes of a draft as an approval asks for them. */
export const askedOf = (draft: PermissionsDraft, apiScopes: ApiScopes): ScopeAsked[] => {
  const { optional_scopes: optional, scope_reasons: reasons } = patchOf(draft);
  const leftOut = words(optional ?? '');
  return draft.scopes.flatMap((name) =>
    toAsked(name, apiScopes).map((asked) => ({
      ...asked,
      optional: leftOut.includes(name),
      ...(reasons?.[name] && { reason: reasons[name] }),
    })),
  );
};
