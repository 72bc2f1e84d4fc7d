import { type Locale, maskIdentifier } from '@candela/contract';
import type { Identifier } from '../identifier/identifier.ts';
import { type MessageBrand, speakerOf } from './code-message.ts';
import { contactNoticeTexts } from './contact-notice-texts.ts';
import { renderMail } from './mail-html.ts';
import { type ContactNoticeKind, channelOf, type Message } from './message.ts';
import { passwordNoticeTexts } from './notice-texts.ts';

type Contact = Pick<Identifier, 'kind' | 'value'>;

/** What happened to an account. */
export type Notice = {
  at: Date;
  /** The account's, not that of the browser in which it happened. */
  locale: Locale;
  brand: MessageBrand;
} & (
  | { notice: 'password_changed' }
  | {
      notice: ContactNoticeKind;
      /** The one that came or is to come; else the one that went, is to go, or stays. */
      contact: Contact;
      /** For who reads the messages of this one, a link that undoes it. */
      undo?: { to: string; token: string };
      /** The value of one that went because another stays. */
      removed?: string;
    }
);

/** Whether what happened took the contact from its account. */
const isRemoved = (event: Notice, { kind, value }: Contact): boolean => {
  if (event.notice === 'password_changed' || event.contact.kind !== kind) return false;
  if (event.notice.endsWith('_unbound')) return event.contact.value === value;
  return event.notice.endsWith('_changed') ? event.contact.value !== value : event.removed === value;
};

/** The message that tells a person what happened to the account, so that whoever did not do it finds out. */
export const createNoticeMessage = (event: Notice, to: Contact): Message => {
  const { notice, at, locale, brand } = event;
  const texts =
    notice === 'password_changed' ? passwordNoticeTexts[locale] : contactNoticeTexts(locale, notice);
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);
  const values = {
    brand: brand.name,
    time: `${time} UTC`,
    link: `${brand.origin}/findbackPWD`,
    // Behind the # it reaches no log and no referrer.
    ...('undo' in event &&
      event.undo?.to === to.value && { undoLink: `${brand.origin}/undo#${event.undo.token}` }),
    contact: maskIdentifier(('contact' in event ? event.contact : to).value),
    isRemoved: isRemoved(event, to),
  };
  const channel = channelOf(to.kind);
  const message = { channel, to: to.value, locale, purpose: notice, brand: speakerOf(brand) };
  if (channel === 'sms') return { ...message, text: texts.sms(values) };
  const subject = texts.subject(values);
  const paragraphs = texts.email(values);
  const html = renderMail({ locale, brand, subject, paragraphs });
  return { ...message, subject, text: [...paragraphs, brand.name].join('\n\n'), html };
};
