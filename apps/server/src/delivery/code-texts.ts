import type { CodePurpose, Locale } from '@candela/contract';

interface CodeValues {
  brand: string;
  code: string;
  minutes: number;
  purpose: string;
}

/** The words of the messages that bring verification codes, in one language. */
export interface CodeTexts {
  /** What the code is for, as it stands in the sentences below. */
  purposes: Record<CodePurpose, string>;
  /** It shows on locked screens and in the logs of mail servers: the code is not among its values. */
  subject(values: Pick<CodeValues, 'brand' | 'purpose'>): string;
  sms(values: CodeValues): string;
  /** Its paragraphs; the brand's name stands below them. */
  email(values: CodeValues): string[];
}

const english: CodeTexts = {
  purposes: {
    login: 'sign in',
    register: 'create your account',
    recover: 'set a new password',
    bind: 'add this contact to your account',
    'step-up': 'confirm that it is you',
  },
  subject: ({ brand, purpose }) => `Your ${brand} code to ${purpose}`,
  sms: ({ code, brand, purpose, minutes }) =>
    `${code} is your ${brand} code to ${purpose}. It works for ${minutes} min. Never share it.`,
  email: ({ code, brand, purpose, minutes }) => [
    'Hello,',
    `Your code to ${purpose} at ${brand} is:`,
    code,
    `It works for ${minutes} minutes and only in the browser that asked for it. Never share it: ${brand} will not ask you for it.`,
    'If you did not ask for this code, you can ignore this message. Nobody gets in without it.',
  ],
};

const traditionalChinese: CodeTexts = {
  purposes: {
    login: '登入',
    register: '建立帳號',
    recover: '設定新密碼',
    bind: '綁定此聯絡方式',
    'step-up': '確認是您本人',
  },
  subject: ({ brand, purpose }) => `您在 ${brand} ${purpose}的驗證碼`,
  sms: ({ code, brand, purpose, minutes }) =>
    `【${brand}】驗證碼 ${code}，用於${purpose}，${minutes} 分鐘內有效。請勿告訴他人。`,
  email: ({ code, brand, purpose, minutes }) => [
    '您好：',
    `您在 ${brand} ${purpose}的驗證碼是：`,
    code,
    `驗證碼 ${minutes} 分鐘內有效，且只能在要求驗證碼的瀏覽器中使用。請勿告訴他人，${brand} 不會向您索取驗證碼。`,
    '如果您沒有要求驗證碼，請忽略這封郵件。沒有驗證碼，任何人都無法進入您的帳號。',
  ],
};

const simplifiedChinese: CodeTexts = {
  purposes: {
    login: '登录',
    register: '创建账号',
    recover: '设置新密码',
    bind: '绑定此联系方式',
    'step-up': '确认是您本人',
  },
  subject: ({ brand, purpose }) => `您在 ${brand} ${purpose}的验证码`,
  sms: ({ code, brand, purpose, minutes }) =>
    `【${brand}】验证码 ${code}，用于${purpose}，${minutes} 分钟内有效。请勿告诉他人。`,
  email: ({ code, brand, purpose, minutes }) => [
    '您好：',
    `您在 ${brand} ${purpose}的验证码是：`,
    code,
    `验证码 ${minutes} 分钟内有效，且只能在请求验证码的浏览器中使用。请勿告诉他人，${brand} 不会向您索要验证码。`,
    '如果您没有请求验证码，请忽略这封邮件。没有验证码，任何人都无法进入您的账号。',
  ],
};

const russian: CodeTexts = {
  purposes: {
    login: 'входа',
    register: 'создания аккаунта',
    recover: 'смены пароля',
    bind: 'привязки этого контакта',
    'step-up': 'подтверждения личности',
  },
  subject: ({ brand, purpose }) => `Ваш код ${brand} для ${purpose}`,
  sms: ({ code, brand, purpose, minutes }) =>
    `${code} — код ${brand} для ${purpose}. Действует ${minutes} мин. Никому его не сообщайте.`,
  email: ({ code, brand, purpose, minutes }) => [
    'Здравствуйте!',
    `Ваш код ${brand} для ${purpose}:`,
    code,
    `Код действует ${minutes} мин. и только в том браузере, где его запросили. Никому его не сообщайте: ${brand} никогда его не спрашивает.`,
    'Если вы не запрашивали код, не обращайте внимания на это письмо. Без кода никто не войдёт в ваш аккаунт.',
  ],
};

/** The words of the messages that bring verification codes. */
export const codeTexts: Record<Locale, CodeTexts> = {
  en: english,
  'zh-Hant': traditionalChinese,
  'zh-Hans': simplifiedChinese,
  ru: russian,
};
