import type { Connection } from '../../ground/db/connect.ts';
import type { Events } from '../../ground/event/events.ts';
import type { Logger } from '../../ground/logger.ts';
import type { Config } from '../config/config.ts';

/** Parts that every step of the wiring builds on. */
export interface Foundation {
  config: Config;
  connection: Connection;
  logger: Logger;
  /** Counts and logs the events of the process. */
  events: Events;
  /** The clock of every service. */
  now: () => Date;
  /** The address at which an address of an identity provider is asked. Default: the address itself. */
  reachProvider?: ((address: string) => string) | undefined;
}
