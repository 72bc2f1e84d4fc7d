import { accountScopes } from '../../branding/scope/account-scopes.ts';
import type { ResourceServer } from './resource-server.service.ts';

/** Every scope that a client of a brand may name: of the account, and of the APIs of the brand. */
export const listKnownScopes = (
  apis: readonly Pick<ResourceServer, 'brand' | 'scopes'>[],
  brand: string | undefined,
): readonly string[] => [
  ...accountScopes,
  ...apis
    .filter((api) => brand === undefined || api.brand === undefined || api.brand === brand)
    .flatMap(({ scopes }) => scopes.map(({ name }) => name)),
];
