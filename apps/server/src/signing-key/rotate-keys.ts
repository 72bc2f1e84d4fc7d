import { setTimeout as wait } from 'node:timers/promises';
import type { EventSink } from '../event/events.ts';
import type { Logger } from '../logger.ts';
import { rotateSigningKeys, type SigningKeyOptions } from './signing-key.service.ts';

export interface RotatingOptions extends SigningKeyOptions {
  /** For how long keys sign; 0: until somebody rotates them. */
  olderThanDays: number;
  everySeconds: number;
  logger: Logger;
  events: EventSink;
}

const DAY_MS = 86_400_000;

/** Looks now and every `everySeconds` whether the signing keys are due; of several processes one rotates them. */
export const startRotatingKeys = (options: RotatingOptions): { stop(): Promise<void> } => {
  const { olderThanDays, everySeconds, logger, events } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (olderThanDays > 0 && !signal.aborted) {
      try {
        const rotated = await rotateSigningKeys({ ...options, olderThanMs: olderThanDays * DAY_MS });
        if (rotated) events.emit('keys.rotated', { detail: 'they were due' });
      } catch (err) {
        logger.warn({ err }, 'rotating the signing keys failed');
      }
      await wait(everySeconds * 1000, undefined, { ref: false, signal }).catch(() => undefined);
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
