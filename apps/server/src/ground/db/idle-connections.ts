import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresClient } from './postgres-client.ts';

/** A connection that is closed has so long to say goodbye. */
const GOODBYE_MS = 1_000;

/** Ends a connection whose server may not answer any more. */
export const closeConnection = async (client: PostgresClient): Promise<void> => {
  if (client.isSpent) return client.abandon();
  const closing = new AbortController();
  const late = wait(GOODBYE_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
  await Promise.race([client.end().catch(() => undefined), late]);
  closing.abort();
  client.abandon();
};

/** The open connections that nobody uses. */
export interface IdleConnections {
  add(client: PostgresClient): void;
  /** Takes the connection that was used last; connections that may be silent are abandoned. */
  take(): PostgresClient | undefined;
  drop(client: PostgresClient): void;
  count(): number;
  /** Notes that a statement of the time `since` got no answer: connections not heard since then may be silent too. */
  noteSilence(since: number): void;
  /** Closes all, and stops closing those that are idle for long. */
  end(): void;
}

export const createIdleConnections = (idleMs: number): IdleConnections => {
  /** Connections and since when they are idle, by `performance.now()`. The one used last stands last. */
  const idle: { client: PostgresClient; since: number }[] = [];
  let silentSince = 0;

  const take = (): PostgresClient | undefined => {
    for (let found = idle.pop(); found; found = idle.pop()) {
      if (!found.client.isSpent && found.client.heardAt >= silentSince) return found.client;
      found.client.abandon();
    }
    return undefined;
  };
  const closeExpired = () => {
    const expired = performance.now() - idleMs;
    while (idle[0] && idle[0].since <= expired) {
      void closeConnection(idle[0].client);
      idle.shift();
    }
  };
  const closing = setInterval(closeExpired, idleMs / 2).unref();

  return {
    add: (client) => void idle.push({ client, since: performance.now() }),
    take,
    drop: (client) => {
      const index = idle.findIndex((one) => one.client === client);
      if (index >= 0) idle.splice(index, 1);
    },
    count: () => idle.length,
    noteSilence: (since) => {
      silentSince = Math.max(silentSince, since);
    },
    end: () => {
      clearInterval(closing);
      for (let client = take(); client; client = take()) void closeConnection(client);
    },
  };
};
