import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { noteOutage } from './outage.ts';

const TRIES = 30;
const LONGEST_PAUSE_MS = 64;

/**
 * Whether other transactions were in the way (SQLSTATE 40001 and 40P01). Nothing is written then. PostgreSQL answers
 * 40001 only where its transactions are stricter than `read committed`; distributed engines do so at any time.
 */
export const isConflict = (error: unknown): boolean =>
  /^(40001|40P01)$/.test(String((error as { code?: unknown } | undefined)?.code));

/** Does the work anew while other transactions are in its way, after a short pause of random length. */
export const tryAgain = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (tries === TRIES) {
        noteOutage(error);
        throw error;
      }
      await wait(randomInt(Math.min(2 ** tries, LONGEST_PAUSE_MS)));
    }
  }
};
