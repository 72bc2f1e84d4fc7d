import type { LanguageTexts } from '../texts.ts';

export const trouble: LanguageTexts['developers']['trouble'] = {
  text: '最近 7 天被拒絕的請求。密鑰、授權碼和權杖已隱藏。',
  empty: '沒有錯誤',
  emptyText: '最近 7 天，此應用程式沒有遭拒的請求。',
  reference: '錯誤頁面或紀錄檔中的編號',
  find: '尋找',
  notFound: '此應用程式沒有這個編號的錯誤。新的錯誤可能要過幾秒才會出現在這裡。編號保留 7 天。',
  all: '顯示所有錯誤',
  more: '顯示更多',
  times_other: '{{count}} 次',
  last: '最近一次：{{when}}',
  reason: '原因',
  endpoint: '端點',
  sent: '傳送的內容',
  expected: '正確的內容',
  difference: '標出的部分不同。',
  change: '如何修改',
  addAddress: '新增此網址',
  addWarning:
    '請僅在它是您自己應用程式的網址時新增：任何人都能以應用程式的名義傳送請求，而授權碼會傳送到該網址。',
  otherAddress: '網址已註冊，但此請求中的網址與之前的授權請求不同。',
  addressAdded: '網址已新增',
  toSecrets: '前往密鑰',
  toAddresses: '前往返回網址',
  toPermissions: '前往權限',
  toSnippets: '查看程式碼範例',
  toFacts: '查看應用程式的註冊資訊',
  kinds: {
    redirect_uri_mismatch: {
      title: '返回網址未註冊',
      text: '網址須完全一致：通訊協定、網域、連接埠、路徑和查詢參數。請註冊應用程式傳送的網址，或傳送已註冊的網址。',
    },
    wrong_secret: {
      title: '用戶端密鑰錯誤',
      text: '應用程式傳送的密鑰不屬於它。請檢查應用程式伺服器上的環境變數：複製時常會多出空格或缺少結尾。',
    },
    expired_secret: {
      title: '用戶端密鑰已到期',
      text: '請新增密鑰，交給應用程式使用，然後移除舊密鑰。',
    },
    empty_secret: {
      title: '密鑰是空的：是否已設定 CLIENT_SECRET？',
      text: '應用程式只傳送了用戶端 ID，沒有傳送密鑰。請在應用程式伺服器上設定該環境變數，然後重新啟動應用程式。',
    },
    wrong_auth_method: {
      title: '應用程式的驗證方式與註冊的不同',
      text: '請對照註冊資訊，檢查程式庫傳送密鑰的方式。',
    },
    missing_pkce: {
      title: '缺少 PKCE 質詢',
      text: '請傳送 code_challenge，並將 code_challenge_method 設為 S256。大多數程式庫都有相應選項。',
    },
    wrong_verifier: {
      title: 'PKCE 驗證值不符',
      text: '每次登入使用一個 code_verifier，並保存在發起登入的瀏覽器工作階段中。兩個分頁中的兩次登入需要兩個值。',
    },
    code_expired: {
      title: '授權碼已過期',
      text: '授權碼的有效期為 60 秒。瀏覽器帶回後請立即兌換。',
    },
    code_used: {
      title: '授權碼已使用過',
      text: '授權碼只能用於一次請求。重新整理回呼頁面或兩個程序都會重複傳送。',
    },
    clock: {
      title: '時鐘不一致',
      text: '應用程式簽章中的時間尚未到達或已經過期。請同步應用程式伺服器的時鐘。',
    },
    scope_not_registered: {
      title: '應用程式要求了它沒有的權限',
      text: '請新增該權限，或減少要求的權限。',
    },
    resource_unknown: {
      title: '這裡沒有這個 API',
      text: '請逐字對照 resource 的值與 API 的識別碼。',
    },
    grant_type_not_registered: {
      title: '應用程式未註冊這種取得權杖的方式',
      text: '可用的方式取決於應用程式類型。其他方式需要另一種類型的應用程式。',
    },
    response_type_not_registered: {
      title: '應用程式未註冊這種回應',
      text: '請傳送 response_type=code。',
    },
    refresh_token_unknown: {
      title: '更新權杖已失效',
      text: '權杖已到期、使用者已取消授權，或權杖屬於其他應用程式。請讓使用者重新登入。',
    },
    refresh_token_theft: {
      title: '已被取代的更新權杖再次出現',
      text: '舊權杖在新權杖啟用後，或被取代很久以後又被使用，因此整個授權已終止。請只在一處保存最新的權杖，並先保存再使用。',
    },
    dpop: {
      title: 'DPoP 證明被拒絕',
      text: '證明缺失、由其他金鑰產生，或用於其他網址。',
    },
    request_object: {
      title: '簽章請求被拒絕',
      text: '請檢查簽章請求的金鑰、演算法和時間。',
    },
    access_denied: {
      title: '使用者拒絕了',
      text: '應用程式沒有問題。請說明為什麼需要這些資料，並讓使用者可以再試一次。',
    },
    interaction_required: {
      title: '無法在背景登入',
      text: '使用 prompt=none 時，使用者必須已登入並已授權此應用程式。否則請讓使用者走正常登入流程。',
    },
    other: {
      title: '其他錯誤',
      text: '原因以伺服器的原文顯示。',
    },
  },
};
