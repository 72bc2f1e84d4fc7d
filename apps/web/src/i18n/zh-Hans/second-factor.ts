import type { LanguageTexts } from '../texts.ts';

export const secondFactor: LanguageTexts['security']['secondFactor'] = {
  title: '第二步验证',
  text: '账号：{{identifier}}。',
  totpHint: '打开您的验证器应用，输入其中为此账号显示的六位数字。',
  recoveryCode: '恢复码',
  recoveryCodeHint: '您保存的十个恢复码之一，每个只能使用一次。',
  passkeyText: '使用您的通行密钥：指纹、面容或屏幕锁。',
  useTotp: '使用验证器应用',
  useRecoveryCode: '使用恢复码',
  usePasskey: '使用通行密钥',
  remember: '30 天内不在此浏览器上询问',
  submit: '继续',
  none: '以上方式我都没有',
  noneText:
    '您可以不经第二步验证设置新密码，但需等待 72 小时：我们会通知账号的所有手机号和邮箱，账号主人可以阻止。',
  noneAction: '设置新密码',
  recoveryText: '此账号在设置新密码前要求第二步验证。',
  waitText:
    '72 小时后，您可以不经第二步验证继续。我们会立即通知账号的所有手机号和邮箱，任何已登录的人都可以阻止。',
  waitAction: '等待 72 小时',
  waitingTitle: '等待已开始',
  waiting: '从 {{when}} 起，您可以不经第二步验证设置新密码。届时请回到此页面，再验证一次验证码。',
  waitingOwner: '如果找回了验证器应用或恢复码，则无需等待。',
  stepUpText: '请输入验证器应用中显示的六位数字。',
  usePassword: '使用密码',
  useCode: '使用验证码',
};
