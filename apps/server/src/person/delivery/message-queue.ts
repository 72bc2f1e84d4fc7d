import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { Logger } from '../../ground/logger.ts';
import { every } from '../../ground/loop/every.ts';
import { openWithAny, seal, sealingKeys } from '../../ground/seal.ts';
import {
  type ChannelCounts,
  type ChannelQueue,
  createChannelQueue,
  type DeliveryPace,
  usualPace,
} from './channel-queue.ts';
import type { GatewayCount } from './gateway-counts.ts';
import { countMessages, deleteExpiredMessages, upsertMessage } from './message.repository.ts';
import { type Message, type MessageChannel, type MessageSender, sentOf } from './message.ts';

export interface MessageQueueOptions {
  db: Kysely<Database>;
  /** A local sender (the outbox) delivers on this machine: a caller who starts a delivery waits for it. */
  senders: Record<MessageChannel, { sender: MessageSender; isLocal: boolean }>;
  /** SECRET_KEY, newest first: the newest seals messages at rest, all open them. */
  secretKeys: readonly string[];
  logger: Logger;
  pace?: Partial<DeliveryPace>;
}

interface AddOptions {
  /** Tries end after so long, when nobody waits for the message any more; a day by default. */
  lifetimeSeconds?: number | undefined;
  /** Replaces the message of the same topic that still waits. */
  topic?: string | undefined;
}

/** A message that is stored and not yet on its way. */
export interface Delivery {
  /**
   * Sends the message; to be called when its transaction has ended. A process that dies before is replaced by
   * another when the lease runs out. Resolves at once, or when a local sender has delivered. Never throws: what
   * fails is tried again.
   */
  start(): Promise<void>;
}

/**
 * Messages that people were promised. They stay in the database until a gateway has taken them: a process that
 * ends loses none, and a gateway that is slow or down keeps nobody waiting.
 */
export interface MessageQueue {
  /**
   * Is called before a message is promised.
   * @throws AppError busy where too many messages wait, unavailable where the gateway does not answer
   */
  requireRoom(db: Kysely<Database>, channel: MessageChannel): Promise<void>;
  /** Stores a message in the transaction that promises it. */
  add(db: Kysely<Database>, message: Message, options?: AddOptions): Promise<Delivery>;
  /** Stores a message outside any transaction and starts it. */
  send(message: Message, options?: AddOptions): Promise<void>;
  /** Of each channel, since the start of this process. */
  counts(): ChannelCounts[];
  /** The same by country. */
  countries(): GatewayCount[];
  /** Waits for messages on their way, for a few seconds at most. */
  close(): Promise<void>;
}

/** The purpose of the keys that seal waiting messages. */
export const messageSealing = 'messages';

const DAY = 86_400;
/** Expired messages are deleted once in so many polls. */
const EXPIRY_EVERY = 30;

export const createMessageQueue = (options: MessageQueueOptions): MessageQueue => {
  const { db, senders, secretKeys, logger } = options;
  const pace = { ...usualPace, ...options.pace };
  const keys = sealingKeys(secretKeys, messageSealing);

  const createQueue = (channel: MessageChannel): ChannelQueue =>
    createChannelQueue({
      db,
      channel,
      ...senders[channel],
      open: (sealed) => JSON.parse(openWithAny(keys, sealed)),
      logger,
      pace,
    });
  const channels: Record<MessageChannel, ChannelQueue> = {
    email: createQueue('email'),
    sms: createQueue('sms'),
  };

  const deleteExpired = async () => {
    const expired = await deleteExpiredMessages(db);
    if (expired > 0) logger.error({ expired }, 'messages expired before a gateway took them');
  };
  const expiring = every((pace.pollMs / 1_000) * EXPIRY_EVERY, deleteExpired, {
    onFailure: (err) => logger.warn({ err }, 'looking for messages failed'),
  });

  const requireRoom: MessageQueue['requireRoom'] = async (trx, channel) => {
    const retryAfterSeconds = Math.ceil(channels[channel].closedForMs() / 1000);
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
    const sent = sentOf(message);
    await upsertMessage(trx, { id, channel, topic, sealed, leaseSeconds, lifetimeSeconds, sent });
    return { start: () => channels[channel].start({ id, attempts: 1, message }) };
  };

  return {
    requireRoom,
    add,
    send: async (message, addOptions) => (await add(db, message, addOptions)).start(),
    counts: () => Object.values(channels).map((queue) => queue.counts()),
    countries: () => Object.values(channels).flatMap((queue) => queue.countries()),
    close: async () => {
      await Promise.all([expiring.stop(), ...Object.values(channels).map((queue) => queue.close())]);
    },
  };
};
