/** Keys of limits that are known to be spent: what is refused for one costs no statement until its window ends. */
export interface SpentKeys {
  /** Seconds until it may be asked for again; undefined where nothing is known against it. */
  secondsLeft(key: string): number | undefined;
  add(key: string, seconds: number): void;
}

/** @param size with so many keys the oldest is forgotten: it costs a statement again. */
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
