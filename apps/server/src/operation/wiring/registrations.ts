import { createClientService } from '../../clients/client/client.service.ts';
import { createSecretHashes } from '../../clients/client/secret-hashes.ts';
import { createDeveloperService } from '../../clients/developer/developer.service.ts';
import { createRegistrationTokenService } from '../../clients/registration-token/registration-token.service.ts';
import { ownApiOf } from '../../clients/resource-server/own-api.ts';
import { createResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import { signalsApiOf } from '../../clients/resource-server/signals-api.ts';
import type { ChangeFeed } from '../../ground/db/change-feed.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import type { Connection } from '../../ground/db/connect.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createOutboundRequest } from '../../ground/outbound/outbound-request.ts';
import { inUseFirst } from '../../link/pairwise-salt/pairwise-salt.service.ts';
import { createPasswordHasher, hashQueue } from '../../person/credential/password-hasher.ts';
import { findClientFault } from '../../protocol/oidc/client-faults.ts';
import { createClientRegistry } from '../../registration/client-registry/client-registry.service.ts';
import { createDynamicRegistrationService } from '../../registration/dynamic-registration/dynamic-registration.service.ts';
import { createSectorFaultFinder } from '../../registration/dynamic-registration/sector-document.ts';
import { createLinkChecks } from '../../registration/link-check/link-check.service.ts';
import type { Config } from '../config/config.ts';
import { loadKeptKeys } from '../secret-key/kept-key.service.ts';

export interface RegistrationsOptions {
  config: Pick<Config, 'secretKeys' | 'clientRules' | 'brands' | 'dynamicRegistration'>;
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
    builtIn: brands.flatMap((brand) => [ownApiOf(brand), signalsApiOf(brand)]),
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
      brands: brands.filter(({ forStaff }) => !forStaff).map(({ id }) => id),
      brandNames: brands.map(({ name }) => name),
      findFault: findClientFault,
    },
    now: databaseNow,
    events,
  });
  return {
    clients,
    resourceServers,
    developers,
    registry,
    linkChecks: createLinkChecks({
      db,
      clients,
      hashes,
      resourceServers,
      hasher: createPasswordHasher(hashQueue(1)),
      brands,
      now: databaseNow,
      events,
    }),
    registrationTokens,
    registration: createDynamicRegistrationService({
      db,
      clients,
      registry,
      resourceServers,
      nativeSchemes: clientRules.nativeSchemes,
      isOpen: config.dynamicRegistration === 'open',
      tokens: registrationTokens,
      findSectorFault: createSectorFaultFinder(
        createOutboundRequest({ privateHosts: clientRules.backchannelHosts }),
      ),
      now: databaseNow,
      events,
    }),
  };
};
