import { readWords } from '../../branding/scope/space-separated.ts';
import { faultAt, type RegistrationFault, toProblem } from '../../clients/client/fault.ts';
import type { Registration } from '../../clients/client/registration.ts';
import { listKnownScopes } from '../../clients/resource-server/known-scopes.ts';
import { APPROVALS_SCOPE, CLIENTS_SCOPE } from '../../clients/resource-server/own-api.ts';
import type { ResourceServer } from '../../clients/resource-server/resource-server.service.ts';
import { SIGNALS_MANAGE, SIGNALS_READ } from '../../clients/resource-server/signals-api.ts';

type Apis = readonly Pick<ResourceServer, 'brand' | 'scopes'>[];
type Named = Pick<Registration, 'brand' | 'metadata'>;

/** Scopes of the server's own API, which operators alone give. */
const OF_OPERATORS = [CLIENTS_SCOPE, APPROVALS_SCOPE];

/** The scopes of a registration that nobody has: of each field the first, as it is refused. */
export const findScopeFaults = (
  { brand, metadata }: Named,
  apis: Apis,
  more: readonly string[] = [],
): RegistrationFault[] => {
  const known = [...listKnownScopes(apis, brand), SIGNALS_MANAGE, SIGNALS_READ, ...more];
  return (['scope', 'optional_scopes'] as const).flatMap((field) => {
    const unknown = readWords(metadata[field]).find((scope) => !known.includes(scope));
    return unknown === undefined
      ? []
      : [faultAt(field, 'scope_unknown', `has "${unknown}", which is no scope of the account or of an API`)];
  });
};

/** What an operator is told of these scopes, which are stored: their API may be registered later. */
export const describeUnknownScopes = (
  { id, ...registration }: Named & Pick<Registration, 'id'>,
  apis: Apis,
): string[] =>
  findScopeFaults(registration, apis, OF_OPERATORS).map((fault) => `client "${id}" ${toProblem(fault)}`);
