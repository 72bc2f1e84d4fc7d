import type { LanguageTexts } from '../texts.ts';

export const overview: LanguageTexts['developers']['overview'] = {
  parts: {
    label: '此应用的各部分',
    overview: '概览',
    settings: '设置',
    code: '试用与代码',
    team: '团队与记录',
  },
  commands: {
    show: '显示命令',
    note: '请求需要服务端程序的访问令牌，其权限为“clients”，只能处理该程序自己注册的应用。',
  },
  status: {
    disabled: { title: '已停用', text: '启用之前，它得不到令牌。' },
    secretless: { title: '没有有效的密钥', text: '请添加密钥，并让应用使用它。', action: '前往密钥' },
    unused: {
      title: '尚未使用',
      text: '还没有签发过令牌。可以逐步试用，或取用适合您技术栈的代码。',
      action: '试一试',
    },
    failing: { title: '今天只有错误', text: '今天有请求被拒绝，没有签发令牌。', action: '查看错误' },
    mixed: { title: '可以使用，但有错误', text: '今天签发了令牌，也有请求被拒绝。', action: '查看错误' },
    working: { title: '运行正常', text: '今天签发了令牌，没有请求被拒绝。' },
    idle: { title: '今天未使用', text: '今天没有签发令牌，也没有请求被拒绝。' },
  },
  facts: {
    lastToken: '最近一次令牌',
    never: '从未',
    tokens: '今天的令牌',
    errors: '今天的错误',
    links: '连接',
    secretEnds: '有密钥到期',
  },
  team: {
    told: '对方会收到通知，并可立即修改此应用。',
    unknown: '对方须先获准成为开发者。请对方登录并打开 {{address}}，页面会说明如何申请。之后请再次邀请。',
    sharedAt: '受邀参与：{{when}}',
  },
  refused: {
    text: '{{brand}} 逐一开通开发者。请告诉 {{brand}} 的运营人员您要开发的内容，并提供此账号的手机号或邮箱。',
    account: '您的账号：{{account}}',
  },
};
