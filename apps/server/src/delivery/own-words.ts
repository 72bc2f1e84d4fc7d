import { codePurposes, type Locale } from '@candela/contract';
import { fillText, type Texts } from '../brand/brand-texts.ts';
import { type CodeTexts, codeTexts } from './code-texts.ts';
import { contactNoticeTexts } from './contact-notice-texts.ts';
import { type ContactNoticeKind, contactNoticeKinds } from './message.ts';
import { type NoticeTexts, type NoticeValues, passwordNoticeTexts } from './notice-texts.ts';

type NoticeKind = 'password_changed' | ContactNoticeKind;

const PARAGRAPHS = /\n{2,}/;

const createWords =
  (texts: Texts = {}, prefix: string) =>
  (name: string, values: object): string | undefined => {
    const text = texts[`messages.${prefix}.${name}`];
    return text === undefined ? undefined : fillText(text, { ...values });
  };

/** The words of the messages that bring codes, those of the brand before the built-in ones. */
export const codeTextsOf = (locale: Locale, own: Texts | undefined): CodeTexts => {
  const builtIn = codeTexts[locale];
  if (!own) return builtIn;
  const words = createWords(own, 'code');
  const purposes = codePurposes.map((purpose) => [
    purpose,
    words(`purposes.${purpose}`, {}) ?? builtIn.purposes[purpose],
  ]);
  return {
    purposes: Object.fromEntries(purposes),
    subject: (values) => words('subject', values) ?? builtIn.subject(values),
    sms: (values) => words('sms', values) ?? builtIn.sms(values),
    email: (values) => words('email', values)?.split(PARAGRAPHS) ?? builtIn.email(values),
  };
};

/** Whoever reads it can undo what happened, or has lost this contact, or neither. */
const variantOf = ({ undoLink, isRemoved }: NoticeValues) =>
  undoLink ? '_undo' : isRemoved ? '_removed' : '';

/** The words of the messages that tell what happened to an account, those of the brand before the built-in ones. */
export const noticeTextsOf = (locale: Locale, notice: NoticeKind, own: Texts | undefined): NoticeTexts => {
  const builtIn =
    notice === 'password_changed' ? passwordNoticeTexts[locale] : contactNoticeTexts(locale, notice);
  if (!own) return builtIn;
  const words = createWords(own, notice);
  return {
    subject: (values) => words('subject', values) ?? builtIn.subject(values),
    // With a character outside of GSM 03.38 a message in Latin letters would cost twice as much.
    sms: (values) =>
      words(`sms${variantOf(values)}`, { ...values, contact: values.contact.replaceAll('•', '*') }) ??
      builtIn.sms(values),
    email: (values) => words(`email${variantOf(values)}`, values)?.split(PARAGRAPHS) ?? builtIn.email(values),
  };
};

const marks = {
  brand: '{{brand}}',
  code: '{{code}}',
  // Written out as it is, in whatever sentence.
  minutes: '{{minutes}}' as unknown as number,
  purpose: '{{purpose}}',
  time: '{{time}}',
  link: '{{link}}',
  contact: '{{contact}}',
  isRemoved: false,
};

const variants: readonly NoticeValues[] = [
  marks,
  { ...marks, isRemoved: true },
  { ...marks, undoLink: '{{undoLink}}' },
];

const listNotice = (locale: Locale, notice: NoticeKind): [string, string][] => {
  const texts = noticeTextsOf(locale, notice, undefined);
  return [
    [`messages.${notice}.subject`, texts.subject(marks)],
    ...(notice === 'password_changed' ? [marks] : variants).flatMap((values): [string, string][] => [
      [`messages.${notice}.sms${variantOf(values)}`, texts.sms(values)],
      [`messages.${notice}.email${variantOf(values)}`, texts.email(values).join('\n\n')],
    ]),
  ];
};

const listTexts = (locale: Locale): Texts => {
  const { purposes, subject, sms, email } = codeTexts[locale];
  return Object.fromEntries([
    ...codePurposes.map((purpose) => [`messages.code.purposes.${purpose}`, purposes[purpose]]),
    ['messages.code.subject', subject(marks)],
    ['messages.code.sms', sms(marks)],
    ['messages.code.email', email(marks).join('\n\n')],
    ...(['password_changed', ...contactNoticeKinds] as const).flatMap((notice) => listNotice(locale, notice)),
  ]);
};

/** Every text of the messages, by the key under which a brand may have its own; the paragraphs of a mail have a blank line between. */
export const messageTexts: Record<Locale, Texts> = {
  en: listTexts('en'),
  'zh-Hant': listTexts('zh-Hant'),
  'zh-Hans': listTexts('zh-Hans'),
  ru: listTexts('ru'),
};
