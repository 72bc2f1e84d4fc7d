import { type App, createApp } from './app.ts';
import type { Connection } from './ground/db/connect.ts';
import type { Events } from './ground/event/events.ts';
import type { Logger } from './ground/logger.ts';
import { release as version } from './ground/release.ts';
import { startBackground } from './operation/background.ts';
import type { Config } from './operation/config/config.ts';
import { findBacklog } from './operation/metrics/backlog.repository.ts';
import { readCommit } from './operation/metrics/commit.ts';
import type { Metrics } from './operation/metrics/metrics.ts';
import { startPresence } from './operation/secret-key/serving-process.service.ts';
import { namePort } from './operation/start/ports.ts';
import type { WiredStorage } from './operation/wiring/storage.ts';
import { webDist } from './protocol/page/web-dist.ts';

export interface ServeOptions {
  config: Config;
  logger: Logger;
  events: Events;
  connection: Connection;
  /** Storage that the process has wired; stopping closes it. Default: wired here. */
  storage?: WiredStorage;
  /** Measures what this process does. Default: nothing is measured. */
  metrics?: Metrics | undefined;
  /** Prints a line for the person who started the server. */
  print: (line: string) => void;
  /** Counts log lines and printed lines that could not be written. */
  countDroppedLines(): number;
}

export interface Serving {
  app: App;
  /** Drains, then resolves; the connection stays open. `atOnce` gives no notice to load balancers first. */
  stop(options: { atOnce: boolean }): Promise<void>;
}

/**
 * Serves in this process, and does its share of the work in the background.
 * @throws StartError when the port cannot be had.
 */
export const startServing = async (options: ServeOptions): Promise<Serving> => {
  const { config, logger, events, connection, metrics } = options;
  const { db } = connection;
  // Before anything sealed is read: rotating SECRET_KEY asks every present process whether it knows the new key.
  const presence = await startPresence({ db, secretKeys: config.secretKeys, logger, version });
  const app = await createApp({ ...options, meter: metrics?.middleware, webDist, version }).catch(
    async (error) => {
      await presence.stop();
      throw error;
    },
  );
  try {
    await app.listen().catch(namePort('PORT', config.port, config.host));
  } catch (error) {
    await presence.stop();
    await app.close();
    throw error;
  }
  const background = startBackground({ config, connection, logger, events, ...app });
  metrics?.watch({
    ...app.counts,
    backlog: () => findBacklog(db),
    sweeping: background.countSweeps,
    poolCounts: connection.poolCounts,
    version,
    commit: readCommit(),
    countDroppedLines: options.countDroppedLines,
  });
  return {
    app,
    stop: async ({ atOnce }) => {
      // The notice begins at once, so that load balancers see 503 at /readyz while the background work still ends.
      const noticeMs = atOnce ? 0 : config.drainNoticeSeconds * 1000;
      await Promise.all([app.close({ noticeMs }), background.stop()]);
      await presence.stop();
    },
  };
};
