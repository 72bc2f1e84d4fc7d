import { AppError } from './errors.ts';

export interface WorkQueueOptions {
  /** What runs at the same time. */
  concurrency: number;
  /** How many may wait for their turn. */
  maxQueue: number;
  /** How many of one sender may wait; all that fit unless told. */
  maxLane?: number;
  /** For how long anyone may wait for a turn; as long as it takes unless told. */
  maxWaitMs?: number;
}

/** Runs work when its turn comes. Turns go round among those that work is `from`. */
export type WorkQueue = <T>(work: () => Promise<T>, from?: string) => Promise<T>;

interface Waiter {
  begin(): void;
  refuse(): void;
}

const RETRY_SECONDS = 2;

/**
 * A queue that refuses, with AppError busy, what would have to wait behind too many. Each sender has a lane of
 * its own, and the lanes take turns: one that sends a flood waits behind its own flood. In a full queue the
 * longest lane makes room for a shorter one, by its last.
 */
export const createWorkQueue = (options: WorkQueueOptions): WorkQueue => {
  const { concurrency, maxQueue, maxLane = maxQueue, maxWaitMs } = options;
  /** None of them is empty; the one whose turn is next comes first. */
  const lanes = new Map<string, Waiter[]>();
  let running = 0;
  let waiting = 0;

  const take = (from: string, lane: Waiter[], index: number): Waiter | undefined => {
    const [waiter] = lane.splice(index, 1);
    if (waiter) waiting -= 1;
    if (lane.length === 0) lanes.delete(from);
    return waiter;
  };

  /** Whether there is room for one more of this lane, made where need be. */
  const makeRoom = (length: number): boolean => {
    if (length >= maxLane) return false;
    if (waiting < maxQueue) return true;
    const [longest] = [...lanes].sort(([, a], [, b]) => b.length - a.length);
    if (!longest || longest[1].length <= length + 1) return false;
    take(longest[0], longest[1], longest[1].length - 1)?.refuse();
    return true;
  };

  const wait = (from: string) =>
    new Promise<void>((resolve, reject) => {
      const busy = () => reject(new AppError('busy', { retryAfterSeconds: RETRY_SECONDS }));
      if (!makeRoom(lanes.get(from)?.length ?? 0)) return busy();
      const lane = lanes.get(from) ?? [];
      const waiter: Waiter = {
        begin: () => {
          clearTimeout(late);
          resolve();
        },
        refuse: () => {
          clearTimeout(late);
          busy();
        },
      };
      const giveUp = () => take(from, lane, lane.indexOf(waiter))?.refuse();
      const late = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      lane.push(waiter);
      lanes.set(from, lane);
      waiting += 1;
    });

  const enter = async (from: string) => {
    if (running >= concurrency) return wait(from);
    running += 1;
  };

  const leave = () => {
    const [next] = lanes;
    const waiter = next && take(next[0], next[1], 0);
    if (!waiter) {
      running -= 1;
      return;
    }
    const [from, lane] = next;
    // To the end: the others have their turns first.
    if (lanes.delete(from)) lanes.set(from, lane);
    waiter.begin();
  };

  return async (work, from = '') => {
    await enter(from);
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
