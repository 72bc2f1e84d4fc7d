import { type ConnectionOptions, createConnectionOpener } from './connection-opener.ts';
import { closeConnection, createIdleConnections, type IdleConnections } from './idle-connections.ts';
import { currentLane } from './lane.ts';
import { noteOutage, OutageError, outageMet } from './outage.ts';
import type { PostgresClient } from './postgres-client.ts';
import { createWaitingLine, type WaitTotals } from './waiting-line.ts';
import { leftToBegin, tooSlow, whileWaiting } from './waiting-time.ts';

export interface PoolOptions extends ConnectionOptions {
  /** How many of the connections only the lane `reserved` takes. */
  reserved: number;
  /** For how long a statement waits for a connection. */
  waitMs?: number;
  /** How many statements wait in each lane; the next one is refused at once. */
  maxWaiting?: number;
  /** After so long without use a connection is closed. */
  idleMs?: number;
}

/** A connection that nobody else uses until `release`. */
type Taken = PostgresClient & { release(destroy?: boolean): void };

/** How statements of one lane fare. */
interface LaneCounts extends WaitTotals {
  lane: 'usual' | 'reserved';
  waiting: number;
}

/** The connections of a pool now, and what became of the statements that waited since the start of the process. */
export interface PoolCounts {
  max: number;
  open: number;
  idle: number;
  lanes: LaneCounts[];
}

export interface PostgresPool {
  /** @throws the error of connecting, or OutageError where too many wait or no connection was free in time */
  connect(): Promise<Taken>;
  /** Waits for connections in use to be given back, and closes all. */
  end(): Promise<void>;
  counts(): PoolCounts;
  readonly options: object;
}

interface Lending {
  max: number;
  reserved: number;
  idle: IdleConnections;
  /** Is called when a statement has given its connection back. */
  onReturn(): void;
}

/** Lends connections to statements, and counts those that statements of the usual lane have. */
const createLending = ({ max, reserved, idle, onReturn }: Lending) => {
  let usual = 0;
  let isEnded = false;

  const giveBack = (client: PostgresClient, destroy: boolean) => {
    const isUsable = !destroy && !client.isSpent && !isEnded && client.getTransactionStatus() === 'I';
    if (isUsable) idle.add(client);
    else void closeConnection(client);
  };

  const lend = (client: PostgresClient, isReserved: boolean): Taken => {
    if (!isReserved) usual += 1;
    let isReleased = false;
    const release = (destroy = false) => {
      if (isReleased) return;
      isReleased = true;
      if (!isReserved) usual -= 1;
      giveBack(client, destroy);
      onReturn();
    };
    return Object.assign(client, { release });
  };

  return {
    lend,
    /** Keeps a connection for the next statement, or closes it where it is of no more use. */
    giveBack,
    /** How many connections more the usual lane may have. */
    usualLeft: () => max - reserved - usual,
    isEnded: () => isEnded,
    /** From now on closes each connection that is given back. */
    end: () => {
      isEnded = true;
      idle.end();
    },
  };
};

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
  const lending = createLending({ max, reserved, idle, onReturn: () => proceed() });
  const mayBeUsual = () => lending.usualLeft() > 0;

  const opener = createConnectionOpener(options, {
    idle,
    onOpen: (client) => lending.giveBack(client, false),
    onFailure: (error) => waiting.takeFirst(mayBeUsual())?.reject(error),
    onChange: () => proceed(),
  });

  const proceed = () => {
    while (waiting.first(mayBeUsual())) {
      const client = idle.take();
      if (!client) break;
      const waiter = waiting.takeFirst(mayBeUsual());
      waiter?.resolve(lending.lend(client, waiter.isReserved));
    }
    if (lending.isEnded()) return;
    opener.open(waiting.count(true) + Math.min(waiting.count(false), lending.usualLeft()));
  };

  /** A connection that nobody uses, where nobody waits for it. */
  const takeAtOnce = (isReserved: boolean): Taken | undefined => {
    if (!isReserved && !mayBeUsual()) return undefined;
    if (waiting.first(mayBeUsual())) return undefined;
    const client = idle.take();
    return client && lending.lend(client, isReserved);
  };

  const take = (): Taken | Promise<Taken> => {
    const met = outageMet();
    if (met) throw met;
    if (lending.isEnded()) throw new OutageError('the database is closed');
    const isReserved = currentLane() === 'reserved';
    const patienceMs = leftToBegin();
    if (patienceMs <= 0) throw tooSlow();
    const taken = takeAtOnce(isReserved);
    if (taken) return taken;
    return new Promise<Taken>((resolve, reject) => {
      waiting.add({ isReserved, patienceMs, resolve, reject });
      proceed();
    });
  };

  return {
    options: {},
    connect: () =>
      whileWaiting(take).catch((error: unknown) => {
        noteOutage(error);
        throw error;
      }),
    counts: () => {
      const laneOf = (lane: LaneCounts['lane']): LaneCounts => {
        const isReserved = lane === 'reserved';
        return { lane, waiting: waiting.count(isReserved), ...waiting.totals(isReserved) };
      };
      return {
        max,
        open: opener.count(),
        idle: idle.count(),
        lanes: [laneOf('usual'), laneOf('reserved')],
      };
    },
    end: async () => {
      lending.end();
      await opener.untilClosed();
    },
  };
};
