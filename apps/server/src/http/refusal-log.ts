import type { ErrorCode } from '@candela/contract';
import type { Logger } from '../ground/logger.ts';

const EVERY_MS = 1_000;

/** A request that was answered with 503. */
export interface Refusal {
  requestId: string;
  errorCode: ErrorCode;
  method: string;
  path: string;
  err: unknown;
}

/**
 * Logs requests that are refused because the process is busy or the database is away: the first at once, the following
 * ones as a count in one line a second. A line for each request would hide the cause from whoever reads the log.
 */
export const createRefusalLog = (logger: Pick<Logger, 'warn'>) => {
  const running = new Map<ErrorCode, { count: number; last: Refusal }>();

  const say = (refusal: Refusal, count: number) =>
    logger.warn({ ...refusal, count }, 'requests are told to come back later');

  const begin = (first: Refusal) => {
    const { errorCode } = first;
    const since = { count: 0, last: first };
    running.set(errorCode, since);
    setTimeout(() => {
      running.delete(errorCode);
      if (since.count === 0) return;
      say(since.last, since.count);
      begin(since.last);
    }, EVERY_MS).unref();
  };

  return (refusal: Refusal): void => {
    const since = running.get(refusal.errorCode);
    if (since) {
      since.count += 1;
      since.last = refusal;
      return;
    }
    say(refusal, 1);
    begin(refusal);
  };
};
