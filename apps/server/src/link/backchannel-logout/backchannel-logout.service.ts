import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { EventFields, EventSink } from '../../ground/event/events.ts';
import { createLeasedQueue, type Leased, type LeasedQueue } from '../../ground/leased-queue/leased-queue.ts';
import { createShares } from '../../ground/leased-queue/shares.ts';
import type { Logger } from '../../ground/logger.ts';
import { every } from '../../ground/loop/every.ts';
import {
  deleteExpiredLogouts,
  deleteLogout,
  type LeasedLogout,
  updateDueLogouts,
  updateLogoutDue,
  updateLogoutUntried,
} from './backchannel-logout.repository.ts';
import type { LogoutOutcome, LogoutSender } from './logout-sender.ts';

export interface LogoutPace {
  /** Tries of one process at the same time. */
  concurrency: number;
  /** How many logouts of one client are taken at a time, so that a slow one leaves room for the others. */
  perClient: number;
  /** How long a client may take to answer. */
  tryMs: number;
  /** How long a process leaves a client alone after a try that failed, so that other clients get its places. */
  restMs: number;
  /** Longer than any try lasts, or two processes could send the same logout. */
  leaseSeconds: number;
  /** The pauses before the second try, the third and so on; the try after the last pause is the last. */
  pausesSeconds: readonly number[];
  /** How often a process looks for logouts that no notification announced. */
  pollMs: number;
  /** How long closing waits for tries under way. */
  closeMs: number;
}

/**
 * Six tries within an hour.
 * @internal exported for tests
 */
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
  /** Milliseconds of a clock that nobody sets, by which clients rest. */
  now?: () => number;
}

/**
 * Sends logouts to the clients of sessions that ended. The transaction that ends a session stores its logouts
 * (`logoutsOfSessions`). A logout stays until its client took it, refused it, or was tried often enough.
 */
export interface BackchannelLogoutService extends Pick<LeasedQueue<LeasedLogout>, 'wake' | 'look'> {
  /** Sends nothing more. Tries under way get a few seconds; other processes try the rest again. */
  close(): Promise<void>;
}

/** Expired logouts are deleted once in so many polls. */
const EXPIRY_EVERY = 30;

/** What a try came to: the sender's outcome, or why the client could not be asked. */
type Outcome = LogoutOutcome | { error: unknown; reason: string };

export const createBackchannelLogoutService = (
  options: BackchannelLogoutOptions,
): BackchannelLogoutService => {
  const { db, sender, logger, now } = options;
  const pace = { ...usualLogoutPace, ...options.pace };
  const settle = createSettling(options, pace);
  const shares = createShares<LeasedLogout>({
    holderOf: ({ client_id }) => client_id,
    perHolder: pace.perClient,
    restMs: pace.restMs,
    now,
  });

  const lease = async (limit: number, running: readonly LeasedLogout[]): Promise<Leased<LeasedLogout>> => {
    const { perClient, leaseSeconds } = pace;
    const except = shares.toSpare(running);
    const items = await updateDueLogouts(db, { limit, perClient, except, leaseSeconds });
    // Behind the backlog of a client that is spared from now on, logouts of other clients may be due.
    const hasMore = items.length === limit || shares.toSpare([...running, ...items]).length > 0;
    return { items, hasMore };
  };

  const attempt = async (logout: LeasedLogout, closing: AbortSignal): Promise<Outcome> => {
    const { brand, client_id: clientId, account_id: accountId, sid } = logout;
    const deadline = AbortSignal.timeout(pace.tryMs);
    try {
      const signal = AbortSignal.any([closing, deadline]);
      return await sender.send({ brand, clientId, accountId, sid }, signal);
    } catch (error) {
      shares.rest(clientId);
      return { error, reason: deadline.aborted ? 'timed_out' : 'not_taken' };
    }
  };

  const queue = createLeasedQueue<LeasedLogout, Outcome>({
    noun: 'logout',
    room: (taken) => pace.concurrency - taken,
    lease,
    attempt,
    settle,
    release: (logout) => updateLogoutUntried(db, logout),
    pollMs: pace.pollMs,
    closeMs: pace.closeMs,
    logger,
  });
  const expiring = startExpiring(options, pace);

  return {
    wake: queue.wake,
    look: queue.look,
    close: async () => {
      await Promise.all([expiring.stop(), queue.close()]);
    },
  };
};

const startExpiring = ({ db, logger }: BackchannelLogoutOptions, { pollMs }: LogoutPace) => {
  const deleteExpired = async () => {
    const expired = await deleteExpiredLogouts(db);
    if (expired > 0) logger.error({ expired }, 'logouts expired before clients could be told');
  };
  return every((pollMs / 1_000) * EXPIRY_EVERY, deleteExpired, {
    onFailure: (err) => logger.warn({ err }, 'deleting expired logouts failed'),
  });
};

/** Makes the function that stores what a try came to and emits its event. */
const createSettling = ({ db, events }: BackchannelLogoutOptions, { pausesSeconds }: LogoutPace) => {
  const emit = (
    event: 'logout.told' | 'logout.not_told',
    { brand, client_id: clientId, account_id: accountId }: LeasedLogout,
    fields: EventFields = {},
  ) => events.emit(event, { accountId, clientId, brand, ...fields });

  const settleFailure = async (logout: LeasedLogout, error: unknown, reason: string): Promise<void> => {
    const { attempts } = logout;
    const pause = pausesSeconds[attempts - 1];
    const final = pause === undefined;
    await (final ? deleteLogout(db, logout.id) : updateLogoutDue(db, logout, pause));
    const detail = error instanceof Error ? error.message : String(error);
    emit('logout.not_told', logout, { reason, detail, count: attempts, final });
  };

  return async (logout: LeasedLogout, outcome: Outcome): Promise<void> => {
    if (outcome === 'untried') return updateLogoutUntried(db, logout, pausesSeconds[0]);
    if (typeof outcome === 'object' && 'error' in outcome)
      return settleFailure(logout, outcome.error, outcome.reason);
    await deleteLogout(db, logout.id);
    if (outcome === 'told') emit('logout.told', logout);
    if (typeof outcome === 'object')
      emit('logout.not_told', logout, { reason: 'refused', detail: `HTTP ${outcome.refused}`, final: true });
  };
};
