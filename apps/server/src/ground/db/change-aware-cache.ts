import type { ChangeFeed, WatchedTable } from './change-feed.ts';

/** For how long a process trusts what it read while it does not hear of changes. */
const UNTOLD_MS = 800;
const CACHE_SIZE = 5_000;

export interface ChangeAwareCacheOptions<Value> {
  table: WatchedTable;
  /** Reports changes of all processes. Without it every row is read anew after 0.8 s. */
  changes: Pick<ChangeFeed, 'on' | 'isLive'> | undefined;
  load(key: string): Promise<Value>;
  /** The key under which a changed row is kept; the row's own key by default. */
  keyOf?(changed: string): string;
}

export interface ChangeAwareCache<Value> {
  /** Reads a row, or answers what was read. Parallel calls share one reading; a reading that fails is not kept. */
  get(key: string): Promise<Value>;
  forget(key: string): void;
}

/** Keeps the rows that were read of a table until the change feed reports a change of them. */
export const createChangeAwareCache = <Value>({
  table,
  changes,
  load,
  keyOf = (changed) => changed,
}: ChangeAwareCacheOptions<Value>): ChangeAwareCache<Value> => {
  const readings = new Map<string, { readAt: number; value: Promise<Value> }>();
  changes?.on(table, (changed) =>
    changed === undefined ? readings.clear() : readings.delete(keyOf(changed)),
  );
  return {
    get: (key) => {
      const now = performance.now();
      const known = readings.get(key);
      const isRecent = known && now - known.readAt < UNTOLD_MS;
      if (known && (changes?.isLive() || isRecent)) return known.value;
      if (readings.size >= CACHE_SIZE) readings.clear();
      const reading = { readAt: now, value: load(key) };
      readings.set(key, reading);
      reading.value.catch(() => {
        // A newer reading may have taken its place.
        if (readings.get(key) === reading) readings.delete(key);
      });
      return reading.value;
    },
    forget: (key) => void readings.delete(key),
  };
};
