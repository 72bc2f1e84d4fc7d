import { AppError } from './errors.ts';

export interface WorkQueueOptions {
  /** How many pieces of work run at the same time. */
  concurrency: number;
  /** How many pieces of work may wait. */
  maxQueue: number;
  /** How many of one sender may wait; as many as `maxQueue` by default. */
  maxLane?: number;
  /** For how long work may wait before it is refused; for ever by default. */
  maxWaitMs?: number;
}

/**
 * Runs work when its turn comes; the senders, named by `from`, take turns.
 * @throws AppError busy where the queue is full or the wait too long
 */
export interface WorkQueue {
  <T>(work: () => Promise<T>, from?: string): Promise<T>;
  counts(): WorkCounts;
}

/** What runs and waits now, and what came of all work since the start of the process. */
export interface WorkCounts {
  running: number;
  waiting: number;
  /** Work that was begun. */
  begun: number;
  refused: number;
  /** For how long all work together waited for its turn. */
  waitedSeconds: number;
}

interface Waiter {
  begin(): void;
  refuse(): void;
}

const RETRY_SECONDS = 2;

/** Work that waits, in a lane for each sender. */
const createLanes = (maxQueue: number, maxLane: number) => {
  /** The lanes by sender, none of them empty. The first has the next turn. */
  const lanes = new Map<string, Waiter[]>();
  let waiting = 0;

  const take = (from: string, lane: Waiter[], index: number): Waiter | undefined => {
    const [waiter] = lane.splice(index, 1);
    if (waiter) waiting -= 1;
    if (lane.length === 0) lanes.delete(from);
    return waiter;
  };

  /** Whether a lane of this length gets one more place; a longer lane may lose its last for it. */
  const makeRoom = (length: number): boolean => {
    if (length >= maxLane) return false;
    if (waiting < maxQueue) return true;
    const [longest] = [...lanes].sort(([, a], [, b]) => b.length - a.length);
    if (!longest || longest[1].length <= length + 1) return false;
    take(longest[0], longest[1], longest[1].length - 1)?.refuse();
    return true;
  };

  return {
    /** Whether there was room for the waiter. */
    add: (from: string, waiter: Waiter): boolean => {
      const lane = lanes.get(from) ?? [];
      if (!makeRoom(lane.length)) return false;
      lane.push(waiter);
      lanes.set(from, lane);
      waiting += 1;
      return true;
    },
    takeNext: (): Waiter | undefined => {
      const [next] = lanes;
      const waiter = next && take(next[0], next[1], 0);
      // The lane moves behind the others.
      if (next && lanes.delete(next[0])) lanes.set(next[0], next[1]);
      return waiter;
    },
    size: () => waiting,
    remove: (from: string, waiter: Waiter): void => {
      const lane = lanes.get(from);
      if (lane?.includes(waiter)) take(from, lane, lane.indexOf(waiter));
    },
  };
};

/**
 * A queue of bounded length. Each sender has a lane of its own and the lanes take turns, so that a sender who floods
 * the queue waits behind its own flood. When the queue is full, the last of the longest lane is refused in favour of
 * a shorter lane.
 */
export const createWorkQueue = (options: WorkQueueOptions): WorkQueue => {
  const { concurrency, maxQueue, maxLane = maxQueue, maxWaitMs } = options;
  const lanes = createLanes(maxQueue, maxLane);
  let running = 0;
  const done = { begun: 0, refused: 0, waitedSeconds: 0 };

  const wait = (from: string) =>
    new Promise<void>((resolve, reject) => {
      const since = performance.now();
      const busy = () => {
        done.refused += 1;
        reject(new AppError('busy', { retryAfterSeconds: RETRY_SECONDS }));
      };
      const waiter: Waiter = {
        begin: () => {
          clearTimeout(late);
          done.waitedSeconds += (performance.now() - since) / 1_000;
          resolve();
        },
        refuse: () => {
          clearTimeout(late);
          busy();
        },
      };
      if (!lanes.add(from, waiter)) return busy();
      const giveUp = () => {
        lanes.remove(from, waiter);
        waiter.refuse();
      };
      const late = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
    });

  const enter = async (from: string) => {
    if (running >= concurrency) return wait(from);
    running += 1;
  };

  const leave = () => {
    const waiter = lanes.takeNext();
    if (waiter) waiter.begin();
    else running -= 1;
  };

  const run = async <T>(work: () => Promise<T>, from = ''): Promise<T> => {
    await enter(from);
    done.begun += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return Object.assign(run, { counts: () => ({ running, waiting: lanes.size(), ...done }) });
};
