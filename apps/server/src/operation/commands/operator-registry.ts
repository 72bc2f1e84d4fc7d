import { AppError } from '../../ground/errors.ts';
import { StartError } from '../../ground/start-error.ts';
import type { ClientRegistry } from '../../registration/client-registry/client-registry.service.ts';
import type { CommandPlace } from './command.ts';

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

/** Says which id is unknown. @throws StartError */
export const onClient = <T>(id: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const isUnknown = error instanceof AppError && error.code === 'not_found';
    throw isUnknown ? new StartError(`no client has the id "${id}"; client list shows them`) : error;
  });
