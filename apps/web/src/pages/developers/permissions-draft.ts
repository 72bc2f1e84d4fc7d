import type { RegisteredClient, ScopeAsked, UpdateClient } from '@candela/contract';

/** The scopes of the account. All others belong to APIs. */
export const accountScopes = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const;

const isOfAccount = (scope: string): boolean => accountScopes.some((name) => name === scope);
const words = (text = ''): string[] => text.split(/\s+/).filter(Boolean);

/** The permissions of a client while a developer edits them. */
export interface PermissionsDraft {
  /** The chosen scopes of the account. */
  account: readonly string[];
  /** The scopes of APIs as typed. */
  apis: string;
  /** The scopes that people may leave out. */
  optional: readonly string[];
  reasons: Readonly<Record<string, string>>;
}

/** A client without a registered scope may ask for all scopes of an account. */
export const draftOf = (client: RegisteredClient): PermissionsDraft => {
  const scopes = client.scope === undefined ? [...accountScopes] : words(client.scope);
  return {
    account: scopes.filter(isOfAccount),
    apis: scopes.filter((scope) => !isOfAccount(scope)).join(' '),
    optional: words(client.optional_scopes),
    reasons: client.scope_reasons ?? {},
  };
};

/** All scopes of a draft, those of the account first. */
export const scopesOf = ({ account, apis }: PermissionsDraft): string[] => [
  ...accountScopes.filter((scope) => account.includes(scope)),
  ...words(apis),
];

/** RFC 6749 section 3.3 has no scope that people may leave out: `openid` and `offline_access` carry the request. */
export const mayBeOptional = (scope: string): boolean => scope !== 'openid' && scope !== 'offline_access';

export const patchOf = (draft: PermissionsDraft) => {
  const scopes = scopesOf(draft);
  const optional = scopes.filter((scope) => mayBeOptional(scope) && draft.optional.includes(scope));
  const reasons = scopes.flatMap((scope): [string, string][] => {
    const reason = draft.reasons[scope]?.trim();
    return reason ? [[scope, reason]] : [];
  });
  return {
    scope: scopes.length > 0 ? scopes.join(' ') : null,
    optional_scopes: optional.length > 0 ? optional.join(' ') : null,
    scope_reasons: reasons.length > 0 ? Object.fromEntries(reasons) : null,
  } satisfies UpdateClient;
};

/** The scopes of a draft as an approval asks for them. */
export const askedOf = (draft: PermissionsDraft): ScopeAsked[] => {
  const { optional_scopes: optional, scope_reasons: reasons } = patchOf(draft);
  return scopesOf(draft).map((name) => ({
    name,
    granted: false,
    optional: words(optional ?? '').includes(name),
    ...(reasons?.[name] && { reason: reasons[name] }),
  }));
};
