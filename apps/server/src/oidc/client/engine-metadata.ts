import { accountScopes } from '../../scope/account-scopes.ts';
import { readWords } from '../../scope/space-separated.ts';

/**
 * A client's metadata as the engine takes them: its `scope` (RFC 7591 section 2) may name only what the engine
 * knows of; the scopes of resources are looked up where one is asked for.
 */
export const toEngineMetadata = <Metadata extends Record<string, unknown>>(metadata: Metadata): Metadata => {
  const { scope } = metadata;
  if (typeof scope !== 'string' || scope === '') return metadata;
  const names = readWords(scope);
  const known = names.filter((name) => accountScopes.includes(name));
  if (known.length === names.length) return metadata;
  // Without any the engine would let it ask for all.
  return { ...metadata, scope: known.join(' ') || 'openid' };
};
