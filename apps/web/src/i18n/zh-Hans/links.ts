import type { LanguageTexts } from '../texts.ts';

export const links: LanguageTexts['security']['links'] = {
  name: '命名',
  rename: '重命名',
  nameOf: '为此授权命名：{{app}}',
  renameOf: '重命名：{{label}}',
  label: '此授权的名称',
  labelHint: '例如“厨房音箱”。只有您能看到。不需要名称时请留空。',
  save: '保存',
  named: '{{app}}，{{label}}',
  oneOfNamedText:
    '“{{label}}”将立即失效，{{app}} 的其他授权不受影响。它已获得的信息不会被删除，此操作无法撤销。',
  quiet: '自 {{when}} 起未使用。如果它应该在工作，请打开 {{app}} 检查；如果不再需要，请解除授权。',
  ends: '将于 {{when}} 到期，与使用次数无关。',
  renew: '续期',
  renewOf: '续期：{{app}}',
  ended: '已断开',
  endedAt: '{{when}} 断开',
  goneApp: '已下架的应用',
  becauseNext: '{{because}}{{next}}',
  because: {
    withdrawn: '您解除了授权。',
    revoked_by_client: '应用交还了授权，例如您在该应用中解除了账号绑定。',
    token_theft: '有人使用了该应用密钥的副本，可能不是您本人。为保护您，我们终止了授权。',
    code_reused: '该应用的登录被使用了两次，可能不是您本人。为保护您，我们终止了授权。',
    client_disabled: '该应用已对所有人停用。',
    client_deleted: '该应用已下架。',
    account_disabled: '您的账号当时已停用。',
    account_deleted: '您的账号当时即将注销。',
    expired: '长时间未使用，或授权已到期。',
  },
  next: {
    again: '如需重新连接，请在 {{app}} 中再次绑定账号。',
    later: '{{app}} 恢复后，您可以在其中再次绑定账号。',
    careful: '如需重新连接，请在 {{app}} 中再次绑定账号。如果反复发生，请联系该应用的客服。',
    nothing: '您无需任何操作。',
  },
};
