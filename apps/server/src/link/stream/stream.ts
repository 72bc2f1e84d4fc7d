import type { Selectable } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { isSignalName, type SignalName, signalEvents } from '../../person/signal/signal-events.ts';

/** A stream as the database has it. */
export type Stream = Selectable<Database['signal_stream']>;

export type StreamStatus = Stream['status'];

/** Whose streams are meant: those of a client at a brand. */
export interface StreamOwner {
  brand: string;
  clientId: string;
}

/** The receiver polls (RFC 8936), or it is pushed to (RFC 8935). */
export const PUSH = 'urn:ietf:rfc:8935';
export const POLL = 'urn:ietf:rfc:8936';

/** The receiver is Google, which hears of links that ended. */
export const GOOGLE = 'google';

/** How a stream hands its signals over. */
export interface Delivery {
  method: typeof PUSH | typeof POLL | 'webhook' | typeof GOOGLE;
  /** Absent for a poll. */
  endpointUrl?: string;
  /** The Authorization header of a push; undefined leaves out the one that there was. */
  authorizationHeader?: string;
  /** For Google: the key file of the service account that calls, JSON. */
  serviceAccount?: string;
}

/** What a receiver sets of its stream. */
export interface StreamDraft {
  delivery: Delivery;
  /** Event types as the receiver names them, unknown ones included; absent: all. */
  events?: readonly string[];
  description?: string;
}

/** Every event that a receiver can be told of. */
export const supportedEvents = Object.keys(signalEvents) as SignalName[];

const nameOfUri = new Map<string, SignalName>(supportedEvents.map((name) => [signalEvents[name], name]));

/** Known event types by their names, unknown ones as they are: a later release may know them. */
export const namesOfEvents = (events: readonly string[]): string[] => [
  ...new Set(events.map((event) => nameOfUri.get(event) ?? event)),
];

/** Event types as the receiver named them. */
export const urisOfEvents = (names: readonly string[]): string[] =>
  names.map((name) => (isSignalName(name) ? signalEvents[name] : name));

/** The events that a stream has: of those that the receiver asked for, those that there are. */
export const deliveredEvents = ({ events_requested }: Pick<Stream, 'events_requested'>): SignalName[] =>
  events_requested.filter(isSignalName);

/** Where Google is told (Google Account Linking API, section RISC). */
const GOOGLE_ENDPOINT = 'https://risc.googleapis.com/v1/events:publish';

/** A stream to Google, by a service account. Of all events Google takes one: that a link ended. */
export const draftForGoogle = (serviceAccount: string): StreamDraft => ({
  delivery: { method: GOOGLE, endpointUrl: GOOGLE_ENDPOINT, serviceAccount },
  events: [signalEvents['link-ended']],
});
