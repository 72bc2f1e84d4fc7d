import type { CodePurpose, Locale } from '@candela/contract';
import type { IdentifierKind } from '../identifier/identifier.ts';

export type MessageChannel = 'sms' | 'email';

/** What becomes of a phone number or an e-mail address: it came, went, is about to, or stays after all. */
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

/** What people are told of without being asked for anything. */
type NoticeKind = 'password_changed' | ContactNoticeKind;

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
  /** Who speaks; `mailFrom` is the brand's own sender where it has one. */
  brand: { name: string; mailFrom?: string };
}

/** A message with the name that stays its own through every retry. */
export interface IdentifiedMessage extends Message {
  id: string;
}

/** The gateway of one channel. */
export interface MessageSender {
  /**
   * Resolves when the gateway has taken the message over.
   * @throws DeliveryError when it has not, or when nobody can tell
   */
  send(message: IdentifiedMessage): Promise<void>;
}

/**
 * How a delivery failed: `later` the gateway did not take it and may in a while; `never` it refuses this
 * message; `unknown` all of the message was handed over and the answer stayed away, so that another try
 * could be a second message.
 */
export type DeliveryFailure = 'later' | 'never' | 'unknown';

/** Its message names the reason and never the person or the text. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly failure: DeliveryFailure;

  constructor(failure: DeliveryFailure, reason: string) {
    super(reason);
    this.failure = failure;
  }
}

export const channelOf = (kind: IdentifierKind): MessageChannel => (kind === 'phone' ? 'sms' : 'email');
