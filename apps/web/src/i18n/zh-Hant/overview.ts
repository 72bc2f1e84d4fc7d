import type { LanguageTexts } from '../texts.ts';

export const overview: LanguageTexts['developers']['overview'] = {
  parts: {
    label: '此應用程式的各部分',
    overview: '概覽',
    settings: '設定',
    code: '試用與程式碼',
    team: '團隊與紀錄',
  },
  commands: {
    show: '顯示指令',
    note: '請求需要伺服器端程式的存取權杖，其權限為「clients」，只能處理該程式自己註冊的應用程式。',
  },
  status: {
    disabled: { title: '已停用', text: '啟用之前，它得不到權杖。' },
    secretless: { title: '沒有有效的密鑰', text: '請新增密鑰，並讓應用程式使用它。', action: '前往密鑰' },
    unused: {
      title: '尚未使用',
      text: '還沒有核發過權杖。可以逐步試用，或取用適合您技術的程式碼。',
      action: '試用',
    },
    failing: { title: '今天只有錯誤', text: '今天有請求遭拒，沒有核發權杖。', action: '查看錯誤' },
    mixed: { title: '可以使用，但有錯誤', text: '今天核發了權杖，也有請求遭拒。', action: '查看錯誤' },
    working: { title: '運作正常', text: '今天核發了權杖，沒有請求遭拒。' },
    idle: { title: '今天未使用', text: '今天沒有核發權杖，也沒有請求遭拒。' },
  },
  facts: {
    lastToken: '最近一次權杖',
    never: '從未',
    tokens: '今天的權杖',
    errors: '今天的錯誤',
    links: '連結',
    secretEnds: '有密鑰到期',
  },
  team: {
    told: '對方會收到通知，並可立即變更此應用程式。',
    unknown: '對方須先獲准成為開發人員。請對方登入並開啟 {{address}}，頁面會說明如何申請。之後請再次邀請。',
    sharedAt: '受邀參與：{{when}}',
  },
  refused: {
    text: '{{brand}} 逐一開放開發人員。請告訴 {{brand}} 的營運人員您要開發的內容，並提供此帳號的手機號碼或電子郵件地址。',
    account: '您的帳號：{{account}}',
  },
};
