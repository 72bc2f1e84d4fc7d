import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { WaitingChangeService } from './waiting-change.service.ts';

/** Carries out changes that are due, `everySeconds` after the last time ended, until stopped. */
export const startCarryingOutChanges = (
  changes: Pick<WaitingChangeService, 'carryOut'>,
  { everySeconds, logger }: { everySeconds: number; logger: Logger },
): { stop(): Promise<void> } => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await setTimeout(everySeconds * 1000, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      await changes
        .carryOut()
        .catch((err: unknown) => logger.warn({ err }, 'changes that are due were not carried out'));
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
