import type { LanguageTexts } from '../texts.ts';

export const devicePage: LanguageTexts['account']['devicePage'] = {
  title: '連接裝置',
  lead: '請輸入裝置上顯示的代碼。',
  check: '裝置上顯示的代碼與此完全相同嗎？相同請繼續。',
  label: '裝置上的代碼',
  hint: '8 個字母，不分大小寫，連字號可省略',
  submit: '繼續',
  problems: {
    blank: '請輸入裝置上顯示的代碼',
    incomplete: '代碼不完整，應為 8 個字母',
    unknown: '沒有這組代碼，請與裝置上的代碼逐位核對。',
    expired: '代碼已過期，請在裝置上重新取得。',
    used: '代碼已被使用，請在裝置上重新取得。',
    limited: '代碼錯誤次數過多，請{{when}}再試一次。',
    limitedLater: '代碼錯誤次數過多，請稍後再試。',
    stale: '此頁面已過期，未送出任何內容。請核對代碼後繼續。',
    ended: '等待時間過長，或此請求已處理。請重新輸入代碼；若已失效，請在裝置上重新取得。',
  },
  connectedTitle: '裝置已連接',
  connectedText: '請回到裝置，它會在幾秒後自動繼續。',
  deniedTitle: '裝置未連接',
  deniedText: '該裝置未取得您帳號的使用權限。您可以關閉此頁面。',
  another: '連接其他裝置',
  again: '輸入代碼',
  tokens: '查看授權管理',
};
