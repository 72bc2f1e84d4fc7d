import type { Locale } from '@candela/contract';

export interface NoticeValues {
  brand: string;
  /** When it happened, as people of the language write it. */
  time: string;
  /** Where whoever did not do it gets the account back. */
  link: string;
  /** Where whoever reads this undoes it without being signed in, for 72 hours and once. */
  undoLink?: string;
  /** The phone number or e-mail address that it is about, masked. */
  contact: string;
  /** Whoever reads this can no longer sign in with the contact that it was sent to. */
  isRemoved: boolean;
}

export interface NoticeTexts {
  subject(values: NoticeValues): string;
  sms(values: NoticeValues): string;
  /** Its paragraphs; the brand's name stands below them. */
  email(values: NoticeValues): string[];
}

/** The words of the messages that tell of a new password. */
export const passwordNoticeTexts: Record<Locale, NoticeTexts> = {
  en: {
    subject: ({ brand }) => `Your ${brand} password was changed`,
    sms: ({ brand, link }) =>
      `Your ${brand} password was changed. If this was not you, set a new one: ${link}`,
    email: ({ brand, time, link }) => [
      'Hello,',
      `The password of your ${brand} account was changed on ${time}. All other devices were signed out.`,
      'If this was you, there is nothing to do.',
      `If it was not you, set a new password at once: ${link}`,
    ],
  },
  'zh-Hant': {
    subject: ({ brand }) => `您的 ${brand} 密碼已變更`,
    sms: ({ brand, link }) => `【${brand}】您的帳號密碼已變更。若非本人操作，請立即重設密碼：${link}`,
    email: ({ brand, time, link }) => [
      '您好：',
      `您的 ${brand} 帳號密碼已於 ${time} 變更，其他裝置均已登出。`,
      '如果是您本人操作，則無需理會。',
      `如果不是您本人操作，請立即重設密碼：${link}`,
    ],
  },
  'zh-Hans': {
    subject: ({ brand }) => `您的 ${brand} 密码已修改`,
    sms: ({ brand, link }) => `【${brand}】您的账号密码已修改。如非本人操作，请立即重设密码：${link}`,
    email: ({ brand, time, link }) => [
      '您好：',
      `您的 ${brand} 账号密码已于 ${time} 修改，其他设备均已退出登录。`,
      '如果是您本人操作，无需理会。',
      `如果不是您本人操作，请立即重设密码：${link}`,
    ],
  },
  ru: {
    subject: ({ brand }) => `Пароль ${brand} изменён`,
    sms: ({ brand, link }) => `Пароль ${brand} изменён. Если это не вы, задайте новый: ${link}`,
    email: ({ brand, time, link }) => [
      'Здравствуйте!',
      `Пароль вашего аккаунта ${brand} изменён: ${time}. На остальных устройствах выполнен выход.`,
      'Если это были вы, ничего делать не нужно.',
      `Если это были не вы, сразу задайте новый пароль: ${link}`,
    ],
  },
};
