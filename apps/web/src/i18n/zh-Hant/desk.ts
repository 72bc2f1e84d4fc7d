import type { LanguageTexts } from '../texts.ts';
import { deskAccount } from './desk-account.ts';
import { deskActs } from './desk-acts.ts';
import { deskRecord } from './desk-record.ts';
import { deskService } from './desk-service.ts';
import { deskWords } from './desk-words.ts';

type Texts = LanguageTexts['desk']['desk'];

const open: Texts['open'] = {
  title: '開啟客服台',
  text: {
    mfa: '請用驗證器應用程式或通行密鑰確認是您本人。客服台開放 8 小時，30 分鐘無操作即關閉。',
    phr: '請用通行密鑰確認是您本人。客服台開放 8 小時，30 分鐘無操作即關閉。',
  },
  action: '開啟客服台',
  close: '關閉客服台',
  until: '開放至 {{when}}',
  missing: {
    mfa: '您的帳號還沒有第二步驗證。請先新增驗證器應用程式或通行密鑰，再回到這裡。',
    phr: '您的帳號還沒有通行密鑰。請先新增，再回到這裡。',
  },
  settings: '帳號設定',
  goneTitle: '您已無法使用客服台',
  goneText: '您的角色已被取消，或客服台已不存在。如有疑問，請聯絡管理員。',
  failedTitle: '無法載入客服台',
};

const search: Texts['search'] = {
  label: '手機號碼、電子郵件地址、帳號、應用程式或錯誤編號',
  find: '尋找',
  title: '來電者說了什麼？',
  text: '任意寫法的手機號碼、電子郵件地址、帳號 ID、錯誤頁面上的編號，或應用程式的 ID 或名稱。只尋找完全相符的內容，每次尋找都會留下紀錄。',
  looksLeft_other: '本小時還可檢視 {{count}} 次',
  slash: '按 / 鍵移到尋找欄位',
  nothingTitle: '沒有與「{{text}}」相符的內容',
  nothing: '請向來電者複述一遍。然後詢問其他手機號碼或電子郵件地址，或錯誤頁面底部的編號。',
  several_other: '與「{{text}}」相符的有 {{count}} 項',
  failedTitle: '尋找沒有成功',
  kinds: { account: '帳號', client: '應用程式', error: '錯誤頁面' },
  errorAt: '顯示於 {{when}}',
  errorText:
    '應用程式帶使用者來到這裡時送出的請求被拒絕。使用者沒有做錯什麼：開發者可在該應用程式的錯誤中找到此編號。',
  errorApp: '應用程式',
  errorWhat: '拒絕原因',
};

const errors: LanguageTexts['desk']['errors'] = {
  reason_blank: '請填寫原因',
  reason_too_long: '最多 500 個字元',
  desk_closed: '客服台已關閉，請重新開啟。',
  role_insufficient: '您的角色無權執行此操作',
  own_account: '這是您自己的帳號，請由同事處理',
  own_approval: '這是您提出的請求，需由另一位管理員核准',
  caller_unproven: '請先核實來電者',
  contact_differs: '此帳號沒有這個聯絡方式，請向來電者複述一遍。',
  contact_too_young: '此聯絡方式新增不到 72 小時，請使用其他聯絡方式或兩位數字。',
  not_there: '沒有人登入此帳號，無人能讀出數字。請改為傳送驗證碼。',
  digits_exhausted: '一天內兩位數字已答錯兩次。請改為傳送驗證碼。',
  approval_asked: '已請求另一位管理員核准',
  nothing_to_do: '無需操作：已經是這樣了。頁面現已更新。',
  words_changed: '其他人已變更文案。請查看後再試一次。',
  words_invalid: '文案不能這樣使用',
  word_unknown: '此版本沒有這則文案',
  word_blank: '請填寫文案',
  word_too_long: '最多 4000 個字元',
  word_placeholder_unknown: '含有內建文案中沒有的雙大括號名稱',
  word_placeholder_missing: '缺少內建文案中的雙大括號名稱',
  word_forbidden: '不能含有「$t(」',
};

export const desk: LanguageTexts['desk'] = {
  desk: {
    title: '客服台',
    of: '{{brand}} 客服台',
    pages: '客服台頁面',
    roles: { viewer: '檢視者', support: '客服', operator: '管理員' },
    open,
    search,
    account: deskAccount,
    acts: deskActs,
    ...deskRecord,
    ...deskService,
    ...deskWords,
  },
  errors,
};
