import { setTimeout as wait } from 'node:timers/promises';
import { isOutage } from './outage.ts';

const TRIES = 4;
const PAUSE_MS = 300;

/**
 * Asks the database what became of something that it was lost over, again and again for a second; undefined
 * where it does not tell.
 * @param ask answers undefined where it is not settled yet
 */
export const askPatiently = async <T>(ask: () => Promise<T | undefined>): Promise<T | undefined> => {
  for (let tries = 1; ; tries += 1) {
    const told = await ask().catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return undefined;
    });
    if (told !== undefined || tries === TRIES) return told;
    await wait(PAUSE_MS);
  }
};
