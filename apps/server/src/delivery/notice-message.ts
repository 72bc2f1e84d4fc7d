import type { Locale } from '@candela/contract';
import type { Identifier } from '../identifier/identifier.ts';
import { type MessageBrand, speakerOf } from './code-message.ts';
import { renderMail } from './mail-html.ts';
import { channelOf, type Message, type NoticeKind } from './message.ts';
import { noticeTexts } from './notice-texts.ts';

export interface NoticeMessageInput {
  /** One contact of the account; each gets a message of its own. */
  identifier: Pick<Identifier, 'kind' | 'value'>;
  notice: NoticeKind;
  at: Date;
  /** The account's, not that of the browser in which it happened. */
  locale: Locale;
  brand: MessageBrand;
}

/** The message that tells a person what happened to the account, so that whoever did not do it finds out. */
export const createNoticeMessage = ({
  identifier,
  notice,
  at,
  locale,
  brand,
}: NoticeMessageInput): Message => {
  const texts = noticeTexts[locale][notice];
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);
  const values = { brand: brand.name, time: `${time} UTC`, link: `${brand.origin}/findbackPWD` };
  const channel = channelOf(identifier.kind);
  const message = { channel, to: identifier.value, locale, purpose: notice, brand: speakerOf(brand) };
  if (channel === 'sms') return { ...message, text: texts.sms(values) };
  const subject = texts.subject(values);
  const paragraphs = texts.email(values);
  const html = renderMail({ locale, brand, subject, paragraphs });
  return { ...message, subject, text: [...paragraphs, brand.name].join('\n\n'), html };
};
