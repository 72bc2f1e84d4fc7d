import type { LanguageTexts } from '../texts.ts';

export const codes: LanguageTexts['codes'] = {
  minutes: { other: '{{minutes}} 分钟' },
  code: {
    purposes: {
      login: '登录',
      register: '创建账号',
      recover: '设置新密码',
      bind_phone: '绑定此手机号',
      bind_email: '绑定此邮箱',
      'step-up': '确认是您本人',
    },
    subject: '您的 {{brand}} 验证码（用于{{purpose}}）',
    sms: '【{{brand}}】验证码 {{code}}，用于{{purpose}}，{{duration}}内有效。请勿告诉他人。',
    email: [
      '您好：',
      '您的 {{brand}} 验证码（用于{{purpose}}）：',
      '{{code}}',
      '验证码 {{duration}}内有效，且只能在获取验证码的浏览器中使用。请勿告诉他人，{{brand}} 绝不会向您索要验证码。',
      '如果您没有获取验证码，请忽略这封邮件。没有验证码，任何人都无法进入您的账号。',
    ].join('\n\n'),
  },
  /** The code that a caller reads to whoever answers the phone. */
  caller: {
    subject: '您的 {{brand}} 客服验证码',
    sms: '{{code}} 是您的 {{brand}} 客服验证码。仅在您主动致电客服时告知。{{duration}}内有效。',
    email: [
      '您好：',
      '请把以下 {{brand}} 验证码告诉正在与您通话的客服：',
      '{{code}}',
      '验证码{{duration}}内有效，只用于证明来电的是您本人，不能用来登录。仅在您主动致电客服时告知；如果是对方打给您，请挂断。',
      '如果您没有在与客服通话，请忽略此消息。',
    ].join('\n\n'),
  },
};
