import type { LanguageTexts } from '../texts.ts';

export const providers: LanguageTexts['providers'] = {
  provider: {
    list: '其他登入方式',
    more: '更多方式',
    last: '上次在此使用',
    continue: {
      google: '使用 Google 帳戶繼續',
      apple: '使用 Apple 繼續',
      wechat: '使用微信登入',
      vk: '使用 VK ID 繼續',
      yandex: '使用 Yandex ID 繼續',
      line: '使用 LINE 登入',
      oidc: '使用 {{name}} 繼續',
    },
    notSignedIn: '未能透過 {{name}} 登入',
    accountAt: '您的 {{name}} 帳號',
    newTitle: '建立您的帳號',
    newText: '此 {{name}} 帳號還沒有對應的 {{brand}} 帳號。註冊後即可透過 {{name}} 登入。',
    gets: '您的帳號將綁定 {{contact}}。',
    addText:
      '請為您的 {{brand}} 帳號新增手機號碼或電子郵件地址，這樣不透過 {{name}} 也能登入。我們會向它傳送驗證碼。',
    without: '暫不新增，繼續',
    haveAccount: '我已有帳號',
    existingText: '請像往常一樣登入您的 {{brand}} 帳號。之後也可以透過 {{name}} 登入該帳號。',
    drop: '登入但不新增 {{name}}',
  },
  providerErrors: {
    provider_refused: '您沒有在那裡登入，或登入遭到拒絕。請再試一次，或選擇其他方式。',
    provider_stale: '需要重新登入，但收到的是先前的登入。請先在那裡登出，再試一次。',
    provider_taken: '該帳號已用於登入另一個帳號。請用它登入，或先在那裡解除連結。',
    provider_exists: '您的帳號已有這種登入方式。如需連結另一個，請先移除。',
    provider_expired: '時間過長，或已使用過。請重新開始。',
    provider_failed: '收到的回覆無法信任，因此沒有登入。請選擇其他方式。',
    provider_unavailable: '那裡的登入暫時無法使用。請選擇其他方式，或過一分鐘再試。',
    provider_unproven: '剛才的登入方式不足以新增它。請在此處新增。',
  },
};
