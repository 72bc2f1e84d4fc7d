import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseHosts, HostConnection } from './database-hosts.ts';
import type { IdleConnections } from './idle-connections.ts';
import type { PostgresClient } from './postgres-client.ts';

/** SQLSTATE too_many_connections. */
const TOO_MANY = '53300';
/** After the server refused a connection, it is not asked for another one for so long. */
const CROWDED_MS = 1_000;

export interface ConnectionOptions {
  hosts: DatabaseHosts;
  /** How many connections may be open. */
  max: number;
  /**
   * Makes a connection that is not connected yet.
   * @param onSilence is called when a statement of the time `since`, by `performance.now()`, got no answer: other
   *   connections that were not heard since then are of no use
   */
  create(onSilence: (since: number) => void, host: HostConnection): PostgresClient;
  /** Is called with the error of a connection that was lost while nothing ran on it. */
  onError(error: Error): void;
}

interface Opening {
  idle: IdleConnections;
  onOpen(client: PostgresClient): void;
  /** Is called with the error of a connection that could not be opened, where others cannot serve instead. */
  onFailure(error: unknown): void;
  /** Is called when a connection was opened, could not be opened, or was closed. */
  onChange(): void;
}

/** Makes a connection that is not connected yet. Once it is lost or closed, no statement gets it any more. */
const createConnection = (
  { create, onError }: ConnectionOptions,
  idle: IdleConnections,
  host: HostConnection,
  onEnd: () => void,
): PostgresClient => {
  const client = create(idle.noteSilence, host);
  client.on('error', (error) => {
    if (!client.isSpent) onError(error);
    client.isSpent = true;
    idle.drop(client);
  });
  client.once('end', () => {
    client.isSpent = true;
    idle.drop(client);
    onEnd();
  });
  return client;
};

const isTooMany = (error: unknown) => (error as { code?: string }).code === TOO_MANY;

/** Opens connections, and counts those that are open. */
export const createConnectionOpener = (options: ConnectionOptions, opening: Opening) => {
  const { hosts, max } = options;
  const { idle, onOpen, onFailure, onChange } = opening;
  /** Outside of any request: a connection outlives the request that it is opened for. */
  const apart = AsyncLocalStorage.snapshot();
  const closed = Promise.withResolvers<void>();
  let isEnding = false;
  /** Connections that are being opened, are connected, or are being closed. */
  let open = 0;
  let underWay = 0;
  let connected = 0;
  let crowdedUntil = 0;

  const connectTo = async (host: HostConnection): Promise<PostgresClient> => {
    open += 1;
    let isConnected = false;
    const client = createConnection(options, idle, host, () => {
      open -= 1;
      if (isConnected) connected -= 1;
      if (isEnding && open === 0) closed.resolve();
      onChange();
    });
    await client.connect().catch((error: unknown) => {
      client.abandon();
      throw error;
    });
    client.heardAt = performance.now();
    isConnected = true;
    connected += 1;
    return client;
  };

  const openOne = async () => {
    underWay += 1;
    try {
      const client = await hosts.connect(connectTo, (refused) => refused.abandon());
      underWay -= 1;
      onOpen(client);
    } catch (error) {
      underWay -= 1;
      // Statements that wait get the open connections in turn.
      if (isTooMany(error) && connected > 0) {
        crowdedUntil = performance.now() + CROWDED_MS;
        return;
      }
      onFailure(error);
    }
    onChange();
  };

  return {
    /** Opens connections until as many as wanted are under way, as far as they may be opened. */
    open: (wanted: number): void => {
      if (performance.now() < crowdedUntil) return;
      for (let more = wanted - underWay; more > 0 && open < max; more -= 1) void apart(openOne);
    },
    /** Connections that are being opened, are connected, or are being closed. */
    count: () => open,
    /** Resolves when no connection is open. */
    untilClosed: (): Promise<void> => {
      isEnding = true;
      if (open === 0) closed.resolve();
      return closed.promise;
    },
  };
};
