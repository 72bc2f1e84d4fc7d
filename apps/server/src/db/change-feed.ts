import type { Logger } from '../logger.ts';
import type { Connection } from './connect.ts';

/** Tables whose changes are told (migrations 0009, 0010 and 0013). */
export type WatchedTable = 'backchannel_logout' | 'client' | 'resource_server' | 'signing_key';

/** Hears of a changed row by its key, or with undefined that any may have changed. */
type ChangeListener = (key: string | undefined) => void;

export interface ChangeFeed {
  on(table: WatchedTable, listener: ChangeListener): void;
  /** Whether changes are being heard of; where not, what is cached is not to be trusted for long. */
  isLive(): boolean;
  close(): Promise<void>;
}

const CHANNEL = 'candela_changes';

/** What changes in any process, told in each: a fraction of a second after the commit. */
export const createChangeFeed = async (
  connection: Connection,
  logger: Pick<Logger, 'warn'>,
): Promise<ChangeFeed> => {
  const listeners: { table: WatchedTable; listener: ChangeListener }[] = [];
  let live = false;
  let deaf = false;
  const listening = await connection.listen(CHANNEL, {
    onMessage: (payload) => {
      const [name, key] = payload.split(/:(.*)/s);
      for (const { table, listener } of listeners) if (table === name) listener(key);
    },
    onLive: (now) => {
      // What happened meanwhile was not told.
      if (now && !live) for (const { listener } of listeners) listener(undefined);
      live = now;
    },
    onDeaf: () => {
      if (!deaf) logger.warn('changes are not heard: DATABASE_DIRECT_URL must lead past the pooler');
      deaf = true;
    },
  });
  return {
    on: (table, listener) => void listeners.push({ table, listener }),
    isLive: () => live,
    close: () => listening.close(),
  };
};
