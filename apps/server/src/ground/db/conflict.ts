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

/**
 * Does work anew that failed with `error`, while other transactions are in its way, each time after a short pause of
 * random length.
 * @throws the last error
 */
export const retry = async <T>(error: unknown, work: () => Promise<T>): Promise<T> => {
  let last = error;
  for (let tries = 1; isConflict(last) && tries < TRIES; tries += 1) {
    await wait(randomInt(Math.min(2 ** tries, LONGEST_PAUSE_MS)));
    try {
      return await work();
    } catch (another) {
      last = another;
    }
  }
  if (isConflict(last)) noteOutage(last);
  throw last;
};

/** Does the work, and does it anew while other transactions are in its way. */
export const tryAgain = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    return retry(error, work);
  }
};
