import { AsyncLocalStorage } from 'node:async_hooks';
import { closeConnection, createIdleConnections, type IdleConnections } from './idle-connections.ts';
import { currentLane } from './lane.ts';
import { noteOutage, OutageError, outageMet } from './outage.ts';
import type { PostgresClient } from './postgres-client.ts';
import { createWaitingLine } from './waiting-line.ts';

export interface PoolOptions {
  max: number;
  /** How many of the connections only the lane `reserved` takes. */
  reserved: number;
  /**
   * Makes a connection that is not connected yet.
   * @param onSilence is called when a statement of the time `since`, by `performance.now()`, got no answer
   */
  create(onSilence: (since: number) => void): PostgresClient;
  /** Is called with the error of a connection that was lost while nothing ran on it. */
  onError(error: Error): void;
  /** For how long a statement waits for a connection. */
  waitMs?: number;
  /** How many statements wait in each lane; the next one is refused at once. */
  maxWaiting?: number;
  /** After so long without use a connection is closed. */
  idleMs?: number;
}

/** A connection that nobody else uses until `release`. */
type Taken = PostgresClient & { release(destroy?: boolean): void };

export interface PostgresPool {
  /** @throws the error of connecting, or OutageError where too many wait or no connection was free in time */
  connect(): Promise<Taken>;
  /** Waits for connections in use to be given back, and closes all. */
  end(): Promise<void>;
  readonly options: object;
}

/** SQLSTATE too_many_connections. */
const TOO_MANY = '53300';
/** After the server refused a connection, it is not asked for another one for so long. */
const CROWDED_MS = 1_000;
/**
 * The connections of one process. No more than `max` are open, those included that are being closed. Statements
 * wait in turn, and not for ever. Where a server takes fewer connections than `max`, those that it took serve all
 * statements. pg's own pool has one queue without a bound, opens one connection too many while it closes another,
 * and fails where the server refuses a connection although it has others.
 */
export const createPostgresPool = (options: PoolOptions): PostgresPool => {
  const { max, reserved, waitMs = 4_000, maxWaiting = 500, idleMs = 10_000 } = options;
  const idle = createIdleConnections(idleMs);
  const waiting = createWaitingLine<Taken>({ waitMs, maxWaiting });
  /** How many connections statements of the usual lane have. */
  let usual = 0;
  let isEnded = false;
  const mayBeUsual = () => usual < max - reserved;

  const giveBack = (client: PostgresClient, destroy: boolean) => {
    const isUsable = !destroy && !client.isSpent && !isEnded && client.getTransactionStatus() === 'I';
    if (isUsable) idle.add(client);
    else void closeConnection(client);
  };

  const hand = (client: PostgresClient, isReserved: boolean): Taken => {
    if (!isReserved) usual += 1;
    let isReleased = false;
    const release = (destroy = false) => {
      if (isReleased) return;
      isReleased = true;
      if (!isReserved) usual -= 1;
      giveBack(client, destroy);
      proceed();
    };
    return Object.assign(client, { release });
  };

  const opener = createOpener(options, {
    idle,
    onOpen: (client) => giveBack(client, false),
    onFailure: (error) => waiting.takeFirst(mayBeUsual())?.reject(error),
    onChange: () => proceed(),
  });

  const proceed = () => {
    while (waiting.first(mayBeUsual())) {
      const client = idle.take();
      if (!client) break;
      const waiter = waiting.takeFirst(mayBeUsual());
      waiter?.resolve(hand(client, waiter.isReserved));
    }
    if (!isEnded) opener.open(waiting.count(true) + Math.min(waiting.count(false), max - reserved - usual));
  };

  /** A connection that nobody uses, where nobody waits for it. */
  const takeAtOnce = (isReserved: boolean): Taken | undefined => {
    if (!isReserved && !mayBeUsual()) return undefined;
    if (waiting.first(mayBeUsual())) return undefined;
    const client = idle.take();
    return client && hand(client, isReserved);
  };

  const take = (): Taken | Promise<Taken> => {
    const met = outageMet();
    if (met) throw met;
    if (isEnded) throw new OutageError('the database is closed');
    const isReserved = currentLane() === 'reserved';
    const taken = takeAtOnce(isReserved);
    if (taken) return taken;
    return new Promise<Taken>((resolve, reject) => {
      waiting.add({ isReserved, resolve, reject });
      proceed();
    });
  };

  return {
    options: {},
    connect: async () => {
      try {
        return await take();
      } catch (error) {
        noteOutage(error);
        throw error;
      }
    },
    end: async () => {
      isEnded = true;
      idle.end();
      await opener.untilClosed();
    },
  };
};

interface Opening {
  idle: IdleConnections;
  onOpen(client: PostgresClient): void;
  /** Is called with the error of a connection that could not be opened, where others cannot serve instead. */
  onFailure(error: unknown): void;
  /** Is called when a connection was opened, could not be opened, or was closed. */
  onChange(): void;
}

/** Opens connections, and counts those that are open. */
const createOpener = ({ max, create, onError }: PoolOptions, opening: Opening) => {
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

  const createOne = (): { client: PostgresClient; connect(): Promise<void> } => {
    let isConnected = false;
    const client = create(idle.noteSilence);
    client.on('error', (error) => {
      if (!client.isSpent) onError(error);
      client.isSpent = true;
      idle.drop(client);
    });
    client.once('end', () => {
      client.isSpent = true;
      idle.drop(client);
      open -= 1;
      if (isConnected) connected -= 1;
      if (isEnding && open === 0) closed.resolve();
      onChange();
    });
    const connect = async () => {
      await client.connect();
      client.heardAt = performance.now();
      isConnected = true;
      connected += 1;
    };
    return { client, connect };
  };

  const openOne = async () => {
    open += 1;
    underWay += 1;
    const { client, connect } = createOne();
    try {
      await connect();
      underWay -= 1;
      onOpen(client);
    } catch (error) {
      underWay -= 1;
      client.abandon();
      // Statements that wait get the open connections in turn.
      if ((error as { code?: string }).code === TOO_MANY && connected > 0) {
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
    /** Resolves when no connection is open. */
    untilClosed: (): Promise<void> => {
      isEnding = true;
      if (open === 0) closed.resolve();
      return closed.promise;
    },
  };
};
