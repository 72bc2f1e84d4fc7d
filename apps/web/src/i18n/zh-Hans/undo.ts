import type { LanguageTexts } from '../texts.ts';

export const undo: LanguageTexts['activity']['undo'] = {
  title: '撤销修改',
  failedTitle: '无法检查此链接',
  deadTitle: '此链接已失效',
  deadText: '此链接已被使用，或已超过 72 小时。如果账号有任何异常，请设置新密码以找回账号。',
  question: '不是您本人操作吗？',
  ends: '撤销后，您的账号会恢复原状，所有设备都会退出登录，接着请设置新密码。',
  action: '撤销修改',
  wasMe: '如果是您本人操作，关闭此页面即可，不会有任何改变。',
  waitsForMe: '如果是您本人操作，关闭此页面即可，修改将于 {{when}} 生效。',
  doneTitle: '已撤销',
  doneText:
    '所有设备均已退出登录。操作者可能知道您的密码，因此原密码已失效。请立即设置新密码，届时还可以移除不属于您的登录方式。',
  recover: '设置新密码',
  recovery: {
    asked: '{{when}}，有人申请跳过第二步验证进入您的账号，验证码发送到了 {{identifier}}。',
    ends: '阻止后，您的账号保持不变，对方无法进入。',
    waitsForMe:
      '如果是您本人操作，关闭此页面即可。从 {{when}} 起，您可以通过发送到 {{identifier}} 的验证码设置新密码，届时第二步验证将关闭。',
    action: '阻止',
    doneTitle: '已阻止该申请',
    doneText:
      '您的账号没有任何变化。申请者能够读取发往 {{identifier}} 的消息，请修改该邮箱的密码，或联系您的运营商。',
  },
  added: {
    totp: '{{when}}开启了使用验证器应用的第二步验证。',
    recovery_codes: '{{when}}生成了新的恢复码，旧恢复码已失效。',
    passkey: '{{when}}向您的账号添加了一个通行密钥。',
    provider: '{{when}}向您的账号添加了通过其他服务登录的方式。',
    provider_removed:
      '{{when}}从您的账号移除了通过其他服务登录的方式。撤销后请重新添加，在此之前不能用它登录。',
  },
  phone: {
    waits: {
      removed: '{{when}}，有人申请从您的账号移除手机号 {{identifier}}。',
      replaced: '{{when}}，有人申请将您账号的手机号 {{identifier}} 修改为 {{replacement}}。',
    },
    done: {
      removed: '{{when}}，您账号的手机号 {{identifier}} 已被移除。',
      replaced: '{{when}}，您账号的手机号 {{identifier}} 已修改为 {{replacement}}。',
    },
  },
  email: {
    waits: {
      removed: '{{when}}，有人申请从您的账号移除邮箱 {{identifier}}。',
      replaced: '{{when}}，有人申请将您账号的邮箱 {{identifier}} 修改为 {{replacement}}。',
    },
    done: {
      removed: '{{when}}，您账号的邮箱 {{identifier}} 已被移除。',
      replaced: '{{when}}，您账号的邮箱 {{identifier}} 已修改为 {{replacement}}。',
    },
  },
};
