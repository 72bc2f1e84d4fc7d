import { AsyncLocalStorage } from 'node:async_hooks';
import { OutageError } from './outage.ts';

/**
 * For how long one request may wait for the database, in milliseconds: all of its statements, and all waiting for a
 * connection. What the request does between them does not count.
 */
export interface WaitingLimits {
  /** Once it has waited for so long, it begins no other statement but the end of a transaction. */
  beginMs: number;
  /** Once it has waited for so long, the statement that runs is cut off. */
  endMs: number;
}

const OF_REQUESTS: WaitingLimits = { beginMs: 6_000, endMs: 8_000 };

interface Waiting extends WaitingLimits {
  /** What waits now: parallel statements wait at the same time. */
  active: number;
  since: number;
  waitedMs: number;
  isOver: boolean;
}

const requests = new AsyncLocalStorage<Waiting>();

/** Runs a request, whose statements together wait for the database for a limited time. */
export const limitWaiting = async <T>(
  work: () => Promise<T>,
  limits: WaitingLimits = OF_REQUESTS,
): Promise<T> => {
  const waiting: Waiting = { ...limits, active: 0, since: 0, waitedMs: 0, isOver: false };
  try {
    return await requests.run(waiting, work);
  } finally {
    // What the request began and nobody waits for goes on without a limit.
    waiting.isOver = true;
  }
};

const currentWaiting = (): Waiting | undefined => {
  const waiting = requests.getStore();
  return waiting?.isOver ? undefined : waiting;
};

const waitedSoFar = ({ active, since, waitedMs }: Waiting): number =>
  waitedMs + (active > 0 ? performance.now() - since : 0);

/** Counts the time until the answer is called as waiting. */
export const beginWaiting = (): (() => void) => {
  const waiting = currentWaiting();
  if (!waiting) return () => undefined;
  if (waiting.active === 0) waiting.since = performance.now();
  waiting.active += 1;
  return () => {
    waiting.active -= 1;
    if (waiting.active === 0) waiting.waitedMs += performance.now() - waiting.since;
  };
};

/** Counts the time of `work` as waiting. */
export const whileWaiting = async <T>(work: () => T | Promise<T>): Promise<T> => {
  const endWaiting = beginWaiting();
  try {
    return await work();
  } finally {
    endWaiting();
  }
};

/** For how long this request may still wait to begin a statement; Infinity outside of requests. */
export const leftToBegin = (): number => {
  const waiting = currentWaiting();
  return waiting ? waiting.beginMs - waitedSoFar(waiting) : Number.POSITIVE_INFINITY;
};

/** For how long a statement of this request may still run; Infinity outside of requests. */
export const leftToEnd = (): number => {
  const waiting = currentWaiting();
  return waiting ? waiting.endMs - waitedSoFar(waiting) : Number.POSITIVE_INFINITY;
};

/** The error of a request whose statements together take too long. */
export const tooSlow = (): OutageError => new OutageError('the database is too slow for a request');
