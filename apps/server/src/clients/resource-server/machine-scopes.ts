import { readWords } from '../../branding/scope/space-separated.ts';
import type { ResourceServer } from './resource-server.service.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** Whether a client gets tokens for itself, so that no person decides what it may do. */
export const actsForItself = ({ grant_types: types }: Metadata): boolean =>
  Array.isArray(types) && types.includes('client_credentials');

/** The names of scopes with which only operators let a client of the brand act on its own. */
export const scopesByOperators = (
  apis: readonly Pick<ResourceServer, 'brand' | 'scopes' | 'machine_access'>[],
  brand: string | undefined,
): ReadonlySet<string> =>
  new Set(
    apis
      .filter((api) => brand === undefined || api.brand === undefined || api.brand === brand)
      .filter((api) => api.machine_access !== 'developers')
      .flatMap(({ scopes }) => scopes.map(({ name }) => name)),
  );

/** The scopes that a client has as one that acts for itself. */
export const heldByItself = (metadata: Metadata): readonly string[] =>
  actsForItself(metadata) ? readWords(metadata.scope) : [];
