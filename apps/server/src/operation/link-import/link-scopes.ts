import { accountScopes } from '../../branding/scope/account-scopes.ts';
import { readScopeKey, toScopeKey } from '../../branding/scope/scope-key.ts';
import { readWords } from '../../branding/scope/space-separated.ts';
import { type AskingClient, scopesForPeople } from '../../clients/resource-server/allowed-scopes.ts';
import type { ResourceServer } from '../../clients/resource-server/resource-server.service.ts';

/** The scopes of a link, told apart. */
export interface LinkScopes {
  /** Of the account. */
  scopes: string[];
  resources: { identifier: string; names: string[] }[];
  /** The keys of all of them. */
  keys: string[];
}

export type ScopeRefusal = 'scope_not_allowed' | 'scope_ambiguous';

const isOfAccount = (name: string, metadata: Record<string, unknown>): boolean =>
  accountScopes.includes(name) &&
  (name === 'offline_access' || metadata.scope === undefined || readWords(metadata.scope).includes(name));

/**
 * Tells the scopes of a link apart: those of the account, and those of the APIs that the client may ask for. A scope of
 * an API is named by its name, or by its key (`toScopeKey`) where several APIs have that name.
 */
export const resolveLinkScopes = (
  asked: readonly string[],
  client: AskingClient,
  apis: readonly ResourceServer[],
): LinkScopes | ScopeRefusal => {
  const ofAccount = asked.filter((name) => isOfAccount(name, client.metadata));
  const ofApis = new Map<string, string[]>();
  for (const word of asked) {
    if (ofAccount.includes(word)) continue;
    const { identifier, name } = readScopeKey(word);
    const having = apis.filter(
      (api) =>
        (identifier === undefined || api.identifier === identifier) &&
        scopesForPeople(api, client).some((scope) => scope.name === name),
    );
    const [api, another] = having;
    if (!api) return 'scope_not_allowed';
    if (another) return 'scope_ambiguous';
    ofApis.set(api.identifier, [...(ofApis.get(api.identifier) ?? []), name]);
  }
  const resources = [...ofApis].map(([identifier, names]) => ({ identifier, names: [...new Set(names)] }));
  const keys = resources.flatMap(({ identifier, names }) =>
    names.map((name) => toScopeKey(identifier, name)),
  );
  return { scopes: ofAccount, resources, keys: [...ofAccount, ...keys] };
};
