import type { Locale } from '@candela/contract';
import type { ContactNoticeKind } from './message.ts';
import type { NoticeTexts, NoticeValues } from './notice-texts.ts';

interface ContactValues {
  brand: string;
  /** Masked. */
  contact: string;
  /** Where the sentence says when; a text message is itself the time. */
  time?: string;
}

interface ContactWords {
  subjects: Record<ContactNoticeKind, (brand: string) => string>;
  /** What happened, without the full stop. */
  events: Record<ContactNoticeKind, (values: ContactValues) => string>;
  /** Around what happened; a contact that signs in no more gets other advice than one that still does. */
  sms(event: string, values: NoticeValues): string;
  email(event: string, values: NoticeValues): string[];
}

const english: ContactWords = {
  subjects: {
    phone_bound: (brand) => `A phone number was added to your ${brand} account`,
    phone_changed: (brand) => `The phone number of your ${brand} account was changed`,
    phone_unbound: (brand) => `A phone number was removed from your ${brand} account`,
    email_bound: (brand) => `An e-mail address was added to your ${brand} account`,
    email_changed: (brand) => `The e-mail address of your ${brand} account was changed`,
    email_unbound: (brand) => `An e-mail address was removed from your ${brand} account`,
  },
  events: {
    phone_bound: ({ brand, contact, time }) =>
      `The phone number ${contact} was added to your ${brand} account${time ? ` on ${time}` : ''}`,
    phone_changed: ({ brand, contact, time }) =>
      `The phone number of your ${brand} account was changed to ${contact}${time ? ` on ${time}` : ''}`,
    phone_unbound: ({ brand, contact, time }) =>
      `The phone number ${contact} was removed from your ${brand} account${time ? ` on ${time}` : ''}`,
    email_bound: ({ brand, contact, time }) =>
      `The e-mail address ${contact} was added to your ${brand} account${time ? ` on ${time}` : ''}`,
    email_changed: ({ brand, contact, time }) =>
      `The e-mail address of your ${brand} account was changed to ${contact}${time ? ` on ${time}` : ''}`,
    email_unbound: ({ brand, contact, time }) =>
      `The e-mail address ${contact} was removed from your ${brand} account${time ? ` on ${time}` : ''}`,
  },
  sms: (event, { isRemoved, accountLink, link }) =>
    isRemoved
      ? `${event}. If this was not you, undo it where you are still signed in: ${accountLink}`
      : `${event}. If this was not you, set a new password: ${link}`,
  email: (event, { isRemoved, accountLink, link }) => [
    'Hello,',
    `${event}.`,
    'If this was you, there is nothing to do.',
    isRemoved
      ? `If it was not you, open your account on a device where you are still signed in, undo the change and set a new password: ${accountLink}`
      : `If it was not you, set a new password at once. That signs all devices out; then check the phone number and e-mail address of your account: ${link}`,
  ],
};

const traditionalChinese: ContactWords = {
  subjects: {
    phone_bound: (brand) => `您的 ${brand} 帳號已綁定手機號碼`,
    phone_changed: (brand) => `您的 ${brand} 帳號手機號碼已變更`,
    phone_unbound: (brand) => `您的 ${brand} 帳號已解除綁定手機號碼`,
    email_bound: (brand) => `您的 ${brand} 帳號已綁定電子郵件`,
    email_changed: (brand) => `您的 ${brand} 帳號電子郵件已變更`,
    email_unbound: (brand) => `您的 ${brand} 帳號已解除綁定電子郵件`,
  },
  events: {
    phone_bound: ({ brand, contact, time }) =>
      `您的 ${brand} 帳號${time ? `已於 ${time} ` : '已'}綁定手機號碼 ${contact}`,
    phone_changed: ({ brand, contact, time }) =>
      `您的 ${brand} 帳號手機號碼${time ? `已於 ${time} ` : '已'}變更為 ${contact}`,
    phone_unbound: ({ brand, contact, time }) =>
      `您的 ${brand} 帳號${time ? `已於 ${time} ` : '已'}解除綁定手機號碼 ${contact}`,
    email_bound: ({ brand, contact, time }) =>
      `您的 ${brand} 帳號${time ? `已於 ${time} ` : '已'}綁定電子郵件 ${contact}`,
    email_changed: ({ brand, contact, time }) =>
      `您的 ${brand} 帳號電子郵件${time ? `已於 ${time} ` : '已'}變更為 ${contact}`,
    email_unbound: ({ brand, contact, time }) =>
      `您的 ${brand} 帳號${time ? `已於 ${time} ` : '已'}解除綁定電子郵件 ${contact}`,
  },
  sms: (event, { brand, isRemoved, accountLink, link }) =>
    isRemoved
      ? `【${brand}】${event}。若非本人操作，請在仍登入的裝置上改回：${accountLink}`
      : `【${brand}】${event}。若非本人操作，請立即重設密碼：${link}`,
  email: (event, { isRemoved, accountLink, link }) => [
    '您好：',
    `${event}。`,
    '如果是您本人操作，則無需理會。',
    isRemoved
      ? `如果不是您本人操作，請在仍登入的裝置上開啟您的帳號，改回原本的設定並變更密碼：${accountLink}`
      : `如果不是您本人操作，請立即重設密碼，所有裝置都會登出；之後請檢查帳號的手機號碼與電子郵件：${link}`,
  ],
};

const simplifiedChinese: ContactWords = {
  subjects: {
    phone_bound: (brand) => `您的 ${brand} 账号已绑定手机号`,
    phone_changed: (brand) => `您的 ${brand} 账号手机号已更换`,
    phone_unbound: (brand) => `您的 ${brand} 账号已解绑手机号`,
    email_bound: (brand) => `您的 ${brand} 账号已绑定邮箱`,
    email_changed: (brand) => `您的 ${brand} 账号邮箱已更换`,
    email_unbound: (brand) => `您的 ${brand} 账号已解绑邮箱`,
  },
  events: {
    phone_bound: ({ brand, contact, time }) =>
      `您的 ${brand} 账号${time ? `已于 ${time} ` : '已'}绑定手机号 ${contact}`,
    phone_changed: ({ brand, contact, time }) =>
      `您的 ${brand} 账号手机号${time ? `已于 ${time} ` : '已'}更换为 ${contact}`,
    phone_unbound: ({ brand, contact, time }) =>
      `您的 ${brand} 账号${time ? `已于 ${time} ` : '已'}解绑手机号 ${contact}`,
    email_bound: ({ brand, contact, time }) =>
      `您的 ${brand} 账号${time ? `已于 ${time} ` : '已'}绑定邮箱 ${contact}`,
    email_changed: ({ brand, contact, time }) =>
      `您的 ${brand} 账号邮箱${time ? `已于 ${time} ` : '已'}更换为 ${contact}`,
    email_unbound: ({ brand, contact, time }) =>
      `您的 ${brand} 账号${time ? `已于 ${time} ` : '已'}解绑邮箱 ${contact}`,
  },
  sms: (event, { brand, isRemoved, accountLink, link }) =>
    isRemoved
      ? `【${brand}】${event}。如非本人操作，请在仍登录的设备上改回：${accountLink}`
      : `【${brand}】${event}。如非本人操作，请立即重设密码：${link}`,
  email: (event, { isRemoved, accountLink, link }) => [
    '您好：',
    `${event}。`,
    '如果是您本人操作，无需理会。',
    isRemoved
      ? `如果不是您本人操作，请在仍登录的设备上打开您的账号，改回原来的设置并修改密码：${accountLink}`
      : `如果不是您本人操作，请立即重设密码，所有设备都会退出登录；然后请检查账号的手机号和邮箱：${link}`,
  ],
};

const russian: ContactWords = {
  subjects: {
    phone_bound: (brand) => `К аккаунту ${brand} привязан номер телефона`,
    phone_changed: (brand) => `Номер телефона аккаунта ${brand} изменён`,
    phone_unbound: (brand) => `Номер телефона отвязан от аккаунта ${brand}`,
    email_bound: (brand) => `К аккаунту ${brand} привязана почта`,
    email_changed: (brand) => `Почта аккаунта ${brand} изменена`,
    email_unbound: (brand) => `Почта отвязана от аккаунта ${brand}`,
  },
  events: {
    phone_bound: ({ brand, contact, time }) =>
      `К вашему аккаунту ${brand} привязан номер телефона ${contact}${time ? `: ${time}` : ''}`,
    phone_changed: ({ brand, contact, time }) =>
      `Номер телефона вашего аккаунта ${brand} изменён на ${contact}${time ? `: ${time}` : ''}`,
    phone_unbound: ({ brand, contact, time }) =>
      `Номер телефона ${contact} отвязан от вашего аккаунта ${brand}${time ? `: ${time}` : ''}`,
    email_bound: ({ brand, contact, time }) =>
      `К вашему аккаунту ${brand} привязана почта ${contact}${time ? `: ${time}` : ''}`,
    email_changed: ({ brand, contact, time }) =>
      `Почта вашего аккаунта ${brand} изменена на ${contact}${time ? `: ${time}` : ''}`,
    email_unbound: ({ brand, contact, time }) =>
      `Почта ${contact} отвязана от вашего аккаунта ${brand}${time ? `: ${time}` : ''}`,
  },
  sms: (event, { isRemoved, accountLink, link }) =>
    isRemoved
      ? `${event}. Если это не вы, отмените это там, где вы ещё не вышли: ${accountLink}`
      : `${event}. Если это не вы, задайте новый пароль: ${link}`,
  email: (event, { isRemoved, accountLink, link }) => [
    'Здравствуйте!',
    `${event}.`,
    'Если это были вы, ничего делать не нужно.',
    isRemoved
      ? `Если это были не вы, откройте аккаунт на устройстве, с которого вы ещё не вышли, отмените изменение и смените пароль: ${accountLink}`
      : `Если это были не вы, сразу задайте новый пароль. На всех устройствах будет выполнен выход; после этого проверьте телефон и почту в аккаунте: ${link}`,
  ],
};

const words: Record<Locale, ContactWords> = {
  en: english,
  'zh-Hant': traditionalChinese,
  'zh-Hans': simplifiedChinese,
  ru: russian,
};

/** The words of the messages that tell of a phone number or e-mail address that came or went. */
export const contactNoticeTexts = (locale: Locale, notice: ContactNoticeKind): NoticeTexts => {
  const { subjects, events, sms, email } = words[locale];
  return {
    subject: ({ brand }) => subjects[notice](brand),
    // With a character outside of GSM 03.38 a message in Latin letters would cost twice as much.
    sms: (values) =>
      sms(events[notice]({ brand: values.brand, contact: values.contact.replaceAll('•', '*') }), values),
    email: (values) => email(events[notice](values), values),
  };
};
