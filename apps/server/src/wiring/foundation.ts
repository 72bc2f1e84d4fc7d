import type { Config } from '../config/config.ts';
import type { Connection } from '../db/connect.ts';
import type { Events } from '../event/events.ts';
import type { Logger } from '../logger.ts';

/** Parts that every step of the wiring builds on. */
export interface Foundation {
  config: Config;
  connection: Connection;
  logger: Logger;
  /** Counts and logs the events of the process. */
  events: Events;
  /** The clock of every service. */
  now: () => Date;
}
