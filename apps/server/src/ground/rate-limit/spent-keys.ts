/** Keys of limits that are known to be spent: until its window ends, a key is refused without a statement. */
export interface SpentKeys {
  /** Seconds until the window of a spent key ends; undefined for a key that is not known to be spent. */
  secondsLeft(key: string): number | undefined;
  add(key: string, seconds: number): void;
}

/** @param size the most keys that are kept: one more makes the oldest be forgotten, which costs a statement again. */
export const createSpentKeys = (size = 10_000): SpentKeys => {
  const ends = new Map<string, number>();
  return {
    secondsLeft: (key) => {
      const end = ends.get(key);
      if (end === undefined) return undefined;
      const seconds = Math.ceil((end - performance.now()) / 1000);
      if (seconds > 0) return seconds;
      ends.delete(key);
      return undefined;
    },
    add: (key, seconds) => {
      ends.delete(key);
      ends.set(key, performance.now() + seconds * 1000);
      const [oldest] = ends.keys();
      if (ends.size > size && oldest !== undefined) ends.delete(oldest);
    },
  };
};
