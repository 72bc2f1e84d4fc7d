import type { LanguageTexts } from '../texts.ts';
import { clientErrors } from './client-errors.ts';
import { trial } from './trial.ts';
import { trouble } from './trouble.ts';
import { snippets, usage } from './usage.ts';

export const developers: LanguageTexts['developers'] = {
  developers: {
    title: '開發人員',
    text: '您在 {{brand}} 註冊的應用程式。',
    errorsToday_other: '今天 {{count}} 個錯誤',
  },
  newClient: {
    title: '註冊應用程式',
  },
  client: {
    title: '應用程式',
    failedTitle: '應用程式無法載入',
    contents: '本頁內容',
    sections: {
      facts: '基本資料',
      permissions: '權限',
      secrets: '密鑰',
      addresses: '返回網址',
      links: '名稱、連結和標誌',
      tryIt: '試用',
      snippets: '範例程式碼',
      errors: '錯誤',
      usage: '最近 30 天',
      members: '開發人員',
      history: '變更記錄',
      ending: '停用或刪除',
    },
  },
  errors: clientErrors,
  trial,
  trouble,
  usage,
  snippets,
};
