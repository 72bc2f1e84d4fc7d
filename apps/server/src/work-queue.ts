import { AppError } from './errors.ts';

export interface WorkQueueOptions {
  /** What runs at the same time. */
  concurrency: number;
  /** How many may wait for their turn. */
  maxQueue: number;
}

/** Runs work when its turn comes. */
export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue that refuses, with AppError busy, what would have to wait behind too many. */
export const createWorkQueue = ({ concurrency, maxQueue }: WorkQueueOptions): WorkQueue => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const enter = async () => {
    if (running < concurrency) {
      running += 1;
      return;
    }
    if (waiting.length >= maxQueue) throw new AppError('busy', { retryAfterSeconds: 2 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
