import { readWords } from '../../branding/scope/space-separated.ts';
import type { ClientProfile } from '../client/client.service.ts';
import type { ResourceServer } from './resource-server.service.ts';

/**
 * The scopes of a resource that a client can ask a person for: those that its metadata's `scope` names, and all
 * of them where it has none (RFC 7591 section 2).
 */
export const scopesForPeople = (
  { scopes, machinesOf }: ResourceServer,
  metadata: Record<string, unknown>,
): ResourceServer['scopes'] => {
  if (machinesOf) return [];
  if (metadata.scope === undefined) return scopes;
  const allowed = new Set(readWords(metadata.scope));
  return scopes.filter(({ name }) => allowed.has(name));
};

/** What a client is to an API: its metadata, and who made it known. */
export type AskingClient = Pick<ClientProfile, 'metadata' | 'source'>;

const isOperators = ({ source }: AskingClient): boolean => source === 'operator' || source === 'file';

/**
 * The scopes of a resource that a client may use on its own: those that its metadata's `scope` names, since no person
 * decides. Nobody but an operator gives the scopes of the API of clients.
 */
export const scopesForMachine = (
  { scopes, machinesOf }: ResourceServer,
  client: AskingClient | undefined,
): string[] => {
  if (!client || (machinesOf === 'operator' && !isOperators(client))) return [];
  const allowed = new Set(readWords(client.metadata.scope));
  return scopes.map(({ name }) => name).filter((name) => allowed.has(name));
};
