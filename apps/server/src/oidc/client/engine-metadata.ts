import { accountScopes } from '../../scope/account-scopes.ts';
import { readWords } from '../../scope/space-separated.ts';

/**
 * A client's metadata as the engine takes them. Their `scope` (RFC 7591 section 2) keeps the account's scopes, which
 * the engine knows; the scopes of a resource are looked up when a request names the resource.
 */
export const toEngineMetadata = <Metadata extends Record<string, unknown>>(metadata: Metadata): Metadata => {
  const { scope } = metadata;
  if (typeof scope !== 'string' || scope === '') return metadata;
  const names = readWords(scope);
  const known = names.filter((name) => accountScopes.includes(name));
  if (known.length === names.length) return metadata;
  // Without a scope the engine would let the client ask for all.
  return { ...metadata, scope: known.join(' ') || 'openid' };
};
