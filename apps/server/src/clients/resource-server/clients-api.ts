import type { ResourceServer } from './resource-server.service.ts';

/** The scope of a machine that registers clients. */
export const CLIENTS_SCOPE = 'clients';

/**
 * The API of clients, which every brand has without registering it. Its tokens are opaque, so that they die with their
 * client.
 */
export const clientsApiOf = ({ id, origin }: { id: string; origin: string }): ResourceServer => ({
  identifier: `${origin}/api`,
  brand: id,
  name: 'Clients',
  scopes: [{ name: CLIENTS_SCOPE }],
  access_token_format: 'opaque',
  access_token_ttl: 3600,
  access_token_signing_alg: 'ES256',
  machinesOf: 'operator',
});
