import { type AskingClient, scopesForPeople } from './allowed-scopes.ts';
import type { ResourceServer, ResourceServerService } from './resource-server.service.ts';

/** What an app asks of one API. */
export type AskedResource = Pick<ResourceServer, 'identifier' | 'name' | 'scopes'>;

export interface ResourceRequest {
  brand: string;
  /** The `resource` of the request: one or several (RFC 8707 section 2.1). */
  identifiers: unknown;
  /** The scopes of the request, those of the account included. */
  names: readonly string[];
  client: AskingClient;
}

/** What a request asks of the APIs that it names; a scope that none of them has is left out. */
export const findAskedResources = async (
  resourceServers: ResourceServerService,
  { brand, identifiers, names, client }: ResourceRequest,
): Promise<AskedResource[]> => {
  const asked = new Set((Array.isArray(identifiers) ? identifiers : [identifiers]).filter(isText));
  const found = await Promise.all(
    [...asked].map((identifier) => resourceServers.findResourceServer(identifier, brand)),
  );
  return found
    .filter((resource) => resource !== undefined)
    .map((resource) => ({
      identifier: resource.identifier,
      name: resource.name,
      scopes: scopesForPeople(resource, client).filter(({ name }) => names.includes(name)),
    }))
    .filter(({ scopes }) => scopes.length > 0);
};

const isText = (value: unknown): value is string => typeof value === 'string';
