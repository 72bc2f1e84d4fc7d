import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { type CircuitBreakerOptions, createCircuitBreaker } from './circuit-breaker.ts';
import { deleteMessages, updateDueMessages, updateMessageDue } from './message.repository.ts';
import { DeliveryError, type Message, type MessageChannel, type MessageSender } from './message.ts';

export interface DeliveryPace {
  /** Messages of one channel on their way at the same time, in each process. */
  concurrency: number;
  /** Messages of one channel that may wait, over all processes. */
  capacity: number;
  busyRetryAfterSeconds: number;
  /** Longer than any sender's own patience, or two processes could send the same message. */
  leaseSeconds: number;
  /** Before the second try, the third and so on; the last one repeats. */
  pausesSeconds: readonly number[];
  /** How often a process looks for messages that another one left. */
  pollMs: number;
  breaker: CircuitBreakerOptions;
}

export const usualPace: DeliveryPace = {
  concurrency: 8,
  capacity: 1_000,
  busyRetryAfterSeconds: 15,
  leaseSeconds: 30,
  pausesSeconds: [0.5, 1, 2, 4, 8, 15],
  pollMs: 2_000,
  // Three strikes of silence are 9 s: one message alone opens the circuit within ten.
  breaker: { strikes: 3, patienceMs: 3_000, pauseMs: 4_000 },
};

export interface ChannelWorkerOptions {
  db: Kysely<Database>;
  channel: MessageChannel;
  sender: MessageSender;
  isLocal: boolean;
  open(sealed: string): Message;
  logger: Logger;
  pace: DeliveryPace;
}

interface HeldMessage {
  id: string;
  attempts: number;
  message: Message;
}

/** What one process does for the messages of one channel. */
export interface MessageChannelWorker {
  /** Tries a message whose first lease is this process's own; gives it back when others come first. */
  start(held: HeldMessage): Promise<void>;
  /** Leases what is due, as much as may run. */
  look(): Promise<void>;
  closedForMs(): number;
  /** Starts nothing more and resolves when nothing is on its way. */
  close(): Promise<void>;
}

const isGatewayFault = (error: unknown) => !(error instanceof DeliveryError && error.failure === 'never');

export const createChannel = (options: ChannelWorkerOptions): MessageChannelWorker => {
  const { db, channel, sender, isLocal, open, logger, pace } = options;
  const breaker = createCircuitBreaker({
    ...pace.breaker,
    onChange: (isOpen) =>
      logger[isOpen ? 'error' : 'warn']({ channel }, isOpen ? 'gateway down' : 'gateway back'),
  });
  const running = new Set<Promise<void>>();
  /** Over, but not deleted: the database was away. No more than were on their way then. */
  const over = new Set<string>();
  /** By `performance.now()`. */
  let holdsOffUntil = 0;
  let mayBeMore = false;
  let isClosed = false;

  const room = () => {
    if (isClosed) return 0;
    if (isLocal) return pace.concurrency;
    return breaker.allow(Math.max(0, pace.concurrency - running.size), running.size);
  };

  const pauseAfter = (attempts: number) =>
    pace.pausesSeconds[Math.min(attempts, pace.pausesSeconds.length) - 1] ?? 1;

  /** Deletes a message that is not to be sent again; what cannot be deleted now is when the database is back. */
  const end = async (id: string) => {
    over.add(id);
    await deleteMessages(db, [id]);
    over.delete(id);
  };

  const endAll = async () => {
    const ids = [...over];
    if (ids.length === 0) return;
    await deleteMessages(db, ids);
    for (const id of ids) over.delete(id);
  };

  const settleFailure = async ({ id, attempts, message }: HeldMessage, error: unknown) => {
    const failure = error instanceof DeliveryError ? error.failure : 'later';
    const reason = error instanceof DeliveryError ? error.message : ((error as Error)?.name ?? 'error');
    logger.warn(
      { messageId: id, channel, purpose: message.purpose, attempts, failure, reason },
      'not delivered',
    );
    if (failure !== 'later') return end(id);
    const seconds = pauseAfter(attempts);
    await updateMessageDue(db, { id, attempts }, seconds);
    setTimeout(lookAgain, seconds * 1000 + 10).unref();
  };

  const attempt = async (held: HeldMessage) => {
    const { id, message } = held;
    const send = () => sender.send({ ...message, id });
    try {
      await (isLocal ? send() : breaker.watch(send, isGatewayFault));
    } catch (error) {
      await settleFailure(held, error);
      return;
    }
    await end(id);
  };

  const run = (held: HeldMessage): Promise<void> => {
    const one = attempt(held)
      .catch((err: unknown) => logger.warn({ err, messageId: held.id }, 'a message could not be settled'))
      .finally(() => {
        running.delete(one);
        if (mayBeMore) lookAgain();
      });
    running.add(one);
    return one;
  };

  const runLeased = async ({ id, sealed, attempts }: { id: string; sealed: string; attempts: number }) => {
    if (over.has(id)) return end(id);
    try {
      void run({ id, attempts, message: open(sealed) });
    } catch (err) {
      // A process that knows the newer key will: this one gives it back.
      logger.error({ err, messageId: id }, 'no SECRET_KEY of this process opens this message');
      await updateMessageDue(db, { id, attempts }, pauseAfter(attempts));
    }
  };

  /** Once the database was away, each process first deletes what it has sent; only then is sent what others left. */
  const holdingOff = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      // Of the last failure one poll may be left, and another until every process has looked again.
      holdsOffUntil = performance.now() + 3 * pace.pollMs;
      throw error;
    }
  };

  const look = async () => {
    await holdingOff(endAll);
    const limit = performance.now() < holdsOffUntil ? 0 : room();
    if (limit === 0) {
      mayBeMore = !isClosed;
      return;
    }
    const { leaseSeconds } = pace;
    const leased = await holdingOff(() => updateDueMessages(db, { channel, limit, leaseSeconds }));
    mayBeMore = leased.length === limit;
    await Promise.all(leased.map(runLeased));
  };

  let looking: Promise<void> | undefined;
  /** One look at a time, or two could lease more than may run. */
  const lookOnce = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const lookAgain = () => {
    if (isClosed) return;
    lookOnce().catch((err: unknown) => logger.warn({ err }, 'looking for messages failed'));
  };

  return {
    look: lookOnce,
    closedForMs: () => (isLocal ? 0 : breaker.closedForMs()),
    start: async (held) => {
      if (room() > 0) {
        const one = run(held);
        if (isLocal) await one;
        return;
      }
      mayBeMore = true;
      await updateMessageDue(db, held, 0).catch((err: unknown) =>
        logger.warn({ err }, 'a lease is not given back'),
      );
    },
    close: async () => {
      isClosed = true;
      await Promise.all(running);
      await endAll().catch((err: unknown) => logger.warn({ err }, 'what was sent is not deleted'));
    },
  };
};
