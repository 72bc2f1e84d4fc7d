import type { SignalDelivery, SignalStream } from '@candela/contract';
import type { DeliveredSignal } from '../../link/signal-delivery/delivered-signals.repository.ts';
import { deliveredEvents, POLL, PUSH, type Stream, supportedEvents } from '../../link/stream/stream.ts';
import { pollUrlOf } from '../ssf/ssf-paths.ts';

const methods: Readonly<Record<Stream['delivery_method'], SignalStream['deliveryMethod']>> = {
  [PUSH]: 'push',
  [POLL]: 'poll',
  webhook: 'webhook',
  google: 'google',
};

/** A stream as its developers see it; `origin` is that of its brand. */
export const toSignalStream = (stream: Stream, origin: string): SignalStream => ({
  id: stream.id,
  deliveryMethod: methods[stream.delivery_method],
  endpointUrl: stream.endpoint_url ?? pollUrlOf(origin, stream.id),
  events: deliveredEvents(stream),
  eventsSupported: supportedEvents,
  status: stream.status,
  ...(stream.status_reason !== null && { statusReason: stream.status_reason }),
  ...(stream.failing_since && { failingSince: stream.failing_since.toISOString() }),
  ...(stream.verified_at && { verifiedAt: stream.verified_at.toISOString() }),
  createdAt: stream.created_at.toISOString(),
  updatedAt: stream.updated_at.toISOString(),
});

/** What became of a signal, as developers see it. */
export const toDelivery = (signal: DeliveredSignal): SignalDelivery => ({
  id: signal.jti,
  event: signal.event,
  createdAt: signal.created_at.toISOString(),
  ...(signal.settled_at && { settledAt: signal.settled_at.toISOString() }),
  attempts: signal.attempts,
  ...(signal.outcome !== null && { outcome: signal.outcome as NonNullable<SignalDelivery['outcome']> }),
  ...(signal.outcome_status !== null && { status: signal.outcome_status }),
  ...(signal.outcome_detail !== null && { detail: signal.outcome_detail }),
  ...(signal.outcome_ms !== null && { ms: signal.outcome_ms }),
});
