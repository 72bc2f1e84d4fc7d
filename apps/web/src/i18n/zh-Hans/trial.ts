import type { LanguageTexts } from '../texts.ts';

export const trial: LanguageTexts['developers']['trial'] = {
  text: {
    authorization_code: '用您自己的账号走一遍此应用的登录流程。每一步都会显示发送和返回的内容及其含义。',
    device_code: '走一遍设备的登录流程，并用您自己的账号确认。每一步都会显示发送和返回的内容及其含义。',
    client_credentials: '以应用自身身份获取令牌，无需用户参与。每一步都会显示发送和返回的内容及其含义。',
  },
  secret: '客户端密钥',
  secretHint: '密钥只留在此页面的内存中，并且只发送到令牌端点。留空可以查看错误密钥如何被拒绝。',
  keysOnly: '此应用使用仅由其服务器持有的私钥认证。这里可以试第一步，其余步骤以命令显示。',
  disabled: '应用已停用：启用后才能试用。',
  way: '获取令牌的方式',
  ways: {
    authorization_code: '用户登录',
    device_code: '设备显示代码',
    client_credentials: '应用以自身身份获取',
  },
  start: '开始',
  again: '重新开始',
  send: '发送',
  open: '打开登录页面',
  waiting: '正在等待另一个窗口的结果',
  cancel: '停止等待',
  blocked: '浏览器没有打开新窗口。请允许此页面的弹出窗口，或手动打开地址。',
  openByHand: '在新标签页中打开地址',
  poll: '再次查询',
  userCode: '请在另一个标签页打开 {{address}} 并输入此代码：',
  logoutWarning: '您在此浏览器中也会退出本站的登录。',
  sent: '发送的内容',
  came: '返回的内容',
  header: '标头',
  claims: 'id_token 中的信息',
  noIdToken: '没有 id_token，因为没有申请 openid 权限。',
  unreachable: '没有收到响应。请检查网络后重新发送。',
  refused: '已拒绝。编号：{{reference}}。',
  explain: '为什么？',
  reason: '原因：{{reason}}',
  noReason: '原因尚未记录，请稍后再查询。',
  pending: '还没有人批准此设备。',
  done: '完成',
  curl: 'curl',
  typescript: 'TypeScript',
  commands: '对应的命令',
  answerTitle: '可以关闭此窗口',
  answerText: '结果显示在您开始的窗口中。',
  tokenBy: {
    authorization_code:
      '应用用授权码换取令牌，以 code_verifier 证明自己；有密钥的应用还要使用密钥。授权码只能使用一次，有效期 60 秒。',
    device_code: '设备反复询问。用户批准后，返回的就是令牌。',
    client_credentials: '应用通过认证，取得属于自己的令牌。',
  },
  steps: {
    authorization: {
      title: '授权请求',
      text: '浏览器把用户带到这里，并说明应用需要什么、返回到哪个网址。返回的网址中带有授权码。state 把它与浏览器绑定，code_challenge 把它与应用绑定。',
    },
    deviceAuthorization: {
      title: '设备授权请求',
      text: '设备取得一个代码并显示出来。用户在另一台设备上输入代码并批准。',
    },
    token: { title: '令牌请求' },
    claims: {
      title: '身份信息',
      text: 'id_token 说明登录的是谁。程序库会先检查签名、iss、aud、exp 和 nonce，然后才采信。',
    },
    userinfo: {
      title: '用户信息',
      text: '访问令牌可以读取用户批准的信息，内容是此刻的最新值。',
    },
    refresh: {
      title: '刷新',
      text: '无需用户参与，刷新令牌即可换取新令牌。请保存最新的令牌；如果响应丢失，请再次发送旧令牌。',
    },
    introspection: {
      title: '令牌查询',
      text: 'API 查询令牌是否有效、属于谁。对于无效的令牌，响应只说明它无效。',
    },
    revocation: {
      title: '撤销',
      text: '应用撤销它持有的令牌。对于未知的令牌，响应也是 200。',
    },
    logout: {
      title: '退出',
      text: '浏览器把用户带到这里，用户也会退出本站的登录。id_token 说明是哪个会话。',
    },
  },
};
