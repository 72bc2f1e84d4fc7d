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
  /** The code that a caller reads to whoever answers the phone. */
  caller: {
    subject: '您的 {{brand}} 客服驗證碼',
    sms: '{{code}} 是您的 {{brand}} 客服驗證碼。僅在您主動致電客服時告知。{{duration}}內有效。',
    email: [
      '您好：',
      '請把以下 {{brand}} 驗證碼告訴正在與您通話的客服：',
      '{{code}}',
      '驗證碼{{duration}}內有效，只用於證明來電的是您本人，不能用來登入。僅在您主動致電客服時告知；如果是對方打給您，請掛斷。',
      '如果您沒有在與客服通話，請忽略此訊息。',
    ].join('\n\n'),
  },
};
