import type { Logger } from '../logger.ts';
import type { Connection } from './connect.ts';

/** Tables whose changes every process hears of (migrations 0009, 0010, 0013, 0041 and 0055). */
export type WatchedTable =
  | 'backchannel_logout'
  | 'brand_words'
  | 'client'
  | 'resource_server'
  | 'signal'
  | 'signing_key';

/** Is called with the key of a changed row, or with undefined when any row may have changed. */
type ChangeListener = (key: string | undefined) => void;

export interface ChangeFeed {
  on(table: WatchedTable, listener: ChangeListener): void;
  /** Whether this process hears of changes now; while it does not, it trusts a cache for a moment only. */
  isLive(): boolean;
  /**
   * How old the last change is that this process has surely heard, in seconds: it sends itself messages for that.
   * Undefined where it heard none yet, and for the embedded database, which has one process.
   */
  heardAgeSeconds(): number | undefined;
  close(): Promise<void>;
}

const CHANNEL = 'candela_changes';

/** Tells each process of the changes of all, a fraction of a second after their commit. */
export const createChangeFeed = async (
  connection: Connection,
  logger: Pick<Logger, 'warn'>,
): Promise<ChangeFeed> => {
  const listeners: { table: WatchedTable; listener: ChangeListener }[] = [];
  let live = false;
  let deaf = false;
  let heard: number | undefined;
  const listening = await connection.listen(CHANNEL, {
    onMessage: (payload) => {
      const [name, key] = payload.split(/:(.*)/s);
      for (const { table, listener } of listeners) if (table === name) listener(key);
    },
    onLive: (now) => {
      // Changes may have been missed meanwhile.
      if (now && !live) for (const { listener } of listeners) listener(undefined);
      live = now;
    },
    onHeard: (sentAt) => {
      heard = sentAt;
    },
    onDeaf: () => {
      if (!deaf) logger.warn('changes are not heard: DATABASE_DIRECT_URL must lead past the pooler');
      deaf = true;
    },
  });
  return {
    on: (table, listener) => void listeners.push({ table, listener }),
    isLive: () => live,
    heardAgeSeconds: () => (heard === undefined ? undefined : (performance.now() - heard) / 1_000),
    close: () => listening.close(),
  };
};
