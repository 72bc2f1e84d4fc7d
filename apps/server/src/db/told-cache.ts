import type { ChangeFeed, WatchedTable } from './change-feed.ts';

/** What a process may still believe while it does not hear of changes. */
const UNTOLD_MS = 800;
const CACHE_SIZE = 5_000;

export interface ToldCacheOptions<Value> {
  table: WatchedTable;
  /** Tells what changed, in whichever process; without it everything is read anew after 0.8 s. */
  changes: Pick<ChangeFeed, 'on' | 'isLive'> | undefined;
  load(key: string): Promise<Value>;
  /** The key under which a changed row is kept; the row's own unless told. */
  keyOf?(changed: string): string;
}

export interface ToldCache<Value> {
  /** Parallel ones share one reading; one that fails is not kept. */
  get(key: string): Promise<Value>;
  forget(key: string): void;
}

/** Keeps what is read of a table until a change of it is told. */
export const createToldCache = <Value>({
  table,
  changes,
  load,
  keyOf = (changed) => changed,
}: ToldCacheOptions<Value>): ToldCache<Value> => {
  const readings = new Map<string, { readAt: number; value: Promise<Value> }>();
  changes?.on(table, (changed) =>
    changed === undefined ? readings.clear() : readings.delete(keyOf(changed)),
  );
  return {
    get: (key) => {
      const now = Date.now();
      const known = readings.get(key);
      // A clock that is set back must not keep anything for longer.
      const isRecent = known && Math.abs(now - known.readAt) < UNTOLD_MS;
      if (known && (changes?.isLive() || isRecent)) return known.value;
      if (readings.size >= CACHE_SIZE) readings.clear();
      const reading = { readAt: now, value: load(key) };
      readings.set(key, reading);
      reading.value.catch(() => {
        // A newer one may have taken its place.
        if (readings.get(key) === reading) readings.delete(key);
      });
      return reading.value;
    },
    forget: (key) => void readings.delete(key),
  };
};
