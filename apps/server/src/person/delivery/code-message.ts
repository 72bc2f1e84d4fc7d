import type { CodePurpose, Locale } from '@candela/contract';
import type { BrandTexts } from '../../branding/brand/brand-texts.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { type MailBrand, renderMail, signatureOf } from './mail-html.ts';
import { channelOf, type Message } from './message.ts';
import { createWords, writeMinutes } from './message-texts.ts';

/** The part of a brand that messages show. */
export interface MessageBrand extends MailBrand {
  origin: string;
  mailFrom?: string | undefined;
  texts?: BrandTexts | undefined;
}

export interface CodeMessageInput {
  identifier: Pick<Identifier, 'kind' | 'value'>;
  purpose: CodePurpose;
  code: string;
  locale: Locale;
  brand: MessageBrand;
  ttlSeconds: number;
}

/** The sender of a message of this brand. */
export const speakerOf = ({ name, mailFrom }: MessageBrand): Message['brand'] => ({
  name,
  ...(mailFrom !== undefined && { mailFrom }),
});

/** The message with a verification code, in the person's language. */
export const createCodeMessage = (input: CodeMessageInput): Message => {
  const { identifier, purpose, code, locale, brand } = input;
  const own = brand.texts?.[locale];
  const words = createWords(locale, own);
  const values = {
    brand: brand.name,
    code,
    purpose: words(`code.purposes.${purpose === 'bind' ? (`bind_${identifier.kind}` as const) : purpose}`),
    duration: writeMinutes(Math.max(1, Math.floor(input.ttlSeconds / 60)), locale, own),
  };
  const channel = channelOf(identifier.kind);
  const message = { channel, to: identifier.value, locale, purpose, code, brand: speakerOf(brand) };
  if (channel === 'email') {
    const subject = words('code.subject', values);
    const paragraphs = words('code.email', values).split(/\n{2,}/);
    const html = renderMail({ locale, brand, subject, paragraphs, highlight: code });
    return { ...message, subject, text: [...paragraphs, signatureOf(brand)].join('\n\n'), html };
  }
  // Origin-bound one-time codes: browsers fill the code in on this host only.
  const bound = `@${new URL(brand.origin).hostname} #${code}`;
  return { ...message, text: `${words('code.sms', values)}\n\n${bound}` };
};

/** The message with the code that a caller reads to whoever answers the phone: it opens nothing, so no browser fills it in. */
export const createCallerMessage = (input: Omit<CodeMessageInput, 'purpose'>): Message => {
  const { identifier, code, locale, brand } = input;
  const own = brand.texts?.[locale];
  const words = createWords(locale, own);
  const duration = writeMinutes(Math.max(1, Math.floor(input.ttlSeconds / 60)), locale, own);
  const values = { brand: brand.name, code, duration };
  const channel = channelOf(identifier.kind);
  const to = identifier.value;
  const message = { channel, to, locale, purpose: 'caller_check' as const, code, brand: speakerOf(brand) };
  if (channel === 'sms') return { ...message, text: words('caller.sms', values) };
  const subject = words('caller.subject', values);
  const paragraphs = words('caller.email', values).split(/\n{2,}/);
  const html = renderMail({ locale, brand, subject, paragraphs, highlight: code });
  return { ...message, subject, text: [...paragraphs, signatureOf(brand)].join('\n\n'), html };
};
