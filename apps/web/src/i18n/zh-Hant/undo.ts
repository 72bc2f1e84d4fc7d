import type { LanguageTexts } from '../texts.ts';

export const undo: LanguageTexts['activity']['undo'] = {
  title: '復原變更',
  failedTitle: '無法檢查此連結',
  deadTitle: '此連結已失效',
  deadText: '此連結已被使用，或已超過 72 小時。如果帳號有任何異常，請設定新密碼以找回帳號。',
  question: '不是您本人操作嗎？',
  ends: '復原後，您的帳號會恢復原狀，所有裝置都會登出，接著請設定新密碼。',
  action: '復原變更',
  wasMe: '如果是您本人操作，關閉此頁面即可，不會有任何變更。',
  waitsForMe: '如果是您本人操作，關閉此頁面即可，變更將於 {{when}} 生效。',
  doneTitle: '已復原',
  doneText:
    '所有裝置均已登出。操作者可能知道您的密碼，因此原密碼已失效。請立即設定新密碼，屆時還可以移除不屬於您的登入方式。',
  recover: '設定新密碼',
  recovery: {
    asked: '{{when}}，有人申請略過第二步驗證進入您的帳號，驗證碼傳送到了 {{identifier}}。',
    ends: '阻止後，您的帳號保持不變，對方無法進入。',
    waitsForMe:
      '如果是您本人操作，關閉此頁面即可。從 {{when}} 起，您可以透過傳送到 {{identifier}} 的驗證碼設定新密碼，屆時第二步驗證將關閉。',
    action: '阻止',
    doneTitle: '已阻止該申請',
    doneText:
      '您的帳號沒有任何變化。申請者能夠讀取傳送到 {{identifier}} 的訊息，請變更該電子郵件地址的密碼，或聯絡您的電信業者。',
  },
  added: {
    totp: '{{when}}開啟了使用驗證器應用程式的第二步驗證。',
    recovery_codes: '{{when}}產生了新的復原碼，舊復原碼已失效。',
    passkey: '{{when}}向您的帳號新增了一個通行密鑰。',
    provider: '{{when}}向您的帳號新增了透過其他服務登入的方式。',
    provider_removed:
      '{{when}}從您的帳號移除了透過其他服務登入的方式。復原後請重新新增，在此之前不能用它登入。',
  },
  phone: {
    waits: {
      removed: '{{when}}，有人申請從您的帳號移除手機號碼 {{identifier}}。',
      replaced: '{{when}}，有人申請將您帳號的手機號碼 {{identifier}} 變更為 {{replacement}}。',
    },
    done: {
      removed: '{{when}}，您帳號的手機號碼 {{identifier}} 已被移除。',
      replaced: '{{when}}，您帳號的手機號碼 {{identifier}} 已變更為 {{replacement}}。',
    },
  },
  email: {
    waits: {
      removed: '{{when}}，有人申請從您的帳號移除電子郵件地址 {{identifier}}。',
      replaced: '{{when}}，有人申請將您帳號的電子郵件地址 {{identifier}} 變更為 {{replacement}}。',
    },
    done: {
      removed: '{{when}}，您帳號的電子郵件地址 {{identifier}} 已被移除。',
      replaced: '{{when}}，您帳號的電子郵件地址 {{identifier}} 已變更為 {{replacement}}。',
    },
  },
};
