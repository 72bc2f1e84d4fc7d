/** The parts of a client’s page, and what the first of them answers. */
export const overview = {
  parts: {
    label: 'Parts of this app',
    overview: 'Overview',
    settings: 'Settings',
    code: 'Try it and code',
    team: 'Team and history',
  },
  commands: {
    show: 'Show commands',
    note: 'The request takes a machine’s access token of the scope “clients”, and reaches the apps that this machine registered.',
  },
  status: {
    disabled: { title: 'Disabled', text: 'It gets no tokens until you enable it.' },
    secretless: {
      title: 'No secret works any more',
      text: 'Add a secret, and give it to your app.',
      action: 'Go to the secrets',
    },
    unused: {
      title: 'Not used yet',
      text: 'No token was issued so far. Try it step by step, or take the code for your stack.',
      action: 'Try it',
    },
    failing: {
      title: 'Only errors today',
      text: 'Requests were refused today, and no token was issued.',
      action: 'See the errors',
    },
    mixed: {
      title: 'It works, with errors',
      text: 'Tokens were issued today, and requests were refused.',
      action: 'See the errors',
    },
    working: { title: 'It works', text: 'Tokens were issued today, and no request was refused.' },
    idle: { title: 'Not used today', text: 'No token was issued today, and no request was refused.' },
  },
  facts: {
    lastToken: 'Last token',
    never: 'Never',
    tokens: 'Tokens today',
    errors: 'Errors today',
    links: 'Connections',
    secretEnds: 'A secret expires',
  },
  team: {
    told: 'A message tells them, and they can change the app at once.',
    unknown:
      'They need to be allowed first. Ask them to sign in and open {{address}}: the page says how. Then invite them again.',
    sharedAt: 'Shared with you {{when}}',
  },
  refused: {
    text: '{{brand}} allows developers one by one. Tell the people who run {{brand}} what you are building, and give them the phone number or e-mail address of this account.',
    account: 'Your account: {{account}}',
  },
};
