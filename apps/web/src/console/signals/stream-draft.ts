import type { SetStream, SignalStream, StreamDeliveryMethod } from '@candela/contract';
import { signalNames } from '@candela/contract/rules/signal-names';

/** The ways to hand signals over, the simplest first. */
export const offeredMethods = ['webhook', 'push', 'poll'] as const satisfies readonly StreamDeliveryMethod[];

/** A stream as the form shows it. */
export interface StreamDraft {
  deliveryMethod: StreamDeliveryMethod;
  /** As typed; of no use where the receiver polls. */
  endpointUrl: string;
  events: readonly string[];
}

/** The stream that there is, or a new one of all events. */
export const draftOfStream = (stream: SignalStream | null): StreamDraft => {
  const deliveryMethod = offeredMethods.find((method) => method === stream?.deliveryMethod) ?? 'webhook';
  return {
    deliveryMethod,
    endpointUrl: stream && deliveryMethod !== 'poll' ? stream.endpointUrl : '',
    events: stream?.events ?? signalNames,
  };
};

/** What the request says of a draft; the events in the order of the list, whichever was chosen first. */
export const bodyOfStream = ({ deliveryMethod, endpointUrl, events }: StreamDraft): SetStream => ({
  deliveryMethod,
  ...(deliveryMethod !== 'poll' && { endpointUrl: endpointUrl.trim() }),
  events: signalNames.filter((name) => events.includes(name)),
});
