import type { LanguageTexts } from '../texts.ts';

export const trial: LanguageTexts['developers']['trial'] = {
  text: {
    authorization_code: '用您自己的帳號走一遍此應用程式的登入流程。每一步都會顯示傳送與傳回的內容及其含義。',
    device_code: '走一遍裝置的登入流程，並用您自己的帳號確認。每一步都會顯示傳送與傳回的內容及其含義。',
    client_credentials:
      '以應用程式自身身分取得權杖，不需要使用者參與。每一步都會顯示傳送與傳回的內容及其含義。',
  },
  secret: '用戶端密鑰',
  secretHint: '密鑰只留在此頁面的記憶體中，並且只傳送到權杖端點。留空可以查看錯誤密鑰如何被拒絕。',
  keysOnly: '此應用程式使用僅由其伺服器持有的私鑰驗證。這裡可以試第一步，其餘步驟以指令顯示。',
  disabled: '應用程式已停用：啟用後才能試用。',
  way: '取得權杖的方式',
  ways: {
    authorization_code: '使用者登入',
    device_code: '裝置顯示代碼',
    client_credentials: '應用程式以自身身分取得',
  },
  start: '開始',
  again: '重新開始',
  send: '傳送',
  open: '開啟登入頁面',
  waiting: '正在等待另一個視窗的結果',
  cancel: '停止等待',
  blocked: '瀏覽器沒有開啟新視窗。請允許此頁面的彈出式視窗，或手動開啟網址。',
  openByHand: '在新分頁中開啟網址',
  poll: '再次查詢',
  userCode: '請在另一個分頁開啟 {{address}} 並輸入此代碼：',
  logoutWarning: '您在此瀏覽器中也會登出本網站。',
  sent: '傳送的內容',
  came: '傳回的內容',
  header: '標頭',
  claims: 'id_token 中的資訊',
  noIdToken: '沒有 id_token，因為沒有要求 openid 權限。',
  unreachable: '沒有收到回應。請檢查網路後重新傳送。',
  refused: '已拒絕。編號：{{reference}}。',
  explain: '為什麼？',
  reason: '原因：{{reason}}',
  noReason: '原因尚未記錄，請稍後再查詢。',
  pending: '還沒有人核准此裝置。',
  done: '完成',
  curl: 'curl',
  typescript: 'TypeScript',
  commands: '對應的指令',
  answerTitle: '可以關閉此視窗',
  answerText: '結果顯示在您開始的視窗中。',
  tokenBy: {
    authorization_code:
      '應用程式用授權碼換取權杖，以 code_verifier 證明自己；有密鑰的應用程式還要使用密鑰。授權碼只能使用一次，有效期 60 秒。',
    device_code: '裝置反覆詢問。使用者核准後，傳回的就是權杖。',
    client_credentials: '應用程式通過驗證，取得屬於自己的權杖。',
  },
  steps: {
    authorization: {
      title: '授權請求',
      text: '瀏覽器把使用者帶到這裡，並說明應用程式需要什麼、返回到哪個網址。返回的網址中帶有授權碼。state 把它與瀏覽器綁定，code_challenge 把它與應用程式綁定。',
    },
    deviceAuthorization: {
      title: '裝置授權請求',
      text: '裝置取得一個代碼並顯示出來。使用者在另一台裝置上輸入代碼並核准。',
    },
    token: { title: '權杖請求' },
    claims: {
      title: '身分資訊',
      text: 'id_token 說明登入的是誰。程式庫會先檢查簽章、iss、aud、exp 和 nonce，然後才採信。',
    },
    userinfo: {
      title: '使用者資訊',
      text: '存取權杖可以讀取使用者核准的資訊，內容是此刻的最新值。',
    },
    refresh: {
      title: '更新',
      text: '不需要使用者參與，更新權杖即可換取新權杖。請保存最新的權杖；如果回應遺失，請再次傳送舊權杖。',
    },
    introspection: {
      title: '權杖查詢',
      text: 'API 查詢權杖是否有效、屬於誰。對於無效的權杖，回應只說明它無效。',
    },
    revocation: {
      title: '作廢',
      text: '應用程式作廢它持有的權杖。對於未知的權杖，回應也是 200。',
    },
    logout: {
      title: '登出',
      text: '瀏覽器把使用者帶到這裡，使用者也會登出本網站。id_token 說明是哪個工作階段。',
    },
  },
};
