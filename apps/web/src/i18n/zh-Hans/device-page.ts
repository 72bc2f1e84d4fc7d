import type { LanguageTexts } from '../texts.ts';

export const devicePage: LanguageTexts['account']['devicePage'] = {
  title: '连接设备',
  lead: '请输入设备上显示的代码。',
  check: '设备上显示的代码与此完全一致吗？一致请继续。',
  label: '设备上的代码',
  hint: '8 个字母，不区分大小写，连字符可省略',
  submit: '继续',
  problems: {
    blank: '请输入设备上显示的代码',
    incomplete: '代码不完整，应为 8 个字母',
    unknown: '没有这个代码，请与设备上的代码逐位核对。',
    expired: '代码已过期，请在设备上重新获取。',
    used: '代码已被使用，请在设备上重新获取。',
    limited: '代码错误次数过多，请{{when}}再试。',
    limitedLater: '代码错误次数过多，请稍后再试。',
    stale: '此页面已过期，未提交任何内容。请核对代码后继续。',
    ended: '等待时间过长，或此请求已处理。请重新输入代码；如已失效，请在设备上重新获取。',
  },
  connectedTitle: '设备已连接',
  connectedText: '请返回设备，它会在几秒后自动继续。',
  deniedTitle: '设备未连接',
  deniedText: '该设备未获得您账号的使用权限。您可以关闭此页面。',
  another: '连接其他设备',
  again: '输入代码',
  tokens: '查看授权管理',
};
