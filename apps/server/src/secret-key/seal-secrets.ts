import { setTimeout as wait } from 'node:timers/promises';
import type { EventSink } from '../event/events.ts';
import type { Logger } from '../logger.ts';
import { type SecretKeyOptions, sealSecretsAnew } from './secret-key.service.ts';

export interface SealingOptions extends SecretKeyOptions {
  everySeconds: number;
  logger: Logger;
  events: EventSink;
}

/**
 * Seals anew, every `everySeconds`, what an older SECRET_KEY sealed. Not at the start: whoever put a new key in
 * front before all processes knew it can still take it back.
 */
export const startSealingAnew = (options: SealingOptions): { stop(): Promise<void> } => {
  const { everySeconds, logger, events, secretKeys } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (secretKeys.length > 1) {
      await wait(everySeconds * 1000, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
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
