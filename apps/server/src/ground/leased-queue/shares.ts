export interface SharesOptions<Item> {
  /** Whose the item is. */
  holderOf(item: Item): string;
  /** How many items of one holder are tried at a time, so that a slow one leaves room for the others. */
  perHolder: number;
  /** How long a holder is left alone after a try that failed, so that others get its places. */
  restMs: number;
  /** Milliseconds of a clock that nobody sets. */
  now?: (() => number) | undefined;
}

/** Keeps one holder of items from taking all places of a queue. */
export interface Shares<Item> {
  /** Leaves a holder alone for a while. */
  rest(holder: string): void;
  /** Holders that have enough tries under way, or rest. */
  toSpare(running: readonly Item[]): string[];
}

export const createShares = <Item>({
  holderOf,
  perHolder,
  restMs,
  now = () => performance.now(),
}: SharesOptions<Item>): Shares<Item> => {
  const untilByHolder = new Map<string, number>();
  const listResting = (): string[] => {
    for (const [holder, until] of untilByHolder) if (until <= now()) untilByHolder.delete(holder);
    return [...untilByHolder.keys()];
  };
  return {
    rest: (holder) => void untilByHolder.set(holder, now() + restMs),
    toSpare: (running) => {
      const busy = [...Map.groupBy(running, holderOf)]
        .filter(([, items]) => items.length >= perHolder)
        .map(([holder]) => holder);
      return [...new Set([...busy, ...listResting()])];
    },
  };
};
