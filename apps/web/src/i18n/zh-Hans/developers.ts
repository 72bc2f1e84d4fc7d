import type { LanguageTexts } from '../texts.ts';
import { clientErrors } from './client-errors.ts';
import { trial } from './trial.ts';
import { trouble } from './trouble.ts';
import { snippets, usage } from './usage.ts';

export const developers: LanguageTexts['developers'] = {
  developers: {
    title: '开发者',
    text: '您在 {{brand}} 注册的应用。',
    errorsToday_other: '今天 {{count}} 个错误',
  },
  newClient: {
    title: '注册应用',
  },
  client: {
    title: '应用',
    failedTitle: '应用无法载入',
    contents: '本页内容',
    sections: {
      facts: '基本信息',
      permissions: '权限',
      secrets: '密钥',
      addresses: '返回网址',
      links: '名称、链接和标志',
      tryIt: '试一试',
      snippets: '示例代码',
      errors: '错误',
      usage: '最近 30 天',
      members: '开发者',
      history: '变更记录',
      ending: '停用或删除',
    },
  },
  errors: clientErrors,
  trial,
  trouble,
  usage,
  snippets,
};
