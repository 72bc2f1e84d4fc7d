import type { Logger } from '../logger.ts';
import type { EventName } from './event-names.ts';
import { currentReference } from './request-reference.ts';

/**
 * What an event may say. Nothing here holds what a person typed: an account is named by its id, never by an
 * identifier.
 */
export interface EventFields {
  accountId?: string | undefined;
  clientId?: string | undefined;
  brand?: string | undefined;
  /** How a person proved who they are. */
  method?: 'password' | 'code' | 'ticket' | 'session' | undefined;
  purpose?: string | undefined;
  channel?: 'sms' | 'email' | undefined;
  kind?: 'phone' | 'email' | undefined;
  grantType?: string | undefined;
  /** The code of an error: of the contract or of OAuth. */
  reason?: string | undefined;
  /** What the reason does not tell, in words of the server's own. */
  detail?: string | undefined;
  /** The name of a limit, without whom it counts. */
  limit?: string | undefined;
  final?: boolean | undefined;
  count?: number | undefined;
  /** Settings by their names, without any that is secret. */
  settings?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Set only where the event does not belong to the request that is being served. */
  requestId?: string | undefined;
}

/** How often an event happened in this process, since it started. */
interface EventCount {
  event: EventName;
  reason: string;
  count: number;
}

export interface Events {
  /** Writes one line at info and counts it. Call it after the commit of what it says. */
  emit(event: EventName, fields?: EventFields): void;
  /** What this process counted, by event and reason. */
  counts(): EventCount[];
}

/** What an emitter needs. */
export type EventSink = Pick<Events, 'emit'>;

/** Reasons are codes of errors; anything else would make a metric of each text. */
const isCode = (reason: string) => /^[a-z_]{1,64}$/.test(reason);

export const createEvents = (logger: Pick<Logger, 'info'>): Events => {
  const counted = new Map<string, EventCount>();
  return {
    emit: (event, fields = {}) => {
      const reason = fields.reason !== undefined && isCode(fields.reason) ? fields.reason : '';
      const key = `${event} ${reason}`;
      const entry = counted.get(key) ?? { event, reason, count: 0 };
      entry.count += 1;
      counted.set(key, entry);
      logger.info({ event, requestId: currentReference(), ...fields }, event);
    },
    counts: () => [...counted.values()].map((entry) => ({ ...entry })),
  };
};
