import { OutageError } from './outage.ts';

/** A statement that waits for a connection. */
interface Waiter<Taken> {
  isReserved: boolean;
  /** For how long it waits at the most; by default as long as any. */
  patienceMs?: number;
  resolve(taken: Taken): void;
  reject(error: unknown): void;
}

interface Place<Taken> extends Waiter<Taken> {
  /** The order of arrival. */
  turn: number;
  late: NodeJS.Timeout;
  /** By `performance.now()`. */
  since: number;
}

/** The statements that wait for a connection, in two lanes. */
export interface WaitingLine<Taken> {
  /** Adds a statement, which is rejected with OutageError where too many wait in its lane or it waits for too long. */
  add(waiter: Waiter<Taken>): void;
  /** The first that waits: of both lanes, or of the reserved one alone. */
  first(mayBeUsual: boolean): Waiter<Taken> | undefined;
  /** Takes the first out of the line. */
  takeFirst(mayBeUsual: boolean): Waiter<Taken> | undefined;
  /** How many wait in a lane. */
  count(isReserved: boolean): number;
  /** What came of all that waited in a lane since the start of the process. */
  totals(isReserved: boolean): Readonly<WaitTotals>;
}

export interface WaitTotals {
  /** Statements that had to wait for a connection. */
  waited: number;
  /** For how long all of them together waited. */
  waitedSeconds: number;
  /** Statements that were refused: too many waited, or none was free in time. */
  refused: number;
}

export const createWaitingLine = <Taken>({
  waitMs,
  maxWaiting,
}: {
  waitMs: number;
  maxWaiting: number;
}): WaitingLine<Taken> => {
  const lanes: { usual: Place<Taken>[]; reserved: Place<Taken>[] } = { usual: [], reserved: [] };
  const none = (): WaitTotals => ({ waited: 0, waitedSeconds: 0, refused: 0 });
  const totals = { usual: none(), reserved: none() };
  const totalsOf = (isReserved: boolean) => (isReserved ? totals.reserved : totals.usual);
  let turns = 0;
  // Each lane is counted by itself: a crowd that signs in does not keep apps from their tokens.
  const laneOf = (isReserved: boolean) => (isReserved ? lanes.reserved : lanes.usual);

  const find = (mayBeUsual: boolean): Place<Taken> | undefined => {
    const [first] = lanes.reserved;
    const other = mayBeUsual ? lanes.usual[0] : undefined;
    return first && (!other || first.turn < other.turn) ? first : other;
  };
  const leave = (place: Place<Taken>) => {
    clearTimeout(place.late);
    const lane = laneOf(place.isReserved);
    const index = lane.indexOf(place);
    if (index < 0) return;
    lane.splice(index, 1);
    const total = totalsOf(place.isReserved);
    total.waited += 1;
    total.waitedSeconds += (performance.now() - place.since) / 1_000;
  };

  return {
    add: (waiter) => {
      const lane = laneOf(waiter.isReserved);
      if (lane.length >= maxWaiting) {
        totalsOf(waiter.isReserved).refused += 1;
        waiter.reject(new OutageError('too many wait for the database'));
        return;
      }
      const patienceMs = Math.min(waitMs, waiter.patienceMs ?? waitMs);
      const late = setTimeout(() => {
        leave(place);
        totalsOf(place.isReserved).refused += 1;
        waiter.reject(new OutageError(`no connection to the database within ${Math.round(patienceMs)} ms`));
      }, patienceMs);
      const place: Place<Taken> = { ...waiter, turn: turns++, late, since: performance.now() };
      lane.push(place);
    },
    first: find,
    takeFirst: (mayBeUsual) => {
      const place = find(mayBeUsual);
      if (place) leave(place);
      return place;
    },
    count: (isReserved) => laneOf(isReserved).length,
    totals: totalsOf,
  };
};
