import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';

/** How a stream hands its signals over: by push (RFC 8935), poll (RFC 8936), webhook, or to Google's endpoint. */
export type DeliveryMethod = 'urn:ietf:rfc:8935' | 'urn:ietf:rfc:8936' | 'webhook' | 'google';

/** A stream of signals to one client at one brand. */
export interface SignalStreamTable {
  id: string;
  brand: string;
  client_id: string;
  delivery_method: DeliveryMethod;
  /** Null where the receiver polls. */
  endpoint_url: string | null;
  /** The Authorization header that the receiver wants of a push, sealed. */
  authorization_header_sealed: string | null;
  /** A JSON array of `WebhookSecret`, the newest first, sealed; null for other methods. */
  webhook_secrets_sealed: string | null;
  /** The service account that calls Google's endpoint, as JSON, sealed; null for other methods. */
  service_account_sealed: string | null;
  /** The names of events that the receiver asked for; what it gets is checked against what is supported. */
  events_requested: string[];
  description: string | null;
  status: Generated<'enabled' | 'paused' | 'disabled'>;
  status_reason: string | null;
  /** `all`: every account that concerns the client, but those left out; `named`: those that were added. */
  subjects: Generated<'all' | 'named'>;
  /** Since when no delivery succeeded; null where the last one did. */
  failing_since: Date | null;
  /** When its receiver came back: what waits for its next try is being made due. Null where that is done. */
  hurried_at: Date | null;
  /** When it was disabled: what it had until then is being dropped, and it sends nothing. Null where that is done. */
  dropped_at: Date | null;
  verified_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** An account that a receiver added to its stream or took out of it. */
export interface SignalSubjectTable {
  stream_id: string;
  account_id: string;
  included: boolean;
}

/** One event for one stream. Settled rows stay for 30 days, to be sent again. */
export interface SignalTable {
  /** The order of delivery. */
  id: GeneratedAlways<string>;
  jti: Generated<string>;
  stream_id: string;
  /** Null for an event about the stream itself. The account may be deleted by now. */
  account_id: string | null;
  /** The session that the event is about, as the client knows it (`sid`); null: it is about the account. */
  sid: string | null;
  /** The name of the event (`signal-events.ts`); `verification` and `stream-updated` of the framework itself. */
  event: string;
  /** The members of the event, without its subject. */
  payload: ColumnType<Record<string, unknown>, string | undefined, string>;
  created_at: Generated<Date>;
  due_at: Generated<Date>;
  attempts: Generated<number>;
  /** Null while it waits. */
  settled_at: Date | null;
  outcome: string | null;
  outcome_status: number | null;
  outcome_detail: string | null;
  outcome_ms: number | null;
}

/** A link that ended, and why; kept for 90 days, for the person and for the developers of the client. */
export interface EndedLinkTable {
  brand: string;
  /** The id of the grant. */
  id: string;
  account_id: string;
  client_id: string;
  scope: string;
  /** What the person called it. */
  label: string | null;
  reason: LinkEndReason;
  /** When it was made. */
  since: Date;
  ended_at: Generated<Date>;
}

/** Why a link ended. */
export type LinkEndReason =
  | 'withdrawn'
  | 'revoked_by_client'
  | 'token_theft'
  | 'code_reused'
  | 'client_disabled'
  | 'client_deleted'
  | 'account_disabled'
  | 'account_deleted'
  | 'expired';

export type SignalStreamRow = Selectable<SignalStreamTable>;
export type SignalRow = Selectable<SignalTable>;
export type EndedLinkRow = Selectable<EndedLinkTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    signal_stream: SignalStreamTable;
    signal_subject: SignalSubjectTable;
    signal: SignalTable;
    ended_link: EndedLinkTable;
  }
}
