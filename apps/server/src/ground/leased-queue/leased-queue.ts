import { AsyncLocalStorage } from 'node:async_hooks';
import { every } from '../loop/every.ts';
import { createOutcomes } from './outcomes.ts';
import { createTries, type TryOptions } from './tries.ts';

/**
 * How any number of processes work off the rows of one table. A row is an item. A process leases it, tries it and
 * settles it. The lease moves the row's `due_at` on, so that other processes find the row again if this one dies,
 * and counts its `attempts`: a statement that settles compares the count, and changes nothing where the lease had
 * run out and another process has the row.
 */
export interface LeasedQueueOptions<Item extends { id: string }, Outcome> extends TryOptions<Item, Outcome> {
  /** How many items may be started while `taken` places are taken. */
  room(taken: number): number;
  /** Leases at most `limit` items that are due; `running` are those that this process has under way. */
  lease(limit: number, running: readonly Item[]): Promise<Leased<Item>>;
  /** How often the queue looks for items that no call of `wake` announced. */
  pollMs: number;
  /** How long closing waits for tries under way. */
  closeMs: number;
  /** After a failure of the database nothing is leased for so long: other processes first store what they tried. */
  holdOffMs?: number;
  /** Milliseconds of a clock that nobody sets. */
  now?: () => number;
}

export interface Leased<Item> {
  items: Item[];
  /** Whether other items may be due that this lease left out. */
  hasMore: boolean;
}

export interface LeasedQueue<Item> {
  /** Says that items may be due: the queue looks for them soon, and not as a part of the caller's request. */
  wake(): void;
  /** Leases what is due, as far as there is room. Resolves when the tries have begun. */
  look(): Promise<void>;
  /** Tries an item that the caller has leased. Undefined, without a try, where there is no room. */
  take(item: Item): Promise<void> | undefined;
  /** Leases nothing more, and waits for the tries under way. */
  close(): Promise<void>;
}

export const createLeasedQueue = <Item extends { id: string }, Outcome>(
  options: LeasedQueueOptions<Item, Outcome>,
): LeasedQueue<Item> => {
  const { noun, room, logger } = options;
  const outcomes = createOutcomes();
  const onEnd = () => {
    if (mayBeMore) wake();
  };
  const tries = createTries(options, { outcomes, onEnd });
  /** Places of the items that are being leased: an item that is taken meanwhile finds them taken. */
  let reserved = 0;
  let mayBeMore = false;
  let isClosed = false;
  const holdOff = createHoldOff(options);

  const freePlaces = () => (isClosed ? 0 : room(tries.items().length + reserved));

  /** Leases once; answers whether another lease may find more. */
  const lease = async (): Promise<boolean> => {
    await outcomes.storeAgain();
    const limit = holdOff.isOn() ? 0 : freePlaces();
    // Until the lease has answered, a try that ends must look again.
    mayBeMore = true;
    if (limit <= 0) return false;
    reserved = limit;
    const { items, hasMore } = await options.lease(limit, tries.items()).finally(() => {
      reserved = 0;
    });
    // A lease may have run out before the outcome of its try was stored.
    for (const item of items) if (!outcomes.has(item.id)) void tries.start(item);
    mayBeMore = hasMore;
    return hasMore && items.length > 0 && items.length < limit;
  };
  const look = createLook(() => holdOff.after(lease()));

  const apart = AsyncLocalStorage.snapshot();
  const onFailure = (err: unknown) => logger.warn({ err }, `looking for ${noun}s failed`);
  const wake = () => {
    if (!isClosed) apart(look).catch(onFailure);
  };
  const polling = every(options.pollMs / 1_000, look, { onFailure });

  return {
    wake,
    look,
    take: (item) => {
      if (freePlaces() > 0) return tries.start(item);
      mayBeMore = true;
      return undefined;
    },
    close: async () => {
      isClosed = true;
      await polling.stop();
      await look().catch(() => undefined);
      await tries.end(options.closeMs);
      await outcomes.storeAgain().catch(onFailure);
    },
  };
};

/** Notices leases that failed: for `holdOffMs` after each, `isOn` answers true. */
const createHoldOff = ({
  holdOffMs = 0,
  now = () => performance.now(),
}: Pick<LeasedQueueOptions<never, never>, 'holdOffMs' | 'now'>) => {
  let until = 0;
  return {
    isOn: () => now() < until,
    after: async <T>(leasing: Promise<T>): Promise<T> => {
      try {
        return await leasing;
      } catch (error) {
        until = now() + holdOffMs;
        throw error;
      }
    },
  };
};

/**
 * Makes a look: it leases until `lease` answers false. Looks do not overlap, or two would lease more than there is
 * room for. A call during a look is answered by that look, which leases once more for it.
 */
const createLook = (lease: () => Promise<boolean>): (() => Promise<void>) => {
  let looking: Promise<void> | undefined;
  let isWanted = false;
  const run = async () => {
    try {
      while (isWanted) {
        isWanted = false;
        if (await lease()) isWanted = true;
      }
    } finally {
      looking = undefined;
    }
  };
  return () => {
    isWanted = true;
    looking ??= run();
    return looking;
  };
};
