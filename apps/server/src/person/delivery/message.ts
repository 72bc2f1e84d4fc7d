import type { CodePurpose, Locale } from '@candela/contract';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import { hashToken } from '../../ground/opaque-token.ts';

export type MessageChannel = 'sms' | 'email';

/**
 * Notices about a phone number or an e-mail address: it was added, replaced or removed, is about to be, or stays.
 * @internal exported for tests
 */
export const contactNoticeKinds = [
  'phone_bound',
  'phone_changed',
  'phone_unbound',
  'email_bound',
  'email_changed',
  'email_unbound',
  'phone_change_waits',
  'phone_unbind_waits',
  'phone_kept',
  'email_change_waits',
  'email_unbind_waits',
  'email_kept',
] as const;
export type ContactNoticeKind = (typeof contactNoticeKinds)[number];

/**
 * Notices about the account itself.
 * @internal exported for tests
 */
export const accountNoticeKinds = [
  'password_changed',
  'totp_added',
  'totp_removed',
  'recovery_codes_made',
  'recovery_codes_undone',
  'recovery_code_used',
  'recovery_wait_stopped',
  'passkey_added',
  'passkey_removed',
  'passkey_counter',
  'deletion_requested',
  'deletion_cancelled',
  'account_deleted',
  'export_ready',
  'recovery_help',
  'contact_checked',
  'app_shared',
  'developer_allowed',
  'developer_refused',
] as const;
export type AccountNoticeKind = (typeof accountNoticeKinds)[number];

/** Notices about a way in through an identity provider. */
export type ProviderNoticeKind =
  | 'provider_linked'
  | 'provider_unlinked'
  | 'provider_restored'
  | 'provider_closed'
  | 'provider_mail_stopped';

/** Notices that people get without having asked for a code. */
type NoticeKind =
  | AccountNoticeKind
  | ContactNoticeKind
  | ProviderNoticeKind
  | 'new_browser'
  | 'recovery_wait_started'
  | 'link_ends'
  | 'caller_check'
  | 'account_created';

/** One message to one person. */
export interface Message {
  channel: MessageChannel;
  /** The canonical address: E.164, or the compare key of an e-mail address. */
  to: string;
  locale: Locale;
  purpose: CodePurpose | NoticeKind;
  code?: string;
  /** E-mail only. */
  subject?: string;
  text: string;
  /** E-mail only. */
  html?: string;
  /** The brand that sends the message; `mailFrom` is its own sender address where it has one. */
  brand: { name: string; mailFrom?: string };
  /** It stands for a message, and is never sent: whether one was promised shows neither by an answer nor by its time. */
  isDropped?: true;
}

/** A message with an id that is the same for every try. */
export interface IdentifiedMessage extends Message {
  id: string;
}

/** The gateway of one channel. */
export interface MessageSender {
  /**
   * Resolves when the gateway has taken the message over.
   * @throws DeliveryError when it has not, or when that is unknown
   */
  send(message: IdentifiedMessage): Promise<void>;
}

/**
 * How a delivery failed:
 * - `later`: the gateway did not take the message, and may take it later;
 * - `never`: the gateway refuses this message;
 * - `unknown`: the whole message was handed over and no answer came: another try could be a second message.
 */
export type DeliveryFailure = 'later' | 'never' | 'unknown';

/** A failed delivery. The error message holds the reason, never the person or the text. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly failure: DeliveryFailure;

  constructor(failure: DeliveryFailure, reason: string) {
    super(reason);
    this.failure = failure;
  }
}

export const channelOf = (kind: IdentifierKind): MessageChannel => (kind === 'phone' ? 'sms' : 'email');

/** What is noted of a message beside its sealed text. */
export const sentOf = ({ to, purpose, isDropped }: Message) => ({
  recipient_hash: hashToken(to),
  purpose,
  state: isDropped ? ('dropped' as const) : ('waiting' as const),
});
