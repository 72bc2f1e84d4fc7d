import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { createDatabaseHosts, type HostConnection } from './database-hosts.ts';

interface Listener {
  onMessage(payload: string): void;
  /** Is called with false when messages may be missed from now on, and with true when none is missed any more. */
  onLive(live: boolean): void;
  /** Is called with the time, by `performance.now()`, at which a message was sent that has just been heard. */
  onHeard?(sentAt: number): void;
  /** Is called when the connection stands and nothing that is sent arrives: a pooler is in between. */
  onDeaf?(): void;
}

interface Listening {
  close(): Promise<void>;
}

export type Listen = (channel: string, listener: Listener) => Promise<Listening>;

/** Sends a message by another connection than the one that listens. */
export type Notify = (channel: string, payload: string) => Promise<unknown>;

const RETRY_MS = 500;
/** How often a listener is sent a message of its own, and how old the last one that it heard may be. */
const BEAT_MS = 300;
const STALE_MS = 800;
/** A connection that hears nothing for so long is made anew. */
const DEAF_MS = 2_000;
const ANSWER_MS = 3_000;
const LEAVE_MS = 1_000;
const BEAT = 'beat:';

interface Attendance extends Listener {
  notify(payload: string): Promise<unknown>;
  signal: AbortSignal;
}

/**
 * Listens until the connection is gone or hears nothing. Behind a pooler in transaction mode LISTEN succeeds and no
 * message arrives. So the test messages go by another connection: one sent by the listening connection itself would
 * come back even there.
 */
const attend = async (client: pg.Client, attendance: Attendance): Promise<void> => {
  const { notify, onMessage, onLive, onHeard, onDeaf, signal } = attendance;
  // A signal that was aborted while the connection was made tells nobody who begins to listen to it now.
  if (signal.aborted) return;
  const own = `${BEAT}${randomUUID()}:`;
  const openedAt = performance.now();
  const gone = Promise.withResolvers<void>();
  let heard: number | undefined;
  let sent = false;
  let sending = false;
  let live = false;

  const check = () => {
    const now = performance.now();
    const wasLive = live;
    live = heard !== undefined && now - heard <= STALE_MS;
    if (live !== wasLive) onLive(live);
    if (now - (heard ?? openedAt) <= DEAF_MS) return;
    if (heard === undefined && sent) onDeaf?.();
    gone.resolve();
  };
  const beat = async () => {
    // Messages that arrived while the process was busy are heard first.
    setImmediate(check);
    if (sending) return;
    sending = true;
    sent = await notify(`${own}${performance.now()}`).then(
      () => true,
      () => sent,
    );
    sending = false;
  };
  client.on('notification', ({ payload = '' }) => {
    if (!payload.startsWith(BEAT)) return onMessage(payload);
    if (!payload.startsWith(own)) return;
    heard = Number(payload.slice(own.length));
    onHeard?.(heard);
    check();
  });
  client.once('end', gone.resolve);
  client.on('error', () => gone.resolve());
  signal.addEventListener('abort', () => gone.resolve(), { once: true });
  const beating = setInterval(beat, BEAT_MS);
  void beat();
  await gone.promise;
  clearInterval(beating);
  client.removeAllListeners('notification');
  if (live) onLive(false);
};

/** Ends a connection whose server may not answer any more. */
const leave = async (client: pg.Client): Promise<void> => {
  const waiting = new AbortController();
  const given = wait(LEAVE_MS, undefined, waiting).catch(() => undefined);
  await Promise.race([client.end().catch(() => undefined), given]);
  waiting.abort();
  client.connection.stream.destroy();
};

const connectTo = async (host: HostConnection): Promise<pg.Client> => {
  const client = new pg.Client({ ...host, keepAlive: true, query_timeout: ANSWER_MS });
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    client.connection.stream.destroy();
    throw error;
  });
  return client;
};

/** LISTEN on a connection of its own, which is made anew whenever it is lost or nothing is heard on it. */
export const listenOnPostgres =
  (databaseUrl: string, notify: Notify): Listen =>
  async (channel, listener) => {
    const hosts = createDatabaseHosts(databaseUrl);
    const closing = new AbortController();
    const { signal } = closing;
    const attendance = { ...listener, signal, notify: (payload: string) => notify(channel, payload) };

    const serve = async () => {
      while (!signal.aborted) {
        try {
          const client = await hosts.connect(connectTo, leave);
          await client
            .query(`listen ${pg.escapeIdentifier(channel)}`)
            .then(() => attend(client, attendance))
            .finally(() => leave(client));
        } catch {
          // The next round connects again.
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

/** Listens to the embedded database, in the one process that has it open. */
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

/** For engines without LISTEN: caches are read anew on a clock. */
export const hearNothing: Listen = async () => ({ close: async () => undefined });
