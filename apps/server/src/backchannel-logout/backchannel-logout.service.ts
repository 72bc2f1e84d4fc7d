import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { EventFields, EventSink } from '../event/events.ts';
import type { Logger } from '../logger.ts';
import {
  deleteExpiredLogouts,
  deleteLogout,
  type LeasedLogout,
  updateDueLogouts,
  updateLogoutDue,
  updateLogoutUntried,
} from './backchannel-logout.repository.ts';
import type { LogoutSender } from './logout-sender.ts';

export interface LogoutPace {
  /** Clients that are being told at the same time, by each process. */
  concurrency: number;
  /** How many logouts of one client are taken at a time, so that a slow one leaves room for the others. */
  perClient: number;
  /** How long a client may take to answer. */
  tryMs: number;
  /** How long a process leaves a client alone that failed a try, so that others get its places. */
  restMs: number;
  /** Longer than any try lasts, or two processes could tell the same client. */
  leaseSeconds: number;
  /** Before the second try, the third and so on; after the last one it is given up. */
  pausesSeconds: readonly number[];
  /** How often a process looks for what it was not told of. */
  pollMs: number;
  /** How long closing waits for tries under way. */
  closeMs: number;
}

/** Six tries within an hour. */
export const usualLogoutPace: LogoutPace = {
  concurrency: 32,
  perClient: 4,
  tryMs: 5_000,
  restMs: 1_500,
  leaseSeconds: 15,
  pausesSeconds: [5, 30, 180, 900, 2_400],
  pollMs: 2_000,
  closeMs: 3_000,
};

export interface BackchannelLogoutOptions {
  db: Kysely<Database>;
  sender: LogoutSender;
  events: EventSink;
  logger: Logger;
  pace?: Partial<LogoutPace>;
  /** Milliseconds that only go on; for rests. */
  now?: () => number;
}

/**
 * Tells clients of sessions that ended. What is to be told was stored in the transaction that ended the
 * session (`logoutsOfSessions`), and stays until the client took it, refused it, or was tried often enough.
 */
export interface BackchannelLogoutService {
  /** There may be something to tell. */
  wake(): void;
  /** Takes up what is due, as much as may run; tries go on in the background. */
  look(): Promise<void>;
  /** Takes up nothing more; tries under way get a few seconds, and are left to other processes then. */
  close(): Promise<void>;
}

const EXPIRY_EVERY = 30;

export const createBackchannelLogoutService = (
  options: BackchannelLogoutOptions,
): BackchannelLogoutService => {
  const { db, sender, events, logger, now = () => performance.now() } = options;
  const pace = { ...usualLogoutPace, ...options.pace };
  const closing = new AbortController();
  const running = new Map<Promise<void>, string>();
  /** Until when a client is left alone. */
  const resting = new Map<string, number>();
  let isClosed = false;
  let isFull = false;
  let again = false;

  const emit = (
    event: 'logout.told' | 'logout.not_told',
    { brand, client_id: clientId, account_id: accountId }: LeasedLogout,
    fields: EventFields = {},
  ) => events.emit(event, { accountId, clientId, brand, ...fields });

  const settleFailure = async (logout: LeasedLogout, error: unknown, reason: string) => {
    if (closing.signal.aborted) return updateLogoutUntried(db, logout);
    const { client_id: clientId, attempts } = logout;
    resting.set(clientId, now() + pace.restMs);
    const pause = pace.pausesSeconds[attempts - 1];
    const final = pause === undefined;
    await (final ? deleteLogout(db, logout.id) : updateLogoutDue(db, logout, pause));
    const detail = error instanceof Error ? error.message : String(error);
    emit('logout.not_told', logout, { reason, detail, count: attempts, final });
  };

  const attempt = async (logout: LeasedLogout) => {
    const { id, brand, client_id: clientId, account_id: accountId, sid } = logout;
    const deadline = AbortSignal.timeout(pace.tryMs);
    const signal = AbortSignal.any([closing.signal, deadline]);
    const outcome = await sender
      .send({ brand, clientId, accountId, sid }, signal)
      .catch((error: unknown) => ({ error }));
    if (typeof outcome === 'object' && 'error' in outcome)
      return settleFailure(logout, outcome.error, deadline.aborted ? 'timed_out' : 'not_taken');
    if (outcome === 'untried') return updateLogoutUntried(db, logout, pace.pausesSeconds[0]);
    await deleteLogout(db, id);
    if (outcome === 'told') emit('logout.told', logout);
    if (typeof outcome === 'object')
      emit('logout.not_told', logout, {
        reason: 'refused',
        detail: `HTTP ${outcome.refused}`,
        final: true,
      });
  };

  const run = (logout: LeasedLogout) => {
    const one = attempt(logout)
      .catch((err: unknown) => logger.warn({ err, logoutId: logout.id }, 'a logout could not be settled'))
      .finally(() => {
        running.delete(one);
        if (isFull) wake();
      });
    running.set(one, logout.client_id);
  };

  const clientsToSpare = (): string[] => {
    for (const [clientId, until] of resting) if (until <= now()) resting.delete(clientId);
    const busy = [...Map.groupBy(running.values(), (clientId) => clientId)]
      .filter(([, tries]) => tries.length >= pace.perClient)
      .map(([clientId]) => clientId);
    return [...new Set([...busy, ...resting.keys()])];
  };

  const lease = async () => {
    const { perClient, leaseSeconds } = pace;
    const limit = pace.concurrency - running.size;
    const except = clientsToSpare();
    const leased =
      limit > 0 && !isClosed ? await updateDueLogouts(db, { limit, perClient, except, leaseSeconds }) : [];
    for (const logout of leased) run(logout);
    const spared = clientsToSpare();
    const hasRoom = leased.length < limit;
    // Behind the backlog of a client that has enough now, others may wait.
    if (hasRoom && spared.length > except.length) again = true;
    // More may be due of what was left out: the next try that ends looks again.
    isFull = !hasRoom || spared.length > 0;
  };

  let looking: Promise<void> | undefined;
  /** One look at a time, or two would take up more than may run; what comes up meanwhile is looked at after it. */
  const look = (): Promise<void> => {
    again = true;
    looking ??= (async () => {
      while (again) {
        again = false;
        await lease();
      }
    })().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  // Whoever wakes it may be inside a request; the work is not part of that.
  const apart = AsyncLocalStorage.snapshot();
  const wake = () => {
    if (isClosed) return;
    apart(look).catch((err: unknown) => logger.warn({ err }, 'looking for logouts failed'));
  };

  let polls = 0;
  const timer = setInterval(() => {
    wake();
    polls += 1;
    if (polls % EXPIRY_EVERY !== 0) return;
    deleteExpiredLogouts(db).then(
      (expired) => expired > 0 && logger.error({ expired }, 'logouts expired before clients could be told'),
      (err: unknown) => logger.warn({ err }, 'deleting expired logouts failed'),
    );
  }, pace.pollMs);
  timer.unref();

  return {
    wake,
    look,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await looking?.catch(() => undefined);
      const late = setTimeout(() => closing.abort(), pace.closeMs);
      await Promise.all(running.keys());
      clearTimeout(late);
    },
  };
};
