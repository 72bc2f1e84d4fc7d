import type { LanguageTexts } from '../texts.ts';

export const secondFactor: LanguageTexts['security']['secondFactor'] = {
  title: '第二步驗證',
  text: '帳號：{{identifier}}。',
  totpHint: '開啟您的驗證器應用程式，輸入其中為此帳號顯示的六位數字。',
  recoveryCode: '復原碼',
  recoveryCodeHint: '您保存的十個復原碼之一，每個只能使用一次。',
  passkeyText: '使用您的通行密鑰：指紋、臉部或螢幕鎖定。',
  useTotp: '使用驗證器應用程式',
  useRecoveryCode: '使用復原碼',
  usePasskey: '使用通行密鑰',
  remember: '30 天內在此瀏覽器中不再驗證',
  submit: '繼續',
  none: '以上方式我都沒有',
  noneText:
    '您可以略過第二步驗證設定新密碼，但需等待 72 小時：我們會通知帳號的所有手機號碼和電子郵件地址，帳號擁有者可以阻止。',
  noneAction: '設定新密碼',
  recoveryText: '此帳號需完成第二步驗證後才能設定新密碼。',
  waitText:
    '72 小時後，您可以略過第二步驗證繼續。我們會立即通知帳號的所有手機號碼和電子郵件地址，任何已登入的人都可以阻止。',
  waitAction: '等待 72 小時',
  waitingTitle: '等待已開始',
  waiting: '自 {{when}} 起，您可以略過第二步驗證設定新密碼。屆時請回到此頁面，再次輸入驗證碼。',
  waitingOwner: '如果找回了驗證器應用程式或復原碼，則無需等待。',
  stepUpText: '請輸入驗證器應用程式中顯示的六位數字。',
  usePassword: '使用密碼',
  useCode: '使用驗證碼',
};
