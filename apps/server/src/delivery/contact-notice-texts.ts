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
    phone_change_waits: (brand) => `The phone number of your ${brand} account is about to change`,
    phone_unbind_waits: (brand) => `A phone number is about to be removed from your ${brand} account`,
    phone_kept: (brand) => `The phone number of your ${brand} account stays as it was`,
    email_change_waits: (brand) => `The e-mail address of your ${brand} account is about to change`,
    email_unbind_waits: (brand) => `An e-mail address is about to be removed from your ${brand} account`,
    email_kept: (brand) => `The e-mail address of your ${brand} account stays as it was`,
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
    phone_change_waits: ({ brand, contact, time }) =>
      `Somebody asked${time ? ` on ${time}` : ''} to change the phone number of your ${brand} account to ${contact}. It will happen after 72 hours`,
    phone_unbind_waits: ({ brand, contact, time }) =>
      `Somebody asked${time ? ` on ${time}` : ''} to remove the phone number ${contact} from your ${brand} account. It will happen after 72 hours`,
    phone_kept: ({ brand, contact, time }) =>
      `A change of your ${brand} account was undone${time ? ` on ${time}` : ''}: the phone number ${contact} belongs to it, and all devices were signed out`,
    email_change_waits: ({ brand, contact, time }) =>
      `Somebody asked${time ? ` on ${time}` : ''} to change the e-mail address of your ${brand} account to ${contact}. It will happen after 72 hours`,
    email_unbind_waits: ({ brand, contact, time }) =>
      `Somebody asked${time ? ` on ${time}` : ''} to remove the e-mail address ${contact} from your ${brand} account. It will happen after 72 hours`,
    email_kept: ({ brand, contact, time }) =>
      `A change of your ${brand} account was undone${time ? ` on ${time}` : ''}: the e-mail address ${contact} belongs to it, and all devices were signed out`,
  },
  sms: (event, { isRemoved, undoLink, link }) => {
    if (undoLink) return `${event}. If this was not you, undo it: ${undoLink}`;
    return isRemoved
      ? `${event}. If this was not you, get your account back: ${link}`
      : `${event}. If this was not you, set a new password: ${link}`;
  },
  email: (event, { isRemoved, undoLink, link }) => [
    'Hello,',
    `${event}.`,
    'If this was you, there is nothing to do.',
    undoLink
      ? `If it was not you, undo it here within 72 hours. You need not be signed in: ${undoLink}`
      : isRemoved
        ? `If it was not you, get your account back with another phone number or e-mail address of it: ${link}`
        : `If it was not you, set a new password at once. That signs all devices out, stops what is about to change, and lets you remove a phone number or e-mail address that is not yours: ${link}`,
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
    phone_change_waits: (brand) => `您的 ${brand} 帳號手機號碼即將變更`,
    phone_unbind_waits: (brand) => `您的 ${brand} 帳號即將解除綁定手機號碼`,
    phone_kept: (brand) => `您的 ${brand} 帳號手機號碼維持不變`,
    email_change_waits: (brand) => `您的 ${brand} 帳號電子郵件即將變更`,
    email_unbind_waits: (brand) => `您的 ${brand} 帳號即將解除綁定電子郵件`,
    email_kept: (brand) => `您的 ${brand} 帳號電子郵件維持不變`,
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
    phone_change_waits: ({ brand, contact, time }) =>
      `有人${time ? `於 ${time} ` : ''}申請將您的 ${brand} 帳號手機號碼變更為 ${contact}，將於 72 小時後生效`,
    phone_unbind_waits: ({ brand, contact, time }) =>
      `有人${time ? `於 ${time} ` : ''}申請從您的 ${brand} 帳號解除綁定手機號碼 ${contact}，將於 72 小時後生效`,
    phone_kept: ({ brand, contact, time }) =>
      `您的 ${brand} 帳號的一項變更${time ? `已於 ${time} ` : '已'}撤銷：手機號碼 ${contact} 仍屬於該帳號，所有裝置均已登出`,
    email_change_waits: ({ brand, contact, time }) =>
      `有人${time ? `於 ${time} ` : ''}申請將您的 ${brand} 帳號電子郵件變更為 ${contact}，將於 72 小時後生效`,
    email_unbind_waits: ({ brand, contact, time }) =>
      `有人${time ? `於 ${time} ` : ''}申請從您的 ${brand} 帳號解除綁定電子郵件 ${contact}，將於 72 小時後生效`,
    email_kept: ({ brand, contact, time }) =>
      `您的 ${brand} 帳號的一項變更${time ? `已於 ${time} ` : '已'}撤銷：電子郵件 ${contact} 仍屬於該帳號，所有裝置均已登出`,
  },
  sms: (event, { brand, isRemoved, undoLink, link }) => {
    if (undoLink) return `【${brand}】${event}。若非本人操作，請在此撤銷：${undoLink}`;
    return isRemoved
      ? `【${brand}】${event}。若非本人操作，請在此找回帳號：${link}`
      : `【${brand}】${event}。若非本人操作，請立即重設密碼：${link}`;
  },
  email: (event, { isRemoved, undoLink, link }) => [
    '您好：',
    `${event}。`,
    '如果是您本人操作，則無需理會。',
    undoLink
      ? `如果不是您本人操作，請於 72 小時內在此撤銷，無需登入：${undoLink}`
      : isRemoved
        ? `如果不是您本人操作，請使用帳號的其他手機號碼或電子郵件找回帳號：${link}`
        : `如果不是您本人操作，請立即重設密碼。所有裝置都會登出，尚未生效的變更會取消，您也可以移除不屬於您的手機號碼或電子郵件：${link}`,
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
    phone_change_waits: (brand) => `您的 ${brand} 账号手机号即将更换`,
    phone_unbind_waits: (brand) => `您的 ${brand} 账号即将解绑手机号`,
    phone_kept: (brand) => `您的 ${brand} 账号手机号保持不变`,
    email_change_waits: (brand) => `您的 ${brand} 账号邮箱即将更换`,
    email_unbind_waits: (brand) => `您的 ${brand} 账号即将解绑邮箱`,
    email_kept: (brand) => `您的 ${brand} 账号邮箱保持不变`,
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
    phone_change_waits: ({ brand, contact, time }) =>
      `有人${time ? `于 ${time} ` : ''}申请将您的 ${brand} 账号手机号更换为 ${contact}，将于 72 小时后生效`,
    phone_unbind_waits: ({ brand, contact, time }) =>
      `有人${time ? `于 ${time} ` : ''}申请从您的 ${brand} 账号解绑手机号 ${contact}，将于 72 小时后生效`,
    phone_kept: ({ brand, contact, time }) =>
      `您的 ${brand} 账号的一项更改${time ? `已于 ${time} ` : '已'}撤销：手机号 ${contact} 仍属于该账号，所有设备均已退出登录`,
    email_change_waits: ({ brand, contact, time }) =>
      `有人${time ? `于 ${time} ` : ''}申请将您的 ${brand} 账号邮箱更换为 ${contact}，将于 72 小时后生效`,
    email_unbind_waits: ({ brand, contact, time }) =>
      `有人${time ? `于 ${time} ` : ''}申请从您的 ${brand} 账号解绑邮箱 ${contact}，将于 72 小时后生效`,
    email_kept: ({ brand, contact, time }) =>
      `您的 ${brand} 账号的一项更改${time ? `已于 ${time} ` : '已'}撤销：邮箱 ${contact} 仍属于该账号，所有设备均已退出登录`,
  },
  sms: (event, { brand, isRemoved, undoLink, link }) => {
    if (undoLink) return `【${brand}】${event}。如非本人操作，请在此撤销：${undoLink}`;
    return isRemoved
      ? `【${brand}】${event}。如非本人操作，请在此找回账号：${link}`
      : `【${brand}】${event}。如非本人操作，请立即重设密码：${link}`;
  },
  email: (event, { isRemoved, undoLink, link }) => [
    '您好：',
    `${event}。`,
    '如果是您本人操作，无需理会。',
    undoLink
      ? `如果不是您本人操作，请在 72 小时内在此撤销，无需登录：${undoLink}`
      : isRemoved
        ? `如果不是您本人操作，请用账号的其他手机号或邮箱找回账号：${link}`
        : `如果不是您本人操作，请立即重设密码。所有设备都会退出登录，尚未生效的更改会取消，您还可以移除不属于您的手机号或邮箱：${link}`,
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
    phone_change_waits: (brand) => `Номер телефона аккаунта ${brand} скоро изменится`,
    phone_unbind_waits: (brand) => `Номер телефона скоро будет отвязан от аккаунта ${brand}`,
    phone_kept: (brand) => `Номер телефона аккаунта ${brand} остаётся прежним`,
    email_change_waits: (brand) => `Почта аккаунта ${brand} скоро изменится`,
    email_unbind_waits: (brand) => `Почта скоро будет отвязана от аккаунта ${brand}`,
    email_kept: (brand) => `Почта аккаунта ${brand} остаётся прежней`,
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
    phone_change_waits: ({ brand, contact, time }) =>
      `Запрошена смена номера телефона вашего аккаунта ${brand} на ${contact}${time ? ` (${time})` : ''}. Она произойдёт через 72 часа`,
    phone_unbind_waits: ({ brand, contact, time }) =>
      `Запрошена отвязка номера телефона ${contact} от вашего аккаунта ${brand}${time ? ` (${time})` : ''}. Она произойдёт через 72 часа`,
    phone_kept: ({ brand, contact, time }) =>
      `Изменение в аккаунте ${brand} отменено${time ? ` (${time})` : ''}: номер телефона ${contact} привязан к нему, на всех устройствах выполнен выход`,
    email_change_waits: ({ brand, contact, time }) =>
      `Запрошена смена почты вашего аккаунта ${brand} на ${contact}${time ? ` (${time})` : ''}. Она произойдёт через 72 часа`,
    email_unbind_waits: ({ brand, contact, time }) =>
      `Запрошена отвязка почты ${contact} от вашего аккаунта ${brand}${time ? ` (${time})` : ''}. Она произойдёт через 72 часа`,
    email_kept: ({ brand, contact, time }) =>
      `Изменение в аккаунте ${brand} отменено${time ? ` (${time})` : ''}: почта ${contact} привязана к нему, на всех устройствах выполнен выход`,
  },
  sms: (event, { isRemoved, undoLink, link }) => {
    if (undoLink) return `${event}. Если это не вы, отмените: ${undoLink}`;
    return isRemoved
      ? `${event}. Если это не вы, верните себе аккаунт: ${link}`
      : `${event}. Если это не вы, задайте новый пароль: ${link}`;
  },
  email: (event, { isRemoved, undoLink, link }) => [
    'Здравствуйте!',
    `${event}.`,
    'Если это были вы, ничего делать не нужно.',
    undoLink
      ? `Если это были не вы, отмените это здесь в течение 72 часов, входить для этого не нужно: ${undoLink}`
      : isRemoved
        ? `Если это были не вы, верните себе аккаунт с помощью другого телефона или почты, привязанных к нему: ${link}`
        : `Если это были не вы, сразу задайте новый пароль. На всех устройствах будет выполнен выход, ожидающие изменения отменятся, а чужой телефон или почту можно будет отвязать: ${link}`,
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
