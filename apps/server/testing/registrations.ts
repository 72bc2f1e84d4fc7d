import type { Kysely } from 'kysely';
import { type ClientServiceOptions, createClientService } from '../src/clients/client/client.service.ts';
import { createSecretHashes, type SecretHashesOptions } from '../src/clients/client/secret-hashes.ts';
import { createDeveloperService } from '../src/clients/developer/developer.service.ts';
import { createResourceServerService } from '../src/clients/resource-server/resource-server.service.ts';
import type { Database } from '../src/ground/db/database.ts';
import { findClientFault } from '../src/protocol/oidc/client-faults.ts';
import {
  type ClientRegistryOptions,
  createClientRegistry,
} from '../src/registration/client-registry/client-registry.service.ts';

export interface RegistrationsOptions
  extends Partial<SecretHashesOptions>,
    Pick<ClientServiceOptions, 'changes'>,
    Partial<Pick<ClientRegistryOptions, 'events' | 'now'>> {}

const operator = { kind: 'operator' } as const;

/** The clients of a database as a process has them, with an operator's ways to change them. */
export const createRegistrations = (
  db: Kysely<Database>,
  {
    secretKeys = ['a secret key of the test'],
    formerHashKeys,
    changes,
    events,
    now,
  }: RegistrationsOptions = {},
) => {
  const hashes = createSecretHashes({ secretKeys, ...(formerHashKeys && { formerHashKeys }) });
  const clients = createClientService({ db, hashes, changes });
  const developers = createDeveloperService({ db, events });
  const registry = createClientRegistry({
    db,
    clients,
    hashes,
    resourceServers: createResourceServerService({ db }),
    developers,
    rules: {
      brands: ['aurelia', 'borealis'],
      brandNames: ['Aurelia', 'Borealis'],
      reserved: ['portal'],
      backchannelHosts: [],
      nativeSchemes: [],
      findFault: findClientFault,
    },
    now: now ?? (() => new Date()),
    events,
  });
  return {
    clients,
    registry,
    developers,
    /** Registers clients in the form of CLIENTS_FILE. */
    apply: (entries: unknown, options?: { dryRun?: boolean }) => registry.apply(operator, entries, options),
    setDisabled: (id: string, disabled: boolean) => registry.setDisabled(operator, id, disabled),
  };
};
