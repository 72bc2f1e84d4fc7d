import { randomUUID } from 'node:crypto';
import { seal, sealingKeys } from '../../ground/seal.ts';
import { upsertMessage } from './message.repository.ts';
import { sentOf } from './message.ts';
import { type MessageQueue, messageSealing } from './message-queue.ts';

const DAY = 86_400;

/** Stores messages in a process that sends none, such as a command: a process that serves sends them. */
export const createStoredMessages = (secretKeys: readonly string[]): Pick<MessageQueue, 'add'> => {
  const [key] = sealingKeys(secretKeys, messageSealing);
  return {
    add: async (trx, message, { topic = null, lifetimeSeconds = DAY } = {}) => {
      const sealed = seal(key, JSON.stringify(message));
      const { channel } = message;
      await upsertMessage(trx, {
        id: randomUUID(),
        channel,
        topic,
        sealed,
        leaseSeconds: 0,
        lifetimeSeconds,
        sent: sentOf(message),
      });
      return { start: async () => undefined };
    },
  };
};
