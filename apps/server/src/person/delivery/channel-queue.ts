import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { createLeasedQueue, type Leased } from '../../ground/leased-queue/leased-queue.ts';
import type { Logger } from '../../ground/logger.ts';
import { traced } from '../../ground/trace/trace.ts';
import { type CircuitBreakerOptions, createCircuitBreaker } from './circuit-breaker.ts';
import { createGatewayCounts, type GatewayCount } from './gateway-counts.ts';
import { deleteMessage, updateDueMessages, updateMessageDue, updateSentTry } from './message.repository.ts';
import { DeliveryError, type Message, type MessageChannel, type MessageSender } from './message.ts';

export interface DeliveryPace {
  /** Messages of one channel on their way at the same time, in each process. */
  concurrency: number;
  /** Messages of one channel that may wait, over all processes. */
  capacity: number;
  busyRetryAfterSeconds: number;
  /** Longer than any sender's own patience, or two processes could send the same message. */
  leaseSeconds: number;
  /** The pauses before the second try, the third and so on; the last one repeats. */
  pausesSeconds: readonly number[];
  /** How often a process looks for messages that another one left. */
  pollMs: number;
  /** How long closing waits for messages on their way. */
  closeMs: number;
  breaker: CircuitBreakerOptions;
}

export const usualPace: DeliveryPace = {
  concurrency: 8,
  capacity: 1_000,
  busyRetryAfterSeconds: 15,
  leaseSeconds: 30,
  pausesSeconds: [0.5, 1, 2, 4, 8, 15],
  pollMs: 2_000,
  closeMs: 3_000,
  // Three strikes of silence are 9 s: one message alone opens the circuit within ten.
  breaker: { strikes: 3, patienceMs: 3_000, pauseMs: 4_000 },
};

export interface ChannelQueueOptions {
  db: Kysely<Database>;
  channel: MessageChannel;
  sender: MessageSender;
  isLocal: boolean;
  /** @throws Error when no SECRET_KEY of this process opens the message. */
  open(sealed: string): Message;
  logger: Logger;
  pace: DeliveryPace;
}

/** A message that this process has leased. */
interface HeldMessage {
  id: string;
  attempts: number;
  message: Message;
}

/** What came of the tries of one channel, since the start of the process. */
export interface ChannelCounts {
  channel: MessageChannel;
  /** The gateway failed again and again, and is left alone for a while. */
  isDown: boolean;
  delivered: number;
  /** Tries that failed, and that another one follows. */
  retried: number;
  /** Messages that the gateway will never take. */
  givenUp: number;
}

/** The messages of one channel, as one process works them off. */
export interface ChannelQueue {
  /** Tries a message that its transaction leased to this process, or gives it back where there is no room. */
  start(held: HeldMessage): Promise<void>;
  /** Milliseconds for which the circuit stays open; 0 while it is closed. */
  closedForMs(): number;
  counts(): ChannelCounts;
  /** The same by country. */
  countries(): GatewayCount[];
  /** Sends nothing more, and waits for what is on its way. */
  close(): Promise<void>;
}

/** What a try came to: the message is not to be sent again, or after a pause; and what the gateway said. */
type Outcome =
  | { state: 'taken' | 'refused' | 'dropped'; words?: string }
  | { pauseSeconds: number; words: string };

/**
 * Before the first try the request that promised the message is answered: to send takes longer than to drop, and its
 * answer must not show which of them it is. The pause varies, so that later answers do not show it either.
 */
const untilAnswered = () => wait(5 + Math.random() * 20);

const isGatewayFault = (error: unknown) => !(error instanceof DeliveryError && error.failure === 'never');

export const createChannelQueue = (options: ChannelQueueOptions): ChannelQueue => {
  const { db, channel, sender, isLocal, logger, pace } = options;
  const breaker = createBreaker(options);
  const countries = createGatewayCounts(channel);

  const room = (taken: number) =>
    isLocal ? pace.concurrency : breaker.allow(Math.max(0, pace.concurrency - taken), taken);

  const lease = async (limit: number): Promise<Leased<HeldMessage>> => {
    const { leaseSeconds } = pace;
    const leased = await updateDueMessages(db, { channel, limit, leaseSeconds });
    const opened = await Promise.all(leased.map((one) => openLeased(options, one)));
    return { items: opened.filter((one) => one !== undefined), hasMore: leased.length === limit };
  };

  const attempt = async (held: HeldMessage): Promise<Outcome> => {
    if (!isLocal && held.attempts === 1) await untilAnswered();
    if (held.message.isDropped) return { state: 'dropped' };
    const send = () =>
      traced(
        `send ${channel}`,
        'client',
        { 'candela.purpose': held.message.purpose, 'candela.attempt': held.attempts },
        () => sender.send({ ...held.message, id: held.id }),
      );
    try {
      await (isLocal ? send() : breaker.watch(send, isGatewayFault));
      countries.count('taken', held.message.to);
      return { state: 'taken' };
    } catch (error) {
      const outcome = judgeFailure(options, held, error);
      countries.count('state' in outcome ? 'refused' : 'failed', held.message.to);
      return outcome;
    }
  };

  const settle = async (held: HeldMessage, outcome: Outcome): Promise<void> => {
    const pauseSeconds = await noteOutcome(db, held, outcome);
    if (pauseSeconds === undefined) return;
    setTimeout(queue.wake, pauseSeconds * 1000 + 10).unref();
  };

  const queue = createLeasedQueue<HeldMessage, Outcome>({
    noun: 'message',
    room,
    lease,
    attempt,
    settle,
    pollMs: pace.pollMs,
    closeMs: pace.closeMs,
    // One poll may have failed just before the database was back; after another, every process has looked again.
    holdOffMs: 3 * pace.pollMs,
    logger,
  });

  return {
    start: async (held) => {
      const tried = queue.take(held);
      if (tried && isLocal) await tried;
      if (tried) return;
      await updateMessageDue(db, held, 0).catch((err: unknown) =>
        logger.warn({ err }, 'a lease is not given back'),
      );
      queue.wake();
    },
    closedForMs: () => (isLocal ? 0 : breaker.closedForMs()),
    counts: () => ({ channel, isDown: breaker.isOpen(), ...sumCountries(countries.read()) }),
    countries: countries.read,
    close: queue.close,
  };
};

const sumCountries = (counts: readonly GatewayCount[]) => ({
  delivered: counts.reduce((sum, { taken }) => sum + taken, 0),
  retried: counts.reduce((sum, { failed }) => sum + failed, 0),
  givenUp: counts.reduce((sum, { refused }) => sum + refused, 0),
});

/** Deletes a message that is done with, or lets it wait; answers for how many seconds. */
const noteOutcome = async (
  db: Kysely<Database>,
  held: HeldMessage,
  outcome: Outcome,
): Promise<number | undefined> => {
  const tries = held.attempts;
  if ('state' in outcome) {
    await deleteMessage(db, held.id, { ...outcome, tries });
    return undefined;
  }
  await updateSentTry(db, held.id, { tries, words: outcome.words });
  await updateMessageDue(db, held, outcome.pauseSeconds);
  return outcome.pauseSeconds;
};

const createBreaker = ({ channel, logger, pace }: ChannelQueueOptions) =>
  createCircuitBreaker({
    ...pace.breaker,
    onChange: (isOpen) =>
      logger[isOpen ? 'error' : 'warn']({ channel }, isOpen ? 'gateway down' : 'gateway back'),
  });

const pauseAfter = ({ pausesSeconds }: DeliveryPace, attempts: number): number =>
  pausesSeconds[Math.min(attempts, pausesSeconds.length) - 1] ?? 1;

const judgeFailure = (
  { channel, logger, pace }: ChannelQueueOptions,
  { id, attempts, message }: HeldMessage,
  error: unknown,
): Outcome => {
  const failure = error instanceof DeliveryError ? error.failure : 'later';
  const reason = error instanceof DeliveryError ? error.message : ((error as Error)?.name ?? 'error');
  const { purpose } = message;
  logger.warn({ messageId: id, channel, purpose, attempts, failure, reason }, 'not delivered');
  if (failure === 'later') return { pauseSeconds: pauseAfter(pace, attempts), words: reason };
  // Handed over without an answer, it may well have arrived.
  return { state: failure === 'unknown' ? 'taken' : 'refused', words: reason };
};

/** Opens a message; one that only a process with a newer SECRET_KEY opens is given back. */
const openLeased = async (
  { db, open, logger, pace }: ChannelQueueOptions,
  { id, sealed, attempts }: { id: string; sealed: string; attempts: number },
): Promise<HeldMessage | undefined> => {
  try {
    return { id, attempts, message: open(sealed) };
  } catch (err) {
    logger.error({ err, messageId: id }, 'no SECRET_KEY of this process opens this message');
    await updateMessageDue(db, { id, attempts }, pauseAfter(pace, attempts));
    return undefined;
  }
};
