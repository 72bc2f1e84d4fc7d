import type { LanguageTexts } from '../texts.ts';

export const usage: LanguageTexts['developers']['usage'] = {
  text: '最近 30 天，日期按 UTC 计算，数字会有几秒延迟。',
  tokens: '令牌',
  refreshes: '刷新',
  errors: '错误',
  empty: '还没有令牌',
  emptyText: '有了第一个令牌或错误后，图表会显示在这里。',
  summary: '令牌：{{tokens}}。刷新：{{refreshes}}。错误：{{errors}}。',
  table: '以表格显示',
  caption: '最近 30 天的令牌、刷新和错误，从最近一天开始',
  day: '日期',
  kinds: '错误类型',
  links: {
    caption: '最近 30 天的连接',
    made: '新建',
    refreshed: '刷新',
    quiet: '目前沉寂：两周没有刷新',
    ended: {
      withdrawn: '已断开：用户解除授权',
      revoked_by_client: '已断开：应用撤销令牌',
      token_theft: '已断开：使用了旧的刷新令牌',
      code_reused: '已断开：授权码被使用两次',
      client_disabled: '已断开：应用已停用',
      client_deleted: '已断开：应用已删除',
      account_disabled: '已断开：账号已停用',
      account_deleted: '已断开：账号已注销',
      expired: '已断开：长时间未使用或已到期',
    },
  },
};

export const snippets: LanguageTexts['developers']['snippets'] = {
  text: '已填入此应用的值。密钥取自您服务器上的环境变量 CLIENT_SECRET。',
  textWithoutSecret: '已填入此应用的值。此应用无需密钥。',
  commands: '命令',
  missing: '此程序使用的返回网址尚未注册，请添加此返回网址。',
  stack: '技术栈',
  page: '完整指南和常见错误：{{page}}',
  platform: '此应用在平台的控制台中设置，需要填写以下值：',
  direct: '无需程序库，只需以下请求。',
  values: {
    clientId: '客户端 ID',
    authorizationUrl: '授权地址',
    tokenUrl: '令牌地址',
    scopes: '权限范围',
    authentication: '客户端认证方式',
  },
};
