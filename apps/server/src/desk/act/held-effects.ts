import type { EventSink } from '../../ground/event/events.ts';
import type { MessageQueue } from '../../person/delivery/message-queue.ts';

type Messages = Pick<MessageQueue, 'add'>;

/**
 * Events and messages of services that work within a transaction which somebody else commits: they are stored with it,
 * and told and sent after it.
 */
export const holdEffects = ({ messages, events }: { messages: Messages; events: EventSink }) => {
  const held: (() => unknown)[] = [];
  const heldEvents: EventSink = { emit: (...said) => void held.push(() => events.emit(...said)) };
  const heldMessages: Messages = {
    add: async (...added) => {
      const delivery = await messages.add(...added);
      return { start: async () => void held.push(() => delivery.start()) };
    },
  };
  return {
    events: heldEvents,
    messages: heldMessages,
    /** After the commit. */
    release: async (): Promise<void> => {
      await Promise.all(held.splice(0).map((effect) => effect()));
    },
  };
};
