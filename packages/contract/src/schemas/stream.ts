import * as z from 'zod/mini';

const text = z.string().check(z.maxLength(2048, 'value_invalid'));

/** How a stream hands signals over: pushed, fetched, or as webhooks. */
export const deliveryMethods = ['push', 'poll', 'webhook'] as const;
export type StreamDeliveryMethod = (typeof deliveryMethods)[number];

/** The stream of signals of a client at the brand of the address. */
export const SignalStream = z.object({
  id: z.string(),
  /** `google`: to Google's own endpoint, which an operator sets up. */
  deliveryMethod: z.enum([...deliveryMethods, 'google']),
  /** Where signals are sent to; for `poll`, where they are fetched. */
  endpointUrl: z.string(),
  /** The names of the events that it has. */
  events: z.array(z.string()),
  /** The names of all events that it could have. */
  eventsSupported: z.array(z.string()),
  status: z.enum(['enabled', 'paused', 'disabled']),
  statusReason: z.optional(z.string()),
  /** Since when nothing was taken; absent where the last signal was. */
  failingSince: z.optional(z.iso.datetime()),
  /** When a test was last taken. */
  verifiedAt: z.optional(z.iso.datetime()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type SignalStream = z.infer<typeof SignalStream>;

/** What became of one signal. */
export const SignalDelivery = z.object({
  /** The id that its receiver knows it by: `jti`, or `webhook-id`. */
  id: z.string(),
  /** The name of the event; `verification` for a test. */
  event: z.string(),
  createdAt: z.iso.datetime(),
  /** Absent while it waits. */
  settledAt: z.optional(z.iso.datetime()),
  attempts: z.int(),
  /** How the last try ended; absent before. */
  outcome: z.optional(z.enum(['told', 'refused', 'timed_out', 'not_taken', 'dropped'])),
  /** The HTTP status of the last try. */
  status: z.optional(z.int()),
  /** What went wrong, in the server's English or the receiver's words. */
  detail: z.optional(z.string()),
  /** How long the last try took. */
  ms: z.optional(z.int()),
});
export type SignalDelivery = z.infer<typeof SignalDelivery>;

export const ClientStream = z.object({
  /** Null: the client has none. */
  stream: z.nullable(SignalStream),
  /** The last 50, the newest first. */
  deliveries: z.array(SignalDelivery),
});
export type ClientStream = z.infer<typeof ClientStream>;

export const SetStream = z.strictObject({
  deliveryMethod: z.enum(deliveryMethods, 'value_invalid'),
  /** Absent for `poll`. */
  endpointUrl: z.optional(text),
  /** Names of events; unknown ones are ignored. */
  events: z.array(text).check(z.maxLength(50, 'too_many_values')),
});
export type SetStream = z.infer<typeof SetStream>;

/** One signal, by the id of its delivery. */
export const ReplaySignal = z.strictObject({ id: text });

export const StreamSecret = z.object({
  /** `whsec_` and base64; in this answer only. */
  secret: z.string(),
});
