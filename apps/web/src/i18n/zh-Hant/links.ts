import type { LanguageTexts } from '../texts.ts';

export const links: LanguageTexts['security']['links'] = {
  name: '命名',
  rename: '重新命名',
  nameOf: '為此授權命名：{{app}}',
  renameOf: '重新命名：{{label}}',
  label: '此授權的名稱',
  labelHint: '例如「廚房音箱」。只有您看得到。不需要名稱時請留空。',
  save: '儲存',
  named: '{{app}}，{{label}}',
  oneOfNamedText:
    '「{{label}}」將立即失效，{{app}} 的其他授權不受影響。它已取得的資訊不會被刪除，此操作無法復原。',
  quiet: '自 {{when}} 起未使用。如果它應該在運作，請開啟 {{app}} 檢查；如果不再需要，請移除授權。',
  ends: '將於 {{when}} 到期，與使用次數無關。',
  renew: '續期',
  renewOf: '續期：{{app}}',
  ended: '已中斷連線',
  endedAt: '{{when}} 中斷',
  goneApp: '已下架的應用程式',
  becauseNext: '{{because}}{{next}}',
  because: {
    withdrawn: '您移除了授權。',
    revoked_by_client: '應用程式交還了授權，例如您在該應用程式中解除了帳號連結。',
    token_theft: '有人使用了該應用程式金鑰的副本，可能不是您本人。為保護您，我們終止了授權。',
    code_reused: '該應用程式的登入被使用了兩次，可能不是您本人。為保護您，我們終止了授權。',
    client_disabled: '該應用程式已對所有人停用。',
    client_deleted: '該應用程式已下架。',
    account_disabled: '您的帳號當時已停用。',
    account_deleted: '您的帳號當時即將刪除。',
    expired: '長時間未使用，或授權已到期。',
  },
  next: {
    again: '如需重新連線，請在 {{app}} 中再次連結帳號。',
    later: '{{app}} 恢復後，您可以在其中再次連結帳號。',
    careful: '如需重新連線，請在 {{app}} 中再次連結帳號。如果反覆發生，請聯絡該應用程式的客服。',
    nothing: '您無需任何操作。',
  },
};
