import { setTimeout as wait } from 'node:timers/promises';
import { isOutage } from './outage.ts';

const TRIES = 4;
const PAUSE_MS = 300;

/**
 * Asks a question again and again for a second, after the connection to the database was lost; undefined where the
 * database gives no answer in that time.
 * @param ask answers undefined while the answer is not settled
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
