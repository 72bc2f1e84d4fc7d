import type { LanguageTexts } from '../texts.ts';
import { client } from './client.ts';
import { clientErrors } from './client-errors.ts';
import { documentation } from './documentation.ts';
import { linkCheck } from './link-check.ts';
import { overview } from './overview.ts';
import { signals } from './signals.ts';
import { trial } from './trial.ts';
import { trouble } from './trouble.ts';
import { snippets, usage } from './usage.ts';

export const developers: LanguageTexts['developers'] = {
  developers: {
    title: '開發人員',
    text: '您在 {{brand}} 註冊的應用程式。',
    register: '註冊應用程式',
    noToken: '尚未核發權杖',
    lastToken: '最近一次權杖：{{when}}',
    errorsToday_other: '今天 {{count}} 個錯誤',
    secretEnds: '有密鑰到期：{{when}}',
    disabled: '已停用',
    empty: {
      title: '註冊您的第一個應用程式',
      text: '請從最接近的一種開始。',
      web: {
        title: '網站應用程式',
        text: '在您自己的伺服器上執行。',
        needs: '需要：使用者返回的網址。開發時使用 http://localhost 即可。',
      },
      device: {
        title: '裝置上的應用程式',
        text: '沒有瀏覽器的燈、喇叭或電視。',
        needs: '需要：僅一個名稱。使用者在手機上輸入代碼確認。',
      },
      voice: {
        title: '語音助理',
        text: '使用者以語音控制燈光。',
        needs: '需要：您的 Alexa 廠商 ID，或 Google Home 專案 ID。',
      },
    },
    notAllowed: {
      title: '您的帳號還不能註冊應用程式',
      text: '{{brand}} 逐一開放開發人員。請聯絡客服，說明您要開發的內容，並提供此帳號的手機號碼或電子郵件地址。',
      ask: '聯絡客服',
    },
    access: {
      text: '{{brand}} 逐一開放開發人員。請說明您要開發的內容，系統會傳送訊息告知結果。',
      why: '您要開發什麼？',
      hint: '一句話即可。',
      ask: '申請權限',
      blank: '請說明您要開發的內容',
      long: '最多 500 個字元',
      waiting: '您已申請權限',
      waitingText: '申請日期：{{when}}。系統會傳送訊息告知結果。',
      refused: '您的申請未通過',
      refusedText: '{{when}} 起可以再次申請。',
    },
    stronger: {
      title: '請用第二步驗證登入',
      text: '{{brand}} 要求使用第二步驗證或通行密鑰登入後，才能檢視和變更應用程式。如果您的帳號兩者都沒有，請先新增。',
      signIn: '重新登入',
      account: '前往我的帳號',
    },
    reference: {
      label: '錯誤編號',
      hint: '每個錯誤頁面和每個遭拒的請求都有編號。輸入您的應用程式的錯誤編號，即可檢視詳情。',
      find: '尋找錯誤',
      none: '您的應用程式都沒有此編號的錯誤。新的錯誤可能要過幾秒才會出現在這裡。錯誤只保留 7 天。',
    },
  },
  presets: {
    web: { name: '網站應用程式', text: '在伺服器上執行，由伺服器保管密鑰。' },
    spa: { name: '瀏覽器應用程式', text: '只在瀏覽器中執行，因此沒有密鑰。' },
    native: { name: '手機或電腦應用程式', text: '由使用者安裝，因此沒有密鑰。' },
    device: { name: '裝置上的應用程式', text: '沒有瀏覽器，使用者在手機上輸入代碼確認。' },
    alexa: { name: 'Alexa 技能', text: '亞馬遜的語音助理。' },
    'google-home': { name: 'Google Home 整合', text: 'Google 的語音助理和家庭應用程式。' },
    'home-assistant': { name: 'Home Assistant 整合', text: '使用者自己家中的控制中心。' },
    alice: { name: 'Alice 技能', text: 'Yandex 的語音助理。' },
    salute: { name: 'Salute 整合', text: 'Sber 的語音助理。' },
    'tmall-genie': { name: '天貓精靈技能', text: '阿里巴巴的語音助理（AliGenie）。' },
    xiaodu: { name: '小度技能', text: '百度的語音助理（DuerOS）。' },
    smartthings: { name: 'SmartThings 整合', text: '三星的家庭應用程式。' },
    ifttt: { name: 'IFTTT 服務', text: '在不同服務之間實現自動化。' },
    'aws-iot': { name: 'AWS IoT 連接器', text: '使用 AWS IoT 受管整合的平台。' },
    machine: { name: '伺服器端程式（M2M）', text: '不需要使用者參與，自行運作。' },
    fapi: { name: '簽署請求的應用程式', text: '在伺服器上執行，使用自己的私鑰簽署。' },
    other: { name: '應用程式', text: '註冊時沒有指定類型。' },
  },
  newClient: {
    title: '註冊應用程式',
    text: '回答三個問題即可。除第一項外，以後都可以變更。',
    kind: '這是哪一種應用程式？',
    platform: '還是把家庭連接到某個平台？',
    name: '應用程式名稱',
    nameHint: '使用者在授權時會看到這個名稱。',
    where: '使用者返回到哪裡？',
    nowhere: '這種應用程式不需要返回網址，不必填寫。',
    uris: '返回網址',
    urisHint: '須與應用程式送出的網址完全一致。開發時也可以使用 http://localhost。',
    urisOfNative:
      '以 https:// 開頭的網址、自己的通訊協定名稱（如 com.example.app:/callback），或 http://127.0.0.1。',
    urisOfPlatform: '所有使用者都從該平台返回到此網址。已為您填好，以後可以變更。',
    urisFromPlatform: '您在平台上設定應用程式時，平台會顯示此網址。',
    vendor: 'Alexa 廠商 ID',
    vendorHint: '在 Alexa 開發人員主控台，帳號連結的每個重新導向網址都以它結尾。',
    project: 'Google Home 專案 ID',
    projectHint: '在 Google Home 開發人員主控台，位於專案名稱下方。',
    service: 'IFTTT 服務 ID',
    serviceHint: '在 IFTTT 平台主控台，位於您的服務分頁。',
    submit: '註冊',
  },
  madeSecret: {
    title: '{{app}} 的密鑰',
    titleOf: '{{app}} 的新密鑰：{{name}}',
    text: '請複製到應用程式的執行環境中。關閉後不會再次顯示。',
    download: '下載 .env 檔案',
    done: '完成',
    askTitle: '密鑰保存好了嗎？',
    askText: '密鑰不會再次顯示。如果遺失，只能新增另一個密鑰。',
    back: '再看一次',
    kept: '已保存',
  },
  client,
  linkCheck,
  overview,
  signals,
  documentation,
  errors: clientErrors,
  trial,
  trouble,
  usage,
  snippets,
};
