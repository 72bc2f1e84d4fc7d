import type { LanguageTexts } from '../texts.ts';

export const codes: LanguageTexts['codes'] = {
  minutes: { other: '{{minutes}} 分鐘' },
  code: {
    purposes: {
      login: '登入',
      register: '建立帳號',
      recover: '設定新密碼',
      bind_phone: '綁定此手機號碼',
      bind_email: '綁定此電子郵件地址',
      'step-up': '確認是您本人',
    },
    subject: '您的 {{brand}} 驗證碼（用於{{purpose}}）',
    sms: '【{{brand}}】驗證碼 {{code}}，用於{{purpose}}，{{duration}}內有效。請勿告訴他人。',
    email: [
      '您好：',
      '您的 {{brand}} 驗證碼（用於{{purpose}}）：',
      '{{code}}',
      '驗證碼 {{duration}}內有效，且只能在取得驗證碼的瀏覽器中使用。請勿告訴他人，{{brand}} 絕不會向您索取驗證碼。',
      '如果您沒有要求驗證碼，請忽略這封郵件。沒有驗證碼，任何人都無法進入您的帳號。',
    ].join('\n\n'),
  },
};
