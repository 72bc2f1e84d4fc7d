import { readFileSync } from 'node:fs';
import { type App, createApp } from './app.ts';
import { startFetchingLogos } from './client/fetch-logos.ts';
import type { Config } from './config/config.ts';
import type { Connection } from './db/connect.ts';
import type { Events } from './event/events.ts';
import type { Logger } from './logger.ts';
import { startSealingAnew } from './secret-key/seal-secrets.ts';
import { startPresence } from './secret-key/serving-process.service.ts';
import { startCarryingOutChanges } from './settings/carry-out-changes.ts';
import { startRotatingKeys } from './signing-key/rotate-keys.ts';
import { namePort } from './start/start-checks.ts';
import { startSweeping } from './sweep.ts';
import type { WiredStorage } from './wiring/storage.ts';

/** The built SPA. */
export const webDist = new URL('../../web/dist', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const SWEEP_SECONDS = 60;
const CHANGE_SECONDS = 60;
const LOGO_SECONDS = 60;
const KEY_SECONDS = 3600;

export interface ServeOptions {
  config: Config;
  logger: Logger;
  events: Events;
  connection: Connection;
  /** Storage that the process has wired; stopping closes it. Default: wired here. */
  storage?: WiredStorage;
  /** Prints a line for the person who started the server. */
  print: (line: string) => void;
}

export interface Serving {
  app: App;
  /** Drains, then resolves; the connection stays open. */
  stop(): Promise<void>;
}

/**
 * Serves in this process, and does its share of the work in the background.
 * @throws StartError when the port cannot be had.
 */
export const startServing = async (options: ServeOptions): Promise<Serving> => {
  const { config, logger, events, connection } = options;
  const { db } = connection;
  // First: whoever seals anew from now on asks whether this process knows the key.
  const presence = await startPresence({ db, secretKeys: config.secretKeys, logger });
  const app = await createApp({ ...options, webDist, version }).catch(async (error) => {
    await presence.stop();
    throw error;
  });
  try {
    await app.listen().catch(namePort('PORT', config.port, config.host));
  } catch (error) {
    await presence.stop();
    await app.close();
    throw error;
  }
  const background = [
    startSweeping(db, { everySeconds: SWEEP_SECONDS, logger }),
    startCarryingOutChanges(app.waitingChanges, { everySeconds: CHANGE_SECONDS, logger }),
    startFetchingLogos(app.logos, { everySeconds: LOGO_SECONDS, logger }),
    startRotatingKeys({
      db,
      secretKeys: config.secretKeys,
      olderThanDays: config.keyRotationDays,
      everySeconds: KEY_SECONDS,
      logger,
      events,
    }),
    startSealingAnew({ db, secretKeys: config.secretKeys, everySeconds: KEY_SECONDS, logger, events }),
  ];
  return {
    app,
    stop: async () => {
      // Load balancers see /readyz say 503 before the listener is gone, whatever the background still does.
      const noticeMs = config.drainNoticeSeconds * 1000;
      await Promise.all([app.close({ noticeMs }), ...background.map((work) => work.stop())]);
      await presence.stop();
    },
  };
};
