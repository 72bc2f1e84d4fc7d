import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { currentLane } from './lane.ts';
import { noteOutage, OutageError, outageMet } from './outage.ts';
import type { PostgresClient } from './postgres-client.ts';

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

interface Waiter {
  reserved: boolean;
  /** The order of arrival. */
  turn: number;
  resolve(client: Taken): void;
  reject(error: unknown): void;
  late: NodeJS.Timeout | undefined;
}

/** SQLSTATE too_many_connections. */
const TOO_MANY = '53300';
/** After the server refused a connection, it is not asked for another one for so long. */
const CROWDED_MS = 1_000;
/** A connection that is closed has so long to say goodbye. */
const GOODBYE_MS = 1_000;

/**
 * The connections of one process. No more than `max` are open, those included that are being closed. Statements
 * wait in turn, and not for ever. Where a server takes fewer connections than `max`, those that it took serve all
 * statements. pg's own pool has one queue without a bound, opens one connection too many while it closes another,
 * and fails where the server refuses a connection although it has others.
 */
export const createPostgresPool = (options: PoolOptions): PostgresPool => {
  const { max, reserved, create, onError, waitMs = 4_000, maxWaiting = 500, idleMs = 10_000 } = options;
  /** Connections that nobody uses, since a time by `performance.now()`. The one used last is taken first. */
  const idle: { client: PostgresClient; since: number }[] = [];
  const waiting: { usual: Waiter[]; reserved: Waiter[] } = { usual: [], reserved: [] };
  /** Outside of any request: a connection outlives the request that it is opened for. */
  const apart = AsyncLocalStorage.snapshot();
  let turns = 0;
  let open = 0;
  let opening = 0;
  let connected = 0;
  let usual = 0;
  let crowdedUntil = 0;
  let silentSince = 0;
  let ended: PromiseWithResolvers<void> | undefined;

  const queueOf = (isReserved: boolean) => (isReserved ? waiting.reserved : waiting.usual);

  /** The first that waits in a lane that may have a connection now. */
  const next = (): Waiter | undefined => {
    const [first] = waiting.reserved;
    const other = usual < max - reserved ? waiting.usual[0] : undefined;
    return first && (!other || first.turn < other.turn) ? first : other;
  };

  const leave = (waiter: Waiter) => {
    clearTimeout(waiter.late);
    const queue = queueOf(waiter.reserved);
    const index = queue.indexOf(waiter);
    if (index >= 0) queue.splice(index, 1);
  };

  /** Ends a connection whose server may not answer any more. */
  const close = async (client: PostgresClient) => {
    if (client.isSpent) return client.abandon();
    const closing = new AbortController();
    const late = wait(GOODBYE_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    await Promise.race([client.end().catch(() => undefined), late]);
    closing.abort();
    client.abandon();
  };

  const takeIdle = (): PostgresClient | undefined => {
    for (let found = idle.pop(); found; found = idle.pop()) {
      // Other connections that were not heard since may be silent too.
      if (!found.client.isSpent && found.client.heardAt >= silentSince) return found.client;
      found.client.abandon();
    }
    return undefined;
  };

  const drop = (client: PostgresClient) => {
    const index = idle.findIndex((one) => one.client === client);
    if (index >= 0) idle.splice(index, 1);
  };

  const closeIdle = () => {
    const expired = performance.now() - idleMs;
    while (idle[0] && idle[0].since <= expired) void close(idle.shift()?.client as PostgresClient);
  };
  const idling = setInterval(closeIdle, idleMs / 2).unref();

  const giveBack = (client: PostgresClient, destroy: boolean) => {
    const isUsable = !destroy && !client.isSpent && !ended && client.getTransactionStatus() === 'I';
    if (!isUsable) return void close(client);
    idle.push({ client, since: performance.now() });
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

  const openOne = async () => {
    open += 1;
    opening += 1;
    let isConnected = false;
    const client = create((since) => {
      silentSince = Math.max(silentSince, since);
    });
    client.on('error', (error) => {
      if (!client.isSpent) onError(error);
      client.isSpent = true;
      drop(client);
    });
    client.once('end', () => {
      client.isSpent = true;
      drop(client);
      open -= 1;
      if (isConnected) connected -= 1;
      if (ended && open === 0) ended.resolve();
      proceed();
    });
    try {
      await client.connect();
      client.heardAt = performance.now();
      isConnected = true;
      connected += 1;
      opening -= 1;
      giveBack(client, false);
    } catch (error) {
      opening -= 1;
      client.abandon();
      // Statements that wait get the open connections in turn.
      if ((error as { code?: string }).code === TOO_MANY && connected > 0) {
        crowdedUntil = performance.now() + CROWDED_MS;
        return;
      }
      const waiter = next();
      if (waiter) {
        leave(waiter);
        waiter.reject(error);
      }
    }
    proceed();
  };

  const proceed = () => {
    for (let waiter = next(); waiter; waiter = next()) {
      const client = takeIdle();
      if (!client) break;
      leave(waiter);
      waiter.resolve(hand(client, waiter.reserved));
    }
    const wanted = waiting.reserved.length + Math.min(waiting.usual.length, max - reserved - usual);
    const isCrowded = performance.now() < crowdedUntil;
    for (let more = wanted - opening; more > 0 && open < max && !isCrowded && !ended; more -= 1)
      void apart(openOne);
  };

  /** A connection that nobody uses, where nobody waits for it. */
  const takeAtOnce = (isReserved: boolean): Taken | undefined => {
    if (!isReserved && usual >= max - reserved) return undefined;
    if (next()) return undefined;
    const client = takeIdle();
    return client && hand(client, isReserved);
  };

  const queueUp = (isReserved: boolean) =>
    new Promise<Taken>((resolve, reject) => {
      const queue = queueOf(isReserved);
      // Each lane is counted by itself: a crowd that signs in does not keep apps from their tokens.
      if (queue.length >= maxWaiting) return reject(new OutageError('too many wait for the database'));
      const waiter: Waiter = { reserved: isReserved, turn: turns++, resolve, reject, late: undefined };
      waiter.late = setTimeout(() => {
        leave(waiter);
        reject(new OutageError(`no connection to the database within ${waitMs} ms`));
      }, waitMs);
      queue.push(waiter);
      proceed();
    });

  const take = (): Taken | Promise<Taken> => {
    const met = outageMet();
    if (met) throw met;
    if (ended) throw new OutageError('the database is closed');
    const isReserved = currentLane() === 'reserved';
    return takeAtOnce(isReserved) ?? queueUp(isReserved);
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
      ended ??= Promise.withResolvers();
      clearInterval(idling);
      if (open === 0) ended.resolve();
      for (let client = takeIdle(); client; client = takeIdle()) void close(client);
      await ended.promise;
    },
  };
};
