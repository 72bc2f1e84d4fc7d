import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { openWithAny, seal, sealingKeys } from '../seal.ts';
import { createChannel, type DeliveryPace, type MessageChannelWorker, usualPace } from './channel-worker.ts';
import { countMessages, deleteExpiredMessages, upsertMessage } from './message.repository.ts';
import type { Message, MessageChannel, MessageSender } from './message.ts';

export interface MessageQueueOptions {
  db: Kysely<Database>;
  /** A local sender is this machine's own (the outbox): whoever starts a delivery waits for it. */
  senders: Record<MessageChannel, { sender: MessageSender; isLocal: boolean }>;
  /** Messages at rest are sealed with the newest. */
  secretKeys: readonly string[];
  logger: Logger;
  pace?: Partial<DeliveryPace>;
}

interface AddOptions {
  /** How long somebody waits for it: tries end then. A day unless told. */
  lifetimeSeconds?: number | undefined;
  /** A message of the same topic that still waits is replaced. */
  topic?: string | undefined;
}

/** A message that is taken over and not yet on its way. */
export interface Delivery {
  /**
   * To be called when the transaction has ended; else it starts by itself when the lease does. Resolves
   * at once, or when a local sender is done; never throws, for what fails is tried again.
   */
  start(): Promise<void>;
}

/**
 * Messages that were promised, kept in the database until a gateway has taken them: a process that ends
 * loses none, and a gateway that is slow or down keeps nobody waiting.
 */
export interface MessageQueue {
  /**
   * To be asked before something is promised that depends on a message.
   * @throws AppError busy (too many wait), unavailable (the gateway does not answer)
   */
  requireRoom(db: Kysely<Database>, channel: MessageChannel): Promise<void>;
  /** Takes a message over, in the transaction of what it tells. */
  add(db: Kysely<Database>, message: Message, options?: AddOptions): Promise<Delivery>;
  /** Takes a message over outside any transaction and starts it. */
  send(message: Message, options?: AddOptions): Promise<void>;
  /** Lets what is on its way end, for a few seconds at most. */
  close(): Promise<void>;
}

/** What waiting messages are sealed with. */
export const messageSealing = 'messages';

const DAY = 86_400;
const SWEEP_EVERY = 30;
const CLOSE_MS = 3_000;

export const createMessageQueue = (options: MessageQueueOptions): MessageQueue => {
  const { db, senders, secretKeys, logger } = options;
  const pace = { ...usualPace, ...options.pace };
  const keys = sealingKeys(secretKeys, messageSealing);

  const createWorker = (channel: MessageChannel) =>
    createChannel({
      db,
      channel,
      ...senders[channel],
      open: (sealed) => JSON.parse(openWithAny(keys, sealed)),
      logger,
      pace,
    });
  const workers: Record<MessageChannel, MessageChannelWorker> = {
    email: createWorker('email'),
    sms: createWorker('sms'),
  };

  let polls = 0;
  const poll = async () => {
    await Promise.all(Object.values(workers).map((worker) => worker.look()));
    polls += 1;
    if (polls % SWEEP_EVERY !== 0) return;
    const expired = await deleteExpiredMessages(db);
    if (expired > 0) logger.error({ expired }, 'messages expired before a gateway took them');
  };
  const timer = setInterval(() => {
    poll().catch((err: unknown) => logger.warn({ err }, 'looking for messages failed'));
  }, pace.pollMs);
  timer.unref();

  const requireRoom: MessageQueue['requireRoom'] = async (trx, channel) => {
    const retryAfterSeconds = Math.ceil(workers[channel].closedForMs() / 1000);
    if (retryAfterSeconds > 0) throw new AppError('unavailable', { retryAfterSeconds });
    if (senders[channel].isLocal) return;
    const waiting = await countMessages(trx, { channel, limit: pace.capacity });
    if (waiting >= pace.capacity)
      throw new AppError('busy', { retryAfterSeconds: pace.busyRetryAfterSeconds });
  };

  const add: MessageQueue['add'] = async (trx, message, { topic = null, lifetimeSeconds = DAY } = {}) => {
    const { channel } = message;
    const id = randomUUID();
    const { leaseSeconds } = pace;
    const sealed = seal(keys[0], JSON.stringify(message));
    await upsertMessage(trx, { id, channel, topic, sealed, leaseSeconds, lifetimeSeconds });
    return { start: () => workers[channel].start({ id, attempts: 1, message }) };
  };

  return {
    requireRoom,
    add,
    send: async (message, addOptions) => (await add(db, message, addOptions)).start(),
    close: async () => {
      clearInterval(timer);
      const ended = Promise.all(Object.values(workers).map((worker) => worker.close()));
      let forced: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        forced = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([ended, late]);
      clearTimeout(forced);
    },
  };
};
