import type { CodePurpose, Locale } from '@candela/contract';
import type { BrandTexts } from '../brand/brand-texts.ts';
import type { Identifier } from '../identifier/identifier.ts';
import { type MailBrand, renderMail, signatureOf } from './mail-html.ts';
import { channelOf, type Message } from './message.ts';
import { codeTextsOf } from './own-words.ts';

/** The part of a brand that stands in messages. */
export interface MessageBrand extends MailBrand {
  origin: string;
  mailFrom?: string | undefined;
  texts?: BrandTexts | undefined;
}

export interface CodeMessageInput {
  identifier: Identifier;
  purpose: CodePurpose;
  code: string;
  locale: Locale;
  brand: MessageBrand;
  ttlSeconds: number;
}

/** Who speaks in a message of this brand. */
export const speakerOf = ({ name, mailFrom }: MessageBrand): Message['brand'] => ({
  name,
  ...(mailFrom !== undefined && { mailFrom }),
});

/** The message that brings a verification code, in the person's language. */
export const createCodeMessage = (input: CodeMessageInput): Message => {
  const { identifier, purpose, code, locale, brand } = input;
  const texts = codeTextsOf(locale, brand.texts?.[locale]);
  const minutes = Math.max(1, Math.floor(input.ttlSeconds / 60));
  const values = { brand: brand.name, code, minutes, purpose: texts.purposes[purpose] };
  const channel = channelOf(identifier.kind);
  const message = { channel, to: identifier.value, locale, purpose, code, brand: speakerOf(brand) };
  if (channel === 'email') {
    const subject = texts.subject(values);
    const paragraphs = texts.email(values);
    const html = renderMail({ locale, brand, subject, paragraphs, highlight: code });
    return { ...message, subject, text: [...paragraphs, signatureOf(brand)].join('\n\n'), html };
  }
  // Origin-bound one-time codes: browsers fill the code in on this host alone.
  const bound = `@${new URL(brand.origin).hostname} #${code}`;
  return { ...message, text: `${texts.sms(values)}\n\n${bound}` };
};
