import type { LanguageTexts } from '../texts.ts';

export const providers: LanguageTexts['providers'] = {
  provider: {
    list: '其他登录方式',
    more: '更多方式',
    last: '上次在此使用',
    continue: {
      google: '通过 Google 继续',
      apple: '通过 Apple 继续',
      wechat: '微信登录',
      vk: '通过 VK ID 继续',
      yandex: '通过 Yandex ID 继续',
      line: '使用 LINE 登录',
      oidc: '通过 {{name}} 继续',
    },
    notSignedIn: '未能通过 {{name}} 登录',
    accountAt: '您的 {{name}} 账号',
    newTitle: '创建您的账号',
    newText: '此 {{name}} 账号还没有对应的 {{brand}} 账号。注册后即可通过 {{name}} 登录。',
    gets: '您的账号将绑定 {{contact}}。',
    addText: '请为您的 {{brand}} 账号添加手机号或邮箱，以便不通过 {{name}} 也能登录。我们会向它发送验证码。',
    without: '暂不添加，继续',
    haveAccount: '我已有账号',
    existingText: '请像往常一样登录您的 {{brand}} 账号。之后也可以通过 {{name}} 登录该账号。',
    drop: '登录但不添加 {{name}}',
  },
  providerErrors: {
    provider_refused: '您没有在那里登录，或登录被拒绝。请重试，或选择其他方式。',
    provider_stale: '需要重新登录，但收到的是之前的登录。请先在那里退出，再重试。',
    provider_taken: '该账号已用于登录另一个账号。请用它登录，或先在那里解除绑定。',
    provider_exists: '您的账号已有这种登录方式。如需绑定另一个，请先移除。',
    provider_expired: '时间过长，或已使用过。请重新开始。',
    provider_failed: '收到的答复不可信，因此未登录。请选择其他方式。',
    provider_unavailable: '那里的登录暂时无法使用。请选择其他方式，或过一分钟再试。',
    provider_unproven: '刚才的登录方式不足以添加它。请在此处添加。',
  },
};
