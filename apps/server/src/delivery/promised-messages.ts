import { randomUUID } from 'node:crypto';
import { seal, sealingKeys } from '../seal.ts';
import { upsertMessage } from './message.repository.ts';
import { type MessageQueue, messageSealing } from './message-queue.ts';

const DAY = 86_400;

/** Messages of a command, which has no gateways: a process that serves leases and sends them. */
export const createPromisedMessages = (secretKeys: readonly string[]): Pick<MessageQueue, 'add'> => {
  const [key] = sealingKeys(secretKeys, messageSealing);
  return {
    add: async (trx, message, { topic = null, lifetimeSeconds = DAY } = {}) => {
      const sealed = seal(key, JSON.stringify(message));
      const { channel } = message;
      const kept = { id: randomUUID(), channel, topic, sealed, leaseSeconds: 0, lifetimeSeconds };
      await upsertMessage(trx, kept);
      return { start: async () => undefined };
    },
  };
};
