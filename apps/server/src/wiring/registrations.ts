import { createClientService } from '../client/client.service.ts';
import { createSecretHashes } from '../client/secret-hashes.ts';
import { createClientRegistry } from '../client-registry/client-registry.service.ts';
import type { Config } from '../config/config.ts';
import type { ChangeFeed } from '../db/change-feed.ts';
import { databaseNow } from '../db/clock.ts';
import type { Connection } from '../db/connect.ts';
import { createDeveloperService } from '../developer/developer.service.ts';
import { createDynamicRegistrationService } from '../dynamic-registration/dynamic-registration.service.ts';
import { createSectorFaultFinder } from '../dynamic-registration/sector-document.ts';
import type { EventSink } from '../event/events.ts';
import { createClientFaultFinder } from '../oidc/client-faults.ts';
import { createOutboundRequest } from '../outbound/outbound-request.ts';
import { inUseFirst } from '../pairwise-salt/pairwise-salt.service.ts';
import { createRegistrationTokenService } from '../registration-token/registration-token.service.ts';
import { clientsApiOf } from '../resource-server/clients-api.ts';
import { createResourceServerService } from '../resource-server/resource-server.service.ts';
import { loadKeptKeys } from '../secret-key/kept-key.service.ts';

export interface RegistrationsOptions {
  config: Pick<Config, 'secretKeys' | 'clientRules' | 'brands'>;
  connection: Pick<Connection, 'db'>;
  events: EventSink;
  /** Keeps the caches right for longer than 0.8 s. */
  changes?: ChangeFeed;
}

/** The registered clients and protected APIs. A process wires them once: each has a cache. */
export type Registrations = Awaited<ReturnType<typeof wireRegistrations>>;

export const wireRegistrations = async (options: RegistrationsOptions) => {
  const { config, connection, events, changes } = options;
  const { db } = connection;
  const { secretKeys, brands, clientRules } = config;
  const hashes = createSecretHashes({
    // A process that does not know the newest key yet could not verify a secret that is hashed under it.
    secretKeys: await inUseFirst({ db, secretKeys }),
    formerHashKeys: await loadKeptKeys({ db, secretKeys }, 'client secrets'),
  });
  const clients = createClientService({ db, hashes, changes });
  const resourceServers = createResourceServerService({
    db,
    changes,
    events,
    builtIn: brands.map(clientsApiOf),
  });
  const developers = createDeveloperService({ db, events });
  const registrationTokens = createRegistrationTokenService({ db, now: databaseNow, events });
  const registry = createClientRegistry({
    db,
    clients,
    hashes,
    resourceServers,
    developers,
    rules: {
      ...clientRules,
      brands: brands.map(({ id }) => id),
      brandNames: brands.map(({ name }) => name),
      findFault: createClientFaultFinder(),
    },
    now: databaseNow,
    events,
  });
  return {
    clients,
    resourceServers,
    developers,
    registry,
    registrationTokens,
    registration: createDynamicRegistrationService({
      db,
      clients,
      registry,
      tokens: registrationTokens,
      findSectorFault: createSectorFaultFinder(
        createOutboundRequest({ privateHosts: clientRules.backchannelHosts }),
      ),
      now: databaseNow,
      events,
    }),
  };
};
