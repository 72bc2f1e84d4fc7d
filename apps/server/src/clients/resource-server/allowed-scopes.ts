import { readWords } from '../../branding/scope/space-separated.ts';
import type { ClientProfile } from '../client/client.service.ts';
import type { ResourceServer } from './resource-server.service.ts';

/** What a client is to an API: its metadata, who made it known, and whether it is the brand's own. */
export type AskingClient = Pick<ClientProfile, 'metadata' | 'source' | 'firstParty'>;

const isOperators = ({ source }: AskingClient): boolean => source === 'operator' || source === 'file';

/**
 * The scopes of a resource that a client can ask a person for: those that its metadata's `scope` names, and all
 * of them where it has none (RFC 7591 section 2). Of the server's own APIs only the brand's own apps get any, and only
 * by name: they speak for the person there.
 */
export const scopesForPeople = (
  { scopes, holders }: ResourceServer,
  client: AskingClient | undefined,
): ResourceServer['scopes'] => {
  if (!client) return holders ? [] : scopes;
  const allowed = new Set(readWords(client.metadata.scope));
  if (!holders)
    return client.metadata.scope === undefined ? scopes : scopes.filter(({ name }) => allowed.has(name));
  if (!client.firstParty || !isOperators(client)) return [];
  return scopes.filter(({ name }) => holders[name] === 'own-app' && allowed.has(name));
};

/**
 * The scopes of a resource that a client may use on its own: those that its metadata's `scope` names, since no person
 * decides. Nobody but an operator gives the scopes of the API of clients.
 */
export const scopesForMachine = (
  { scopes, holders }: ResourceServer,
  client: AskingClient | undefined,
): string[] => {
  if (!client) return [];
  const allowed = new Set(readWords(client.metadata.scope));
  const mayHold = (name: string): boolean => {
    const holder = holders?.[name];
    return !holders || holder === 'machine' || (holder === 'operators-machine' && isOperators(client));
  };
  return scopes.map(({ name }) => name).filter((name) => allowed.has(name) && mayHold(name));
};
