import type { LanguageTexts } from '../texts.ts';

export const trouble: LanguageTexts['developers']['trouble'] = {
  text: '最近 7 天被拒绝的请求。密钥、授权码和令牌已隐藏。',
  empty: '没有错误',
  emptyText: '最近 7 天，此应用没有被拒绝的请求。',
  reference: '错误页面或日志中的编号',
  find: '查找',
  notFound: '此应用没有这个编号的错误。新的错误可能要过几秒才会出现在这里。编号保留 7 天。',
  all: '显示所有错误',
  more: '显示更多',
  times_other: '{{count}} 次',
  last: '最近一次：{{when}}',
  reason: '原因',
  endpoint: '端点',
  sent: '发送的内容',
  expected: '正确的内容',
  difference: '标出的部分不同。',
  change: '如何修改',
  addAddress: '添加此网址',
  addWarning: '请仅在它是您自己应用的网址时添加：任何人都能以应用的名义发送请求，而授权码会发送到该网址。',
  otherAddress: '网址已注册，但此请求中的网址与之前的授权请求不同。',
  addressAdded: '网址已添加',
  toSecrets: '前往密钥',
  toAddresses: '前往返回网址',
  toPermissions: '前往权限',
  toSnippets: '查看代码示例',
  toFacts: '查看应用的注册信息',
  kinds: {
    redirect_uri_mismatch: {
      title: '返回网址未注册',
      text: '网址须完全一致：协议、域名、端口、路径和查询参数。请注册应用发送的网址，或发送已注册的网址。',
    },
    wrong_secret: {
      title: '客户端密钥错误',
      text: '应用发送的密钥不属于它。请检查应用服务器上的环境变量：复制时常常会多出空格或缺少结尾。',
    },
    expired_secret: {
      title: '客户端密钥已到期',
      text: '请添加新密钥，交给应用使用，然后移除旧密钥。',
    },
    empty_secret: {
      title: '密钥为空：是否已设置 CLIENT_SECRET？',
      text: '应用只发送了客户端 ID，没有发送密钥。请在应用服务器上设置该环境变量，然后重新启动应用。',
    },
    wrong_auth_method: {
      title: '应用的认证方式与注册的不同',
      text: '请对照注册信息，检查程序库发送密钥的方式。',
    },
    missing_pkce: {
      title: '缺少 PKCE 质询',
      text: '请发送 code_challenge，并将 code_challenge_method 设为 S256。大多数程序库都有相应选项。',
    },
    wrong_verifier: {
      title: 'PKCE 验证值不匹配',
      text: '每次登录使用一个 code_verifier，并保存在发起登录的浏览器会话中。两个标签页中的两次登录需要两个值。',
    },
    code_expired: {
      title: '授权码已过期',
      text: '授权码的有效期为 60 秒。浏览器带回后请立即兑换。',
    },
    code_used: {
      title: '授权码已使用过',
      text: '授权码只能用于一次请求。刷新回调页面或两个进程都会重复发送。',
    },
    clock: {
      title: '时钟不一致',
      text: '应用签名中的时间尚未到达或已经过期。请同步应用服务器的时钟。',
    },
    scope_not_registered: {
      title: '应用申请了它没有的权限',
      text: '请添加该权限，或减少申请的权限。',
    },
    resource_unknown: {
      title: '这里没有这个 API',
      text: '请逐字对照 resource 的值与 API 的标识符。',
    },
    grant_type_not_registered: {
      title: '应用未注册这种获取令牌的方式',
      text: '可用的方式取决于应用类型。其他方式需要另一种类型的应用。',
    },
    response_type_not_registered: {
      title: '应用未注册这种响应',
      text: '请发送 response_type=code。',
    },
    refresh_token_unknown: {
      title: '刷新令牌已失效',
      text: '令牌已到期、用户已撤销授权，或令牌属于其他应用。请让用户重新登录。',
    },
    refresh_token_theft: {
      title: '已被替换的刷新令牌再次出现',
      text: '旧令牌在新令牌启用后，或被替换很久以后又被使用，因此整个授权已终止。请只在一处保存最新的令牌，并先保存再使用。',
    },
    dpop: {
      title: 'DPoP 证明被拒绝',
      text: '证明缺失、由其他密钥生成，或用于其他网址。',
    },
    request_object: {
      title: '签名请求被拒绝',
      text: '请检查签名请求的密钥、算法和时间。',
    },
    access_denied: {
      title: '用户拒绝了',
      text: '应用没有问题。请说明为什么需要这些数据，并让用户可以重试。',
    },
    interaction_required: {
      title: '无法静默登录',
      text: '使用 prompt=none 时，用户必须已登录并已授权此应用。否则请让用户走正常登录流程。',
    },
    other: {
      title: '其他错误',
      text: '原因以服务器的原文显示。',
    },
  },
};
