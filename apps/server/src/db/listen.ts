import { setTimeout as wait } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

interface Listener {
  onMessage(payload: string): void;
  /** False from when messages may be missed until true is told. */
  onLive(live: boolean): void;
}

interface Listening {
  close(): Promise<void>;
}

export type Listen = (channel: string, listener: Listener) => Promise<Listening>;

const RETRY_MS = 500;
/** A connection that is gone without a word is found out by asking. */
const HEARTBEAT_MS = 5_000;
const HEARTBEAT_TIMEOUT_MS = 3_000;

/** Resolves when the connection is gone. */
const stay = async (client: pg.Client, signal: AbortSignal): Promise<void> => {
  const gone = Promise.withResolvers<void>();
  client.once('end', gone.resolve);
  client.on('error', () => gone.resolve());
  const ask: pg.QueryConfig & { query_timeout: number } = {
    text: 'select 1',
    query_timeout: HEARTBEAT_TIMEOUT_MS,
  };
  const beating = setInterval(() => client.query(ask).catch(() => gone.resolve()), HEARTBEAT_MS);
  signal.addEventListener('abort', () => gone.resolve(), { once: true });
  await gone.promise;
  clearInterval(beating);
};

/** LISTEN on a connection of its own, which is made anew whenever it is lost. */
export const listenOnPostgres =
  (connectionString: string): Listen =>
  async (channel, { onMessage, onLive }) => {
    const closing = new AbortController();
    const { signal } = closing;

    const open = async (): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5_000 });
      client.on('error', () => undefined);
      client.on('notification', ({ payload }) => onMessage(payload ?? ''));
      try {
        await client.connect();
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
        return client;
      } catch (error) {
        await client.end().catch(() => undefined);
        throw error;
      }
    };

    const serve = async () => {
      while (!signal.aborted) {
        const client = await open().catch(() => undefined);
        if (client) {
          onLive(true);
          await stay(client, signal);
          onLive(false);
          await client.end().catch(() => undefined);
        }
        await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    };

    const serving = serve();
    return {
      close: async () => {
        closing.abort();
        await serving;
      },
    };
  };

/** The embedded database has one process, and tells it itself. */
export const listenOnPglite =
  (pglite: PGlite): Listen =>
  async (channel, { onMessage, onLive }) => {
    const unlisten = await pglite.listen(channel, onMessage);
    onLive(true);
    return {
      close: async () => {
        if (!pglite.closed) await unlisten();
      },
    };
  };
