import type { Locale } from '@candela/contract';
import { DISOWN_PAGE, HOME_PAGE, type PagePath, RECOVERY_PAGE } from '@candela/contract/pages';
import { maskForSms, maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { type MessageBrand, speakerOf } from './code-message.ts';
import { renderMail, signatureOf } from './mail-html.ts';
import {
  type AccountNoticeKind,
  type ContactNoticeKind,
  channelOf,
  type Message,
  type ProviderNoticeKind,
} from './message.ts';
import { createWords, type Words, writeMoment, writeTimeZone } from './message-texts.ts';

type Contact = Pick<Identifier, 'kind' | 'value'>;

/** What happened to an account. */
export type Notice = {
  /** When it happened, or is to happen. */
  at: Date;
  /** The account's, not that of the browser in which it happened. */
  locale: Locale;
  brand: MessageBrand;
} /** `undoToken` is that of the link which takes back what was added. */ & (
  | { notice: AccountNoticeKind; undoToken?: string }
  | {
      notice: ProviderNoticeKind;
      /** What people call the provider. */
      provider: string;
      undoToken?: string;
    }
  | {
      /** A sign-in in a browser that the account has not signed in with before. */
      notice: 'new_browser';
      browser: { name: string; os: string };
      /** By its name in the time zone database. */
      timeZone: string | undefined;
      /** That of the link which ends the session. */
      token: string;
    }
  | {
      /** A link ends on a certain day unless its person renews it; `at` is the end. */
      notice: 'link_ends';
      /** The app, and what the person calls the link. */
      app: string;
    }
  | {
      /** An account was made for a person who linked an app. */
      notice: 'account_created';
      app: string;
    }
  | {
      notice: 'recovery_wait_started';
      /** The one with which somebody asked for it. */
      contact: Contact;
      dueAt: Date;
      /** The token of the link that stops it, for whoever reads the notice. */
      stop?: string;
    }
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
  if (!('contact' in event) || event.contact.kind !== kind || 'dueAt' in event) return false;
  if (event.notice.endsWith('_unbound')) return event.contact.value === value;
  return event.notice.endsWith('_changed') ? event.contact.value !== value : event.removed === value;
};

/** What to do about a change of the account itself; any other is answered by a new password. */
const accountAdvice: Partial<
  Record<AccountNoticeKind, 'passkey' | 'copied' | 'keep' | 'gone' | 'export' | 'app' | 'help' | 'console'>
> = {
  passkey_added: 'passkey',
  passkey_counter: 'copied',
  deletion_requested: 'keep',
  account_deleted: 'gone',
  export_ready: 'export',
  recovery_help: 'help',
  app_shared: 'app',
  developer_allowed: 'console',
  developer_refused: 'console',
};

/** Advice to the person themselves, by where its link leads. */
const forOwner: Readonly<Record<string, PagePath>> = {
  copied: HOME_PAGE,
  keep: HOME_PAGE,
  export: HOME_PAGE,
  gone: '/register',
  app: '/developers',
  console: '/developers',
  renew: '/tokens',
  help: RECOVERY_PAGE,
  created: HOME_PAGE,
};

/** The advice for a person who did not make the change: the link that undoes it, if the person has one. */
const adviceOf = (event: Notice, to: Contact) => {
  const { origin } = event.brand;
  // Behind the # it reaches no log and no referrer.
  if ('undo' in event && event.undo?.to === to.value)
    return { advice: 'undo', link: `${origin}/undo#${event.undo.token}` } as const;
  if ('undoToken' in event && event.undoToken !== undefined)
    return { advice: 'undo', link: `${origin}/undo#${event.undoToken}` } as const;
  if (event.notice === 'new_browser')
    return { advice: 'notMe', link: `${origin}${DISOWN_PAGE}#${event.token}` } as const;
  if (event.notice === 'link_ends') return { advice: 'renew', link: `${origin}${forOwner.renew}` } as const;
  if (event.notice === 'account_created')
    return { advice: 'created', link: `${origin}${forOwner.created}` } as const;
  if ('stop' in event && event.stop !== undefined)
    return { advice: 'stop', link: `${origin}/undo#${event.stop}` } as const;
  const link = `${origin}${RECOVERY_PAGE}`;
  if (isRemoved(event, to)) return { advice: 'lost', link } as const;
  if ('contact' in event) return { advice: 'contact', link } as const;
  const advice = ('provider' in event ? undefined : accountAdvice[event.notice]) ?? 'password';
  return { advice, link: `${origin}${forOwner[advice] ?? RECOVERY_PAGE}` } as const;
};

/** “Chrome on Windows”, or as much of it as is known. */
const writeDevice = (words: Words, { name, os }: { name: string; os: string }): string => {
  if (name && os) return words('notice.device.both', { browser: name, os });
  return name || os || words('notice.device.unknown');
};

/** What a sign-in says of its browser, for the words of its message. */
const browserValues = (event: Notice, words: Words) =>
  event.notice === 'new_browser'
    ? {
        device: writeDevice(words, event.browser),
        zone: event.timeZone === undefined ? '' : writeTimeZone(event.timeZone, event.locale, event.at),
      }
    : {};

/** The message about a change of the account, so that a person who did not make the change notices it. */
export const createNoticeMessage = (event: Notice, to: Contact): Message => {
  const { notice, at, locale, brand } = event;
  const words = createWords(locale, brand.texts?.[locale]);
  const { advice, link } = adviceOf(event, to);
  const { value } = 'contact' in event ? event.contact : to;
  const contact = maskIdentifier(value);
  const browser = browserValues(event, words);
  const due = 'dueAt' in event ? writeMoment(event.dueAt, locale) : '';
  const app = 'app' in event ? event.app : '';
  const provider = 'provider' in event ? event.provider : '';
  const values = {
    brand: brand.name,
    contact,
    provider,
    time: writeMoment(at, locale),
    due,
    link,
    app,
    ...browser,
  };
  const channel = channelOf(to.kind);
  const message = { channel, to: to.value, locale, purpose: notice, brand: speakerOf(brand) };
  if (channel === 'sms') {
    const short = words(`notice.smsAdvice.${advice === 'contact' ? 'password' : advice}`, values);
    const text = words(`notice.${notice}.sms`, { ...values, contact: maskForSms(value), advice: short });
    return { ...message, text };
  }
  const subject = words(`notice.${notice}.subject`, values);
  const paragraphs = [
    words('greeting'),
    words(`notice.${notice}.email`, values),
    ...(browser.zone ? [words('notice.device.zone', { zone: browser.zone })] : []),
    ...(advice in forOwner ? [] : [words('notice.wasMe')]),
    words(`notice.advice.${advice}`, values),
  ];
  const html = renderMail({ locale, brand, subject, paragraphs, link });
  return { ...message, subject, text: [...paragraphs, signatureOf(brand)].join('\n\n'), html };
};
