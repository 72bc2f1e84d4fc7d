import { setTimeout as wait } from 'node:timers/promises';
import type { EventSink } from '../event/events.ts';
import type { Logger } from '../logger.ts';
import { type SecretKeyOptions, sealSecretsAnew } from './secret-key.service.ts';
import { findSealingProspect } from './serving-process.service.ts';

export interface SealingOptions extends SecretKeyOptions {
  everySeconds: number;
  logger: Logger;
  events: EventSink;
}

/**
 * Seals anew, every `everySeconds`, what an older SECRET_KEY sealed. Not at the start: whoever put a new key in
 * front before all processes knew it can still take it back. Nor while a process that serves does not know the key.
 */
export const startSealingAnew = (options: SealingOptions): { stop(): Promise<void> } => {
  const { everySeconds, logger, events, secretKeys } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWaiting = false;
  const run = async () => {
    while (secretKeys.length > 1) {
      await wait(everySeconds * 1000, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const { alive, unaware } = await findSealingProspect(options);
        if (unaware > 0) {
          if (!isWaiting)
            logger.warn(
              { alive, unaware },
              'nothing is sealed anew: the first SECRET_KEY is not known to all processes that serve',
            );
          isWaiting = true;
          continue;
        }
        isWaiting = false;
        const count = await sealSecretsAnew(options);
        if (count > 0) events.emit('secrets.sealed_anew', { count });
      } catch (err) {
        logger.warn({ err }, 'sealing under the newest SECRET_KEY failed');
      }
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
