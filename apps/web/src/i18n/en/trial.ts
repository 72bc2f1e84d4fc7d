/** The protocol step by step with an app of one’s own. */
export const trial = {
  text: {
    authorization_code:
      'Walk through the sign-in with this app, using your own account. Every step shows what was sent, what came back, and what it means.',
    device_code:
      'Walk through the sign-in of this device, and confirm it with your own account. Every step shows what was sent, what came back, and what it means.',
    client_credentials:
      'Get a token for the app itself, without a person. Every step shows what was sent, what came back, and what it means.',
  },
  secret: 'Client secret',
  secretHint:
    'It stays in the memory of this page and is sent only to the token endpoint. Leave it empty to see how a wrong secret is refused.',
  keysOnly:
    'This app authenticates with a key that only its server has. The first step can be tried here; the commands show the others.',
  disabled: 'The app is disabled: nothing can be tried until you enable it.',
  way: 'Way to get tokens',
  ways: {
    authorization_code: 'A person signs in',
    device_code: 'A device shows a code',
    client_credentials: 'The app acts on its own',
  },
  start: 'Start',
  again: 'Start again',
  send: 'Send',
  open: 'Open the sign-in',
  waiting: 'Waiting for the answer in the other window',
  cancel: 'Stop waiting',
  blocked:
    'The browser did not open another window. Allow pop-ups for this page, or open the address by hand.',
  openByHand: 'Open the address in a new tab',
  poll: 'Ask again',
  userCode: 'Open {{address}} in another tab and enter this code:',
  logoutWarning: 'This also signs you out of this portal, in this browser.',
  sent: 'What is sent',
  came: 'What came back',
  header: 'Header',
  claims: 'Claims of the id_token',
  noIdToken: 'There is no id_token, because the scope openid was not asked for.',
  unreachable: 'No answer came. Check the connection and send it again.',
  refused: 'Refused. The reference is {{reference}}.',
  explain: 'Why?',
  reason: 'Reason: {{reason}}',
  noReason: 'The reason is not there yet. Ask again in a moment.',
  pending: 'Nobody has approved the device yet.',
  done: 'Done',
  curl: 'curl',
  typescript: 'TypeScript',
  commands: 'The same as a command',
  answerTitle: 'You can close this window',
  answerText: 'The answer is in the window where you began.',
  tokenBy: {
    authorization_code:
      'The app exchanges the code for tokens. It proves itself by code_verifier, and by its secret where it has one. A code works once, for 60 seconds.',
    device_code: 'The device asks again and again. Once the person has approved, the answer is tokens.',
    client_credentials: 'The app proves who it is and gets a token for itself.',
  },
  steps: {
    authorization: {
      title: 'Authorization request',
      text: 'The browser brings the person here, with what the app wants and the address to come back to. The answer is a code in that address. The parameter state ties it to this browser, code_challenge to this app.',
    },
    deviceAuthorization: {
      title: 'Device authorization request',
      text: 'The device asks for a code to show. The person enters it on another device and approves.',
    },
    token: { title: 'Token request' },
    claims: {
      title: 'Claims',
      text: 'The id_token says who signed in. A library checks its signature, iss, aud, exp and nonce before it trusts it.',
    },
    userinfo: {
      title: 'Userinfo',
      text: 'The access token gives access to what the person approved, as it is right now.',
    },
    refresh: {
      title: 'Refresh',
      text: 'A refresh token gets new tokens without the person. Keep the newest one; if an answer is lost, send the old one again.',
    },
    introspection: {
      title: 'Introspection',
      text: 'An API asks whether a token is valid, and whose it is. For one that is not valid, the answer is only that it is not active.',
    },
    revocation: {
      title: 'Revocation',
      text: 'The app ends a token that it holds. The answer is 200 for an unknown token too.',
    },
    logout: {
      title: 'Logout',
      text: 'The browser brings the person here, and they are signed out of the portal too. The id_token says which session is meant.',
    },
  },
};
