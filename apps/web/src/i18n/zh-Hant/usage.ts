import type { LanguageTexts } from '../texts.ts';

export const usage: LanguageTexts['developers']['usage'] = {
  text: '最近 30 天，日期按 UTC 計算，數字會有幾秒延遲。',
  tokens: '權杖',
  refreshes: '更新',
  errors: '錯誤',
  empty: '還沒有權杖',
  emptyText: '有了第一個權杖或錯誤後，圖表會顯示在這裡。',
  summary: '權杖：{{tokens}}。更新：{{refreshes}}。錯誤：{{errors}}。',
  table: '以表格顯示',
  caption: '最近 30 天的權杖、更新和錯誤，從最近一天開始',
  day: '日期',
  kinds: '錯誤類型',
  links: {
    caption: '最近 30 天的連線',
    made: '新建',
    refreshed: '更新',
    quiet: '目前沉寂：兩週沒有更新',
    ended: {
      withdrawn: '已中斷：使用者移除授權',
      revoked_by_client: '已中斷：應用程式廢止權杖',
      token_theft: '已中斷：使用了舊的更新權杖',
      code_reused: '已中斷：授權碼被使用兩次',
      client_disabled: '已中斷：應用程式已停用',
      client_deleted: '已中斷：應用程式已刪除',
      account_disabled: '已中斷：帳號已停用',
      account_deleted: '已中斷：帳號已刪除',
      expired: '已中斷：長時間未使用或已到期',
    },
  },
};

export const snippets: LanguageTexts['developers']['snippets'] = {
  text: '已填入此應用程式的值。密鑰取自您伺服器上的環境變數 CLIENT_SECRET。',
  textWithoutSecret: '已填入此應用程式的值。此應用程式不需要密鑰。',
  commands: '指令',
  missing: '此程式使用的返回網址尚未註冊，請新增此返回網址。',
  stack: '技術架構',
  page: '完整指南與常見錯誤：{{page}}',
  platform: '此應用程式在平台的主控台中設定，需要填寫以下值：',
  direct: '不需要程式庫，只需以下請求。',
  values: {
    clientId: '用戶端 ID',
    authorizationUrl: '授權網址',
    tokenUrl: '權杖網址',
    scopes: '權限範圍',
    authentication: '用戶端驗證方式',
  },
};
