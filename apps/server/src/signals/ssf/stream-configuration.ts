import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';
import { MIN_VERIFICATION_SECONDS } from '../../link/stream/stream.service.ts';
import {
  type Delivery,
  deliveredEvents,
  POLL,
  PUSH,
  type Stream,
  type StreamDraft,
  supportedEvents,
  urisOfEvents,
} from '../../link/stream/stream.ts';
import { pollUrlOf } from './ssf-paths.ts';

const text = z.string();

/** What a receiver sends of a stream; what else is there is ignored. */
export const StreamBody = z.object({
  delivery: z.optional(
    z.object({
      method: text,
      endpoint_url: z.optional(text),
      authorization_header: z.optional(text),
    }),
  ),
  events_requested: z.optional(z.array(text)),
  description: z.optional(text),
});
export type StreamBody = z.infer<typeof StreamBody>;

/** As `StreamBody`, with what names the stream, and what this side supplies. */
export const NamedStreamBody = z.object({
  ...StreamBody.shape,
  stream_id: text,
  iss: z.optional(z.unknown()),
  aud: z.optional(z.unknown()),
  events_supported: z.optional(z.unknown()),
  events_delivered: z.optional(z.unknown()),
  min_verification_interval: z.optional(z.unknown()),
});
export type NamedStreamBody = z.infer<typeof NamedStreamBody>;

/** How a webhook is called here: the framework knows none. Developers set it up in the console. */
const WEBHOOK = 'urn:candela:delivery:webhook';

/** The configuration of a stream (Shared Signals Framework 1.0 section 8.1.1). The header of a push is a secret. */
export const configurationOf = (stream: Stream, origin: string) => ({
  stream_id: stream.id,
  iss: origin,
  aud: stream.client_id,
  delivery: {
    method: stream.delivery_method === 'webhook' ? WEBHOOK : stream.delivery_method,
    endpoint_url: stream.endpoint_url ?? pollUrlOf(origin, stream.id),
  },
  events_supported: urisOfEvents(supportedEvents),
  events_requested: urisOfEvents(stream.events_requested),
  events_delivered: urisOfEvents(deliveredEvents(stream)),
  min_verification_interval: MIN_VERIFICATION_SECONDS,
  ...(stream.description !== null && { description: stream.description }),
});

const refuse = (field: string) => new AppError('value_invalid', { fields: { [field]: 'value_invalid' } });

/** @throws AppError value_invalid for a method that is not supported */
const toDelivery = (given: NonNullable<StreamBody['delivery']>): Delivery => {
  const { method, endpoint_url: endpointUrl, authorization_header: authorizationHeader } = given;
  if (method === POLL) return { method };
  if (method !== PUSH) throw refuse('delivery.method');
  return {
    method,
    ...(endpointUrl !== undefined && { endpointUrl }),
    ...(authorizationHeader !== undefined && { authorizationHeader }),
  };
};

/** What a change of a stream changes. @throws AppError value_invalid */
export const changeOf = ({ delivery, events_requested, description }: StreamBody): Partial<StreamDraft> => ({
  ...(delivery && { delivery: toDelivery(delivery) }),
  ...(events_requested && { events: events_requested }),
  ...(description !== undefined && { description }),
});

/** A whole stream; a receiver that names no delivery polls (section 8.1.1.1). @throws AppError value_invalid */
export const draftOf = (body: StreamBody): StreamDraft => ({ delivery: { method: POLL }, ...changeOf(body) });

const supplied = ['iss', 'aud', 'events_supported', 'events_delivered', 'min_verification_interval'] as const;

const asSet = (value: unknown): string => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);

/** What this side supplies may be sent back, as it is (section 8.1.1.3). @throws AppError value_invalid */
export const requireSupplied = (body: NamedStreamBody, stream: Stream, origin: string): void => {
  const current = configurationOf(stream, origin);
  const changed = supplied.find(
    (name) => body[name] !== undefined && asSet(body[name]) !== asSet(current[name]),
  );
  if (changed) throw refuse(changed);
};
