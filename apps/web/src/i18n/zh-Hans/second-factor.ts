import type { LanguageTexts } from '../texts.ts';

export const secondFactor: LanguageTexts['security']['secondFactor'] = {
  title: '第二步验证',
  text: '账号：{{identifier}}。',
  totpHint: '打开您的验证器应用，输入其中为此账号显示的六位数字。',
  recoveryCode: '恢复码',
  recoveryCodeHint: '您保存的十个恢复码之一，每个只能使用一次。',
  passkeyText: '使用您的通行密钥：指纹、面容或锁屏密码。',
  useTotp: '使用验证器应用',
  useRecoveryCode: '使用恢复码',
  usePasskey: '使用通行密钥',
  remember: '30 天内在此浏览器中不再验证',
  submit: '继续',
  none: '以上方式我都没有',
  noneText:
    '您可以跳过第二步验证设置新密码，但需等待 72 小时：我们会通知账号的所有手机号和邮箱，账号所有者可以阻止。',
  noneAction: '设置新密码',
  recoveryText: '此账号需完成第二步验证后才能设置新密码。',
  waitText:
    '72 小时后，您可以跳过第二步验证继续。我们会立即通知账号的所有手机号和邮箱，任何已登录的人都可以阻止。',
  waitAction: '等待 72 小时',
  waitingTitle: '等待已开始',
  waiting: '自 {{when}} 起，您可以跳过第二步验证设置新密码。届时请回到此页面，再次输入验证码。',
  waitingOwner: '如果找回了验证器应用或恢复码，则无需等待。',
  stepUpText: '请输入验证器应用中显示的六位数字。',
  usePassword: '使用密码',
  useCode: '使用验证码',
};
