import type { CodePurpose, Locale } from '@candela/contract';
import type { Identifier } from '../identifier/identifier.ts';
import { codeTexts } from './code-texts.ts';
import { channelOf, type Message } from './message.ts';

/** The part of a brand that stands in messages. */
export interface MessageBrand {
  name: string;
  origin: string;
}

export interface CodeMessageInput {
  identifier: Identifier;
  purpose: CodePurpose;
  code: string;
  locale: Locale;
  brand: MessageBrand;
  ttlSeconds: number;
}

/** The message that brings a verification code, in the person's language. */
export const createCodeMessage = (input: CodeMessageInput): Message => {
  const { identifier, purpose, code, locale, brand } = input;
  const texts = codeTexts[locale];
  const minutes = Math.max(1, Math.floor(input.ttlSeconds / 60));
  const values = { brand: brand.name, code, minutes, purpose: texts.purposes[purpose] };
  const channel = channelOf(identifier.kind);
  const message = { channel, to: identifier.value, locale, purpose, code };
  if (channel === 'email') return { ...message, subject: texts.subject(values), text: texts.email(values) };
  // Origin-bound one-time codes: browsers fill the code in on this host alone.
  const bound = `@${new URL(brand.origin).hostname} #${code}`;
  return { ...message, text: `${texts.sms(values)}\n\n${bound}` };
};
