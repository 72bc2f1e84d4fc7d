import type { LanguageTexts } from '../texts.ts';

export const notices: LanguageTexts['notices'] = {
  greeting: '您好：',
  notice: {
    wasMe: '如果是您本人操作，請忽略此訊息。',
    advice: {
      password: '如果不是您本人操作，請立即重設密碼：{{link}}',
      contact:
        '如果不是您本人操作，請立即重設密碼。所有裝置都會登出，尚未生效的變更會取消，您也可以移除不屬於您的手機號碼或電子郵件地址：{{link}}',
      lost: '如果不是您本人操作，請使用帳號的其他手機號碼或電子郵件地址找回帳號：{{link}}',
      undo: '如果不是您本人操作，請於 72 小時內復原，無需登入：{{link}}',
      stop: '如果不是您本人操作，請點此阻止，不需要登入：{{link}}',
      passkey: '如果不是您本人操作，請立即重設密碼，然後登入並在「登入方式」中移除該通行密鑰：{{link}}',
      copied: '請用其他方式登入，在「登入方式」中移除帶有警告的通行密鑰，再新增一個：{{link}}',
      notMe: '如果不是您本人操作，請於 7 天內結束此次登入並重設密碼，無需登入：{{link}}',
      keep: '如需保留帳號，請在此之前登入。如果不是您本人申請，請用驗證碼登入或重設密碼：{{link}}',
      gone: '這是關於該帳號的最後一則訊息。您可以隨時註冊新帳號：{{link}}',
      export: '如果不是您本人申請，請在該頁面變更密碼。請在 24 小時內下載，僅可下載一次：{{link}}',
      app: '請前往檢視，也可以退出：{{link}}',
      renew: '如需保留，請登入並點按「續期」：{{link}}',
      help: '如果您沒有聯絡過客服，則無需理會：沒有驗證碼，任何人都無法登入。如果聯絡過，請在該頁面用驗證碼設定：{{link}}',
      console: '開發人員頁面：{{link}}',
      created: '請使用寄到此電子郵件地址的驗證碼登入。如果不是您本人申請，登入後可以刪除該帳號：{{link}}',
    },
    smsAdvice: {
      notMe: '若非本人操作，請結束登入：{{link}}',
      password: '若非本人操作，請重設密碼：{{link}}',
      lost: '若非本人操作，請找回帳號：{{link}}',
      undo: '若非本人操作，請復原：{{link}}',
      stop: '若非本人操作，請阻止：{{link}}',
      passkey: '若非本人操作，請重設密碼，然後移除該通行密鑰：{{link}}',
      copied: '請移除它並新增一個：{{link}}',
      keep: '保留帳號請登入：{{link}}',
      gone: '註冊新帳號：{{link}}',
      export: '請在 24 小時內下載：{{link}}',
      app: '檢視：{{link}}',
      renew: '續期：{{link}}',
      help: '設定新密碼：{{link}}',
      console: '{{link}}',
      created: '請用驗證碼登入：{{link}}',
    },
    password_changed: {
      subject: '您的 {{brand}} 密碼已變更',
      sms: '【{{brand}}】您的密碼已變更。{{advice}}',
      email: '您的 {{brand}} 帳號密碼已於 {{time}}變更，其他裝置均已登出。',
    },
    totp_added: {
      subject: '您的 {{brand}} 帳號已開啟第二步驗證',
      sms: '【{{brand}}】您的帳號已開啟驗證器應用程式的第二步驗證。{{advice}}',
      email:
        '自 {{time}}起，登入您的 {{brand}} 帳號還需要輸入驗證器應用程式中的驗證碼。其他所有裝置均已登出。',
    },
    totp_removed: {
      subject: '您的 {{brand}} 帳號已關閉第二步驗證',
      sms: '【{{brand}}】您的帳號已關閉驗證器應用程式的第二步驗證。{{advice}}',
      email: '您的 {{brand}} 帳號已於 {{time}}關閉第二步驗證，登入時不再需要驗證器應用程式中的驗證碼。',
    },
    recovery_codes_made: {
      subject: '您的 {{brand}} 帳號已產生新的復原碼',
      sms: '【{{brand}}】已產生新的復原碼，原有復原碼已失效。{{advice}}',
      email: '您的 {{brand}} 帳號已於 {{time}}產生新的復原碼，原有復原碼已失效。',
    },
    recovery_codes_undone: {
      subject: '您的 {{brand}} 帳號的新復原碼已取消',
      sms: '【{{brand}}】您帳號的新復原碼已取消。{{advice}}',
      email: '您的 {{brand}} 帳號的新復原碼已於 {{time}}取消，所有裝置均已登出。請在「登入方式」中重新產生。',
    },
    recovery_code_used: {
      subject: '您的 {{brand}} 帳號使用了一個復原碼',
      sms: '【{{brand}}】您的帳號使用了一個復原碼。{{advice}}',
      email: '您的 {{brand}} 帳號於 {{time}}使用了一個復原碼代替驗證器應用程式，該復原碼不能再次使用。',
    },
    recovery_wait_started: {
      subject: '有人申請略過第二步驗證進入您的 {{brand}} 帳號',
      sms: '【{{brand}}】有人使用 {{contact}} 申請略過第二步驗證進入您的帳號。{{advice}}',
      email:
        '{{time}}，能夠讀取 {{contact}} 訊息的人申請略過第二步驗證進入您的 {{brand}} 帳號。如果不阻止，對方自 {{due}}起可以設定新密碼。',
    },
    recovery_wait_stopped: {
      subject: '略過第二步驗證進入您的 {{brand}} 帳號的申請已被阻止',
      sms: '【{{brand}}】略過第二步驗證進入您的帳號的申請已被阻止。{{advice}}',
      email: '略過第二步驗證進入您的 {{brand}} 帳號的申請已於 {{time}}被阻止，無法再透過該申請進入帳號。',
    },
    passkey_added: {
      subject: '您的 {{brand}} 帳號新增了通行密鑰',
      sms: '【{{brand}}】您的帳號新增了通行密鑰。{{advice}}',
      email: '您的 {{brand}} 帳號已於 {{time}}新增了通行密鑰，不需要密碼即可登入。',
    },
    passkey_removed: {
      subject: '您的 {{brand}} 帳號移除了通行密鑰',
      sms: '【{{brand}}】您的帳號移除了通行密鑰。{{advice}}',
      email: '您的 {{brand}} 帳號已於 {{time}}移除了通行密鑰。',
    },
    passkey_counter: {
      subject: '您的 {{brand}} 帳號的一個通行密鑰可能已遭複製',
      sms: '【{{brand}}】您帳號的一個通行密鑰可能已遭複製，使用它的登入已遭拒絕。{{advice}}',
      email:
        '您的 {{brand}} 帳號的一個通行密鑰已於 {{time}}遭到拒絕：它會記錄使用次數，而次數變小了，可能已遭複製。',
    },
    provider_linked: {
      subject: '您的{{brand}}帳號已連結{{provider}}',
      sms: '{{brand}}：您的帳號現在可以用{{provider}}登入。{{advice}}',
      email: '自{{time}}起，可以用{{provider}}登入您的{{brand}}帳號。',
    },
    provider_unlinked: {
      subject: '您的{{brand}}帳號已解除連結{{provider}}',
      sms: '{{brand}}：您的帳號不能再用{{provider}}登入。{{advice}}',
      email: '自{{time}}起，不能再用{{provider}}登入您的{{brand}}帳號。',
    },
    provider_restored: {
      subject: '{{provider}}已恢復到您的{{brand}}帳號',
      sms: '{{brand}}：解除連結{{provider}}的操作已復原。請用其他方式登入後重新新增。{{advice}}',
      email:
        '{{time}}，從您的{{brand}}帳號解除連結{{provider}}的操作已復原，所有裝置均已登出。請用其他方式登入並重新新增，之後才能再次用{{provider}}登入。',
    },
    provider_closed: {
      subject: '{{provider}}不能再登入您的{{brand}}帳號',
      sms: '{{brand}}：{{provider}}回報您在那裡的帳號有問題，已停止用它登入。{{advice}}',
      email:
        '{{time}}，{{provider}}告知我們您在那裡的帳號可能不安全或已不存在。在您用其他方式登入並重新連結之前，不能用它登入您的{{brand}}帳號。',
    },
    provider_mail_stopped: {
      subject: '經{{provider}}轉寄的郵件已無法送達',
      sms: '{{brand}}：{{provider}}已停止轉寄我們的郵件給您，請為帳號新增其他電子郵件地址。{{advice}}',
      email:
        '{{time}}，{{provider}}告知我們，它已停止轉寄郵件給您。{{brand}}的訊息無法透過該地址送達。請為帳號新增其他電子郵件地址，或重新開啟轉寄。',
    },
    new_browser: {
      subject: '您的 {{brand}} 帳號有新的登入',
      sms: '【{{brand}}】您的帳號有新的登入：{{device}}。{{advice}}',
      email: '您的 {{brand}} 帳號已於 {{time}}在新的瀏覽器中登入：{{device}}。',
    },
    device: {
      both: '{{os}} 上的 {{browser}}',
      unknown: '不明瀏覽器',
      zone: '該裝置的時區為{{zone}}。',
    },
    deletion_requested: {
      subject: '您的 {{brand}} 帳號即將刪除',
      sms: '【{{brand}}】您的帳號將於 {{time}}刪除。{{advice}}',
      email:
        '您的 {{brand}} 帳號將於 {{time}}連同全部資料一併刪除。所有裝置均已登出，已連結的應用程式無法再存取您的帳號。',
    },
    deletion_cancelled: {
      subject: '您的 {{brand}} 帳號已保留',
      sms: '【{{brand}}】您的帳號已保留，刪除已取消。{{advice}}',
      email: '{{time}}有人登入您的 {{brand}} 帳號並選擇保留。帳號不會刪除，已連結的應用程式恢復使用。',
    },
    account_deleted: {
      subject: '您的 {{brand}} 帳號已刪除',
      sms: '【{{brand}}】您的帳號已刪除。{{advice}}',
      email: '您的 {{brand}} 帳號及其全部資料已於 {{time}}刪除，已連結的應用程式不再有存取權限。',
    },
    recovery_help: {
      subject: '如何重新登入您的 {{brand}} 帳號',
      sms: '{{brand}}：客服向您傳送了重設密碼的入口。{{advice}}',
      email: '客服於 {{time}} 向您傳送了 {{brand}} 帳號重設密碼的入口。',
    },
    developer_allowed: {
      subject: '您現在可以在{{brand}}註冊應用程式',
      sms: '{{brand}}：您現在可以註冊應用程式。{{advice}}',
      email: '您曾向{{brand}}申請註冊應用程式的權限，該申請已於{{time}}通過。',
    },
    developer_refused: {
      subject: '您在{{brand}}註冊應用程式的申請',
      sms: '{{brand}}：您註冊應用程式的申請未獲通過。{{advice}}',
      email: '您曾向{{brand}}申請註冊應用程式的權限，該申請於{{time}}未獲通過。30 天後可以再次申請。',
    },
    contact_checked: {
      subject: '{{brand}} 帳號的測試訊息',
      sms: '{{brand}}：客服正在檢查您能否收到訊息。{{advice}}',
      email: '客服於 {{time}} 檢查了 {{brand}} 帳號的訊息能否送達此聯絡方式。可以送達。',
    },
    export_ready: {
      subject: '您的 {{brand}} 資料副本可以下載了',
      sms: '【{{brand}}】您的資料副本可以下載了。{{advice}}',
      email: '您的 {{brand}} 資料副本已於 {{time}}準備完成，可在帳號頁面下載。',
    },
    link_ends: {
      subject: '{{app}} 對您 {{brand}} 帳號的授權即將到期',
      sms: '【{{brand}}】{{app}} 的授權將於 {{time}}到期。{{advice}}',
      email: '{{app}} 對您 {{brand}} 帳號的授權將於 {{time}}到期。到期後即使經常使用，它也會停止運作。',
    },
    account_created: {
      subject: '您的 {{brand}} 帳號已建立',
      sms: '【{{brand}}】已透過 {{app}} 為您建立帳號。{{advice}}',
      email:
        '應 {{app}} 中的要求，已於 {{time}}使用此電子郵件地址建立 {{brand}} 帳號，{{app}} 現在可以使用該帳號。該帳號尚未設定密碼。',
    },
    app_shared: {
      subject: '{{brand}} 有應用程式與您共用',
      sms: '【{{brand}}】有開發人員將您加入了應用程式。{{advice}}',
      email: '一位開發人員於 {{time}}將您加入了 {{brand}} 的一個應用程式，您可以檢視和變更它。',
    },
    phone_bound: {
      subject: '您的 {{brand}} 帳號已綁定手機號碼',
      sms: '【{{brand}}】您的帳號已綁定手機號碼 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 帳號已於 {{time}}綁定手機號碼 {{contact}}。',
    },
    phone_changed: {
      subject: '您的 {{brand}} 帳號手機號碼已變更',
      sms: '【{{brand}}】您的手機號碼已變更為 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 帳號手機號碼已於 {{time}}變更為 {{contact}}。',
    },
    phone_unbound: {
      subject: '您的 {{brand}} 帳號已解除綁定手機號碼',
      sms: '【{{brand}}】您的帳號已解除綁定手機號碼 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 帳號已於 {{time}}解除綁定手機號碼 {{contact}}。',
    },
    phone_change_waits: {
      subject: '您的 {{brand}} 帳號手機號碼即將變更',
      sms: '【{{brand}}】您的手機號碼將於 72 小時後變更為 {{contact}}。{{advice}}',
      email: '有人於 {{time}}申請將您的 {{brand}} 帳號手機號碼變更為 {{contact}}。此變更將於 72 小時後生效。',
    },
    phone_unbind_waits: {
      subject: '您的 {{brand}} 帳號即將解除綁定手機號碼',
      sms: '【{{brand}}】手機號碼 {{contact}} 將於 72 小時後解除綁定。{{advice}}',
      email:
        '有人於 {{time}}申請從您的 {{brand}} 帳號解除綁定手機號碼 {{contact}}。解除綁定將於 72 小時後生效。',
    },
    phone_kept: {
      subject: '您的 {{brand}} 帳號手機號碼維持不變',
      sms: '【{{brand}}】一項變更已復原，手機號碼仍為 {{contact}}。{{advice}}',
      email:
        '您的 {{brand}} 帳號的一項變更已於 {{time}}復原：手機號碼 {{contact}} 仍屬於該帳號，所有裝置均已登出。',
    },
    email_bound: {
      subject: '您的 {{brand}} 帳號已綁定電子郵件地址',
      sms: '【{{brand}}】您的帳號已綁定電子郵件地址 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 帳號已於 {{time}}綁定電子郵件地址 {{contact}}。',
    },
    email_changed: {
      subject: '您的 {{brand}} 帳號電子郵件地址已變更',
      sms: '【{{brand}}】您的電子郵件地址已變更為 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 帳號電子郵件地址已於 {{time}}變更為 {{contact}}。',
    },
    email_unbound: {
      subject: '您的 {{brand}} 帳號已解除綁定電子郵件地址',
      sms: '【{{brand}}】您的帳號已解除綁定電子郵件地址 {{contact}}。{{advice}}',
      email: '您的 {{brand}} 帳號已於 {{time}}解除綁定電子郵件地址 {{contact}}。',
    },
    email_change_waits: {
      subject: '您的 {{brand}} 帳號電子郵件地址即將變更',
      sms: '【{{brand}}】您的電子郵件地址將於 72 小時後變更為 {{contact}}。{{advice}}',
      email:
        '有人於 {{time}}申請將您的 {{brand}} 帳號電子郵件地址變更為 {{contact}}。此變更將於 72 小時後生效。',
    },
    email_unbind_waits: {
      subject: '您的 {{brand}} 帳號即將解除綁定電子郵件地址',
      sms: '【{{brand}}】電子郵件地址 {{contact}} 將於 72 小時後解除綁定。{{advice}}',
      email:
        '有人於 {{time}}申請從您的 {{brand}} 帳號解除綁定電子郵件地址 {{contact}}。解除綁定將於 72 小時後生效。',
    },
    email_kept: {
      subject: '您的 {{brand}} 帳號電子郵件地址維持不變',
      sms: '【{{brand}}】一項變更已復原，電子郵件地址仍為 {{contact}}。{{advice}}',
      email:
        '您的 {{brand}} 帳號的一項變更已於 {{time}}復原：電子郵件地址 {{contact}} 仍屬於該帳號，所有裝置均已登出。',
    },
  },
};
