import { createClientService } from '../client/client.service.ts';
import type { Config } from '../config/config.ts';
import type { ChangeFeed } from '../db/change-feed.ts';
import { databaseNow } from '../db/clock.ts';
import type { Connection } from '../db/connect.ts';
import { clientSwitch } from '../ending/client-switch.ts';
import type { EventSink } from '../event/events.ts';
import { inUseFirst } from '../pairwise-salt/pairwise-salt.service.ts';
import { createRegistrationTokenService } from '../registration-token/registration-token.service.ts';
import { createResourceServerService } from '../resource-server/resource-server.service.ts';
import { loadKeptKeys } from '../secret-key/kept-key.service.ts';

export interface RegistrationsOptions {
  config: Pick<Config, 'secretKeys'>;
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
  const { secretKeys } = config;
  return {
    clients: createClientService({
      clientSwitch,
      db,
      // A process that does not know the newest key yet could not verify a secret that is hashed under it.
      secretKeys: await inUseFirst({ db, secretKeys }),
      formerHashKeys: await loadKeptKeys({ db, secretKeys }, 'client secrets'),
      changes,
      events,
    }),
    resourceServers: createResourceServerService({ db, changes, events }),
    registrationTokens: createRegistrationTokenService({ db, now: databaseNow, events }),
  };
};
