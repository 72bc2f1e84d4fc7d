import { readWords } from '../scope/space-separated.ts';
import type { ResourceServer } from './resource-server.service.ts';

/**
 * The scopes of a resource that a client can ask a person for: those that its metadata's `scope` names, and all
 * of them where it has none (RFC 7591 section 2).
 */
export const scopesForPeople = (
  { scopes }: ResourceServer,
  metadata: Record<string, unknown>,
): ResourceServer['scopes'] => {
  if (metadata.scope === undefined) return scopes;
  const allowed = new Set(readWords(metadata.scope));
  return scopes.filter(({ name }) => allowed.has(name));
};

/** The scopes of a resource that a client may use on its own: those that its metadata's `scope` names, since no person decides. */
export const scopesForMachine = (resource: ResourceServer, metadata: Record<string, unknown>): string[] =>
  scopesForPeople(resource, { scope: metadata.scope ?? '' }).map(({ name }) => name);
