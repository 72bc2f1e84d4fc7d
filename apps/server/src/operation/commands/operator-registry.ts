import type { RegisteredClient } from '@candela/contract';
import { AppError } from '../../ground/errors.ts';
import { StartError } from '../../ground/start-error.ts';
import type { ClientRegistry } from '../../registration/client-registry/client-registry.service.ts';
import { describeUnknownScopes } from '../../registration/client-registry/unknown-scopes.ts';
import type { CallSurroundings, CommandPlace } from './command.ts';

/** Who changes registrations by commands. */
export const operator = { kind: 'operator' } as const;

/** The registry. The schema is brought up to date before writes, and has to be before reads. */
export const openRegistry = async (
  { prepare, registrations }: CommandPlace,
  { writes }: { writes: boolean } = { writes: true },
): Promise<ClientRegistry> => {
  await prepare({ dryRun: !writes });
  const { registry } = await registrations();
  return registry;
};

/** Tells of scopes that a client has and nobody gives: a slip of the pen, or of an API that is still to come. */
export const warnOfScopes = async (
  { note, registrations }: Pick<CallSurroundings, 'note'> & Pick<CommandPlace, 'registrations'>,
  client: RegisteredClient,
): Promise<void> => {
  const { resourceServers } = await registrations();
  const { client_id: id, brand, scope, optional_scopes } = client;
  const registration = { id, brand: brand ?? undefined, metadata: { client_id: id, scope, optional_scopes } };
  const apis = await resourceServers.listResourceServers();
  for (const warning of describeUnknownScopes(registration, apis)) note(`warning: ${warning}`);
};

/** Says which id is unknown. @throws StartError */
export const onClient = <T>(id: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const isUnknown = error instanceof AppError && error.code === 'not_found';
    throw isUnknown ? new StartError(`no client has the id "${id}"; client list shows them`) : error;
  });
