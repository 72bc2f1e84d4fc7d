import type { CodePurpose, Locale } from '@candela/contract';
import type { IdentifierKind } from '../identifier/identifier.ts';

export type MessageChannel = 'sms' | 'email';

/** One message to one person. */
export interface Message {
  channel: MessageChannel;
  /** The canonical address: E.164, or the compare key of an e-mail address. */
  to: string;
  locale: Locale;
  purpose: CodePurpose;
  code?: string;
  /** E-mail only. */
  subject?: string;
  text: string;
}

/** Takes messages to people. */
export interface MessageSender {
  /**
   * Resolves when the message is accepted for delivery.
   * @throws when it is not; nothing was sent then
   */
  send(message: Message): Promise<void>;
}

export const channelOf = (kind: IdentifierKind): MessageChannel => (kind === 'phone' ? 'sms' : 'email');
