import type { Logger } from '../logger.ts';
import type { Outcomes } from './outcomes.ts';

export interface TryOptions<Item extends { id: string }, Outcome> {
  /** What the log calls an item. */
  noun: string;
  /** Tries an item without storing anything; `signal` aborts when the queue closes and the try takes too long. */
  attempt(item: Item, signal: AbortSignal): Promise<Outcome>;
  /** Stores what a try came to: deletes the item, or stores when it is due again. */
  settle(item: Item, outcome: Outcome): Promise<void>;
  /** Gives an item back whose try was cut short; without it other processes wait for the end of its lease. */
  release?(item: Item): Promise<void>;
  logger: Logger;
}

/** Tries that this process has under way. */
export interface Tries<Item> {
  items(): Item[];
  /** Tries an item and settles it; never throws. */
  start(item: Item): Promise<void>;
  /** Waits for all of them, and cuts short those that take longer than `closeMs`. */
  end(closeMs: number): Promise<void>;
}

/** Resolves to undefined when the signal aborts; `forget` lets go of the signal. */
const abortOf = (signal: AbortSignal): { promise: Promise<undefined>; forget(): void } => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onAbort = () => resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  return { promise, forget: () => signal.removeEventListener('abort', onAbort) };
};

export const createTries = <Item extends { id: string }, Outcome>(
  { noun, attempt, settle, release, logger }: TryOptions<Item, Outcome>,
  { outcomes, onEnd }: { outcomes: Outcomes; onEnd: () => void },
): Tries<Item> => {
  const closing = new AbortController();
  const { signal } = closing;
  const running = new Map<Promise<void>, Item>();

  const tryOnce = async (item: Item): Promise<void> => {
    const abort = abortOf(signal);
    const tried = attempt(item, signal).then((outcome) => ({ outcome }));
    const result = await Promise.race([abort.promise, tried]).finally(abort.forget);
    if (result) return outcomes.store(item.id, () => settle(item, result.outcome));
    tried.catch(() => undefined);
    await release?.(item);
  };

  return {
    items: () => [...running.values()],
    start: (item) => {
      const one = tryOnce(item)
        .catch((err: unknown) =>
          logger.warn({ err, [`${noun}Id`]: item.id }, `a ${noun} could not be settled`),
        )
        .finally(() => {
          running.delete(one);
          onEnd();
        });
      running.set(one, item);
      return one;
    },
    end: async (closeMs) => {
      const late = setTimeout(() => closing.abort(), closeMs);
      await Promise.all(running.keys());
      clearTimeout(late);
    },
  };
};
