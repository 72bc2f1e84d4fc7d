import type { Logger } from '../logger.ts';
import type { EventName } from './event-names.ts';
import { currentReference } from './request-reference.ts';

/**
 * The fields of an event. None holds text that a person typed: an account is named by its id, never by an
 * identifier.
 */
export interface EventFields {
  accountId?: string | undefined;
  clientId?: string | undefined;
  /** Who did it, where it was not the person of the account. */
  actor?: 'operator' | undefined;
  brand?: string | undefined;
  /** How a person proved who they are. */
  method?:
    | 'password'
    | 'code'
    | 'ticket'
    | 'session'
    | 'passkey'
    | 'provider'
    | 'totp'
    | 'recovery_code'
    | undefined;
  /** The id of an identity provider. */
  provider?: string | undefined;
  purpose?: string | undefined;
  channel?: 'sms' | 'email' | undefined;
  kind?: 'phone' | 'email' | undefined;
  grantType?: string | undefined;
  /** The code of an error of the contract or of OAuth. */
  reason?: string | undefined;
  /** Details beyond the reason, in the server's own words. */
  detail?: string | undefined;
  /** The name of a limit, without who is counted. */
  limit?: string | undefined;
  final?: boolean | undefined;
  count?: number | undefined;
  /** Settings by name, without secret ones. */
  settings?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** The reference of a request; set only where the event does not belong to the request that is being served. */
  requestId?: string | undefined;
}

/** How often an event happened in this process, since it started. What an event does not have is an empty text. */
export interface EventCount {
  event: EventName;
  reason: string;
  /** How a person proved who they are. */
  method: string;
  /** The name of a limit. */
  limit: string;
  count: number;
}

export interface Events {
  /** Logs an event, at info or at warn, and counts it. To be called after the commit of what the event reports. */
  emit(event: EventName, fields?: EventFields): void;
  /** The counts of this process, by event, reason, method and limit. */
  counts(): EventCount[];
}

/** Takes events. */
export type EventSink = Pick<Events, 'emit'>;

/** The form of an error code: any other reason would make a metric of each text. */
const isCode = (reason: string) => /^[a-z_]{1,64}$/.test(reason);

/** What an operator is to look at, whatever else the log says. */
const warnings: ReadonlySet<EventName> = new Set<EventName>([
  'client.own_opened',
  'signal.parked',
  'desk.looks_exhausted',
]);

/** @param isUncounted whether an event is logged alone: nothing that it is about counts */
export const createEvents = (
  logger: Pick<Logger, 'info' | 'warn'>,
  isUncounted: (fields: EventFields) => boolean = () => false,
): Events => {
  const counted = new Map<string, EventCount>();
  return {
    emit: (event, fields = {}) => {
      const reason = fields.reason !== undefined && isCode(fields.reason) ? fields.reason : '';
      const { method = '', limit = '' } = fields;
      const key = `${event} ${reason} ${method} ${limit}`;
      const entry = counted.get(key) ?? { event, reason, method, limit, count: 0 };
      if (!isUncounted(fields)) {
        entry.count += 1;
        counted.set(key, entry);
      }
      const level = warnings.has(event) ? 'warn' : 'info';
      logger[level]({ event, requestId: currentReference(), ...fields }, event);
    },
    counts: () => [...counted.values()].map((entry) => ({ ...entry })),
  };
};
