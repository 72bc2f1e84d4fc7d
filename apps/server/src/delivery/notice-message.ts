import type { Locale } from '@candela/contract';
import { RECOVERY_PAGE } from '@candela/contract/pages';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Identifier } from '../identifier/identifier.ts';
import { type MessageBrand, speakerOf } from './code-message.ts';
import { renderMail, signatureOf } from './mail-html.ts';
import { type ContactNoticeKind, channelOf, type Message } from './message.ts';
import { createWords, writeMoment } from './message-texts.ts';

type Contact = Pick<Identifier, 'kind' | 'value'>;

/** What happened to an account. */
export type Notice = {
  at: Date;
  /** The language of the account, whatever the language of the browser that made the change. */
  locale: Locale;
  brand: MessageBrand;
} & (
  | { notice: 'password_changed' }
  | {
      notice: ContactNoticeKind;
      /** The contact that was added or will be added; else the contact that was removed, will be removed, or stays. */
      contact: Contact;
      /** A link that undoes the change, for the reader of the messages to this contact. */
      undo?: { to: string; token: string };
      /** The value of a contact that was removed because another one stays. */
      removed?: string;
    }
);

/** Whether the account has lost the contact. */
const isRemoved = (event: Notice, { kind, value }: Contact): boolean => {
  if (event.notice === 'password_changed' || event.contact.kind !== kind) return false;
  if (event.notice.endsWith('_unbound')) return event.contact.value === value;
  return event.notice.endsWith('_changed') ? event.contact.value !== value : event.removed === value;
};

/** The advice to a reader who did not make the change: the link that undoes it, if this contact has one. */
const adviceOf = (event: Notice, to: Contact) => {
  const { origin } = event.brand;
  // A fragment reaches no log and no referrer.
  if ('undo' in event && event.undo?.to === to.value)
    return { advice: 'undo', link: `${origin}/undo#${event.undo.token}` } as const;
  const link = `${origin}${RECOVERY_PAGE}`;
  if (isRemoved(event, to)) return { advice: 'lost', link } as const;
  return { advice: event.notice === 'password_changed' ? 'password' : 'contact', link } as const;
};

/** The message to one contact of an account about a change to it: a change by somebody else is noticed. */
export const createNoticeMessage = (event: Notice, to: Contact): Message => {
  const { notice, at, locale, brand } = event;
  const words = createWords(locale, brand.texts?.[locale]);
  const { advice, link } = adviceOf(event, to);
  const contact = maskIdentifier(('contact' in event ? event.contact : to).value);
  const values = { brand: brand.name, contact, time: writeMoment(at, locale), link };
  const channel = channelOf(to.kind);
  const message = { channel, to: to.value, locale, purpose: notice, brand: speakerOf(brand) };
  if (channel === 'sms') {
    const short = words(`notice.smsAdvice.${advice === 'contact' ? 'password' : advice}`, values);
    // One character outside GSM 03.38 doubles the price of a message in Latin letters.
    const plain = contact.replaceAll('•', '*');
    return { ...message, text: words(`notice.${notice}.sms`, { ...values, contact: plain, advice: short }) };
  }
  const subject = words(`notice.${notice}.subject`, values);
  const paragraphs = [
    words('greeting'),
    words(`notice.${notice}.email`, values),
    words('notice.wasMe'),
    words(`notice.advice.${advice}`, values),
  ];
  const html = renderMail({ locale, brand, subject, paragraphs, link });
  return { ...message, subject, text: [...paragraphs, signatureOf(brand)].join('\n\n'), html };
};
