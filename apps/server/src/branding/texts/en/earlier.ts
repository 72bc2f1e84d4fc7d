/** The sections of documents as they were in the edition of 2026-11-01. They are evidence, and never change. */
export const earlier = {
  privacy: {
    data: {
      title: 'What we keep',
      body: [
        'What you give us:',
        [
          'your phone number, your e-mail address, or both;',
          'a nickname, a picture and a language, if you choose them;',
          'your password, only as a one-way hash from which it cannot be read;',
          'which version of the user agreement and of this policy you accepted, in which language, and when.',
        ],
        'What is created when you use the account:',
        [
          'sign-ins: the time, the browser and system, the language and the network (IP) address;',
          'the apps you allowed, what you allowed them, and when they last used it;',
          'security records, such as failed sign-ins and codes that were asked for.',
        ],
        'We do not ask for your real name, your birthday, your contacts or your location, and we buy no data about you.',
      ],
    },
    sessions: {
      title: 'Sessions',
      body: [
        'A session is one browser’s sign-in. For each we keep when it began, when it was last used, the browser, system, language and network address. You see all of them under “Session management” and can end each one, or all at once.',
        'A browser may also remember which accounts were used in it, to spare you typing. You can remove an account from it on the sign-in page.',
      ],
    },
    cookies: {
      title: 'Cookies and storage in your browser',
      body: [
        'We use only what signing in needs, and nothing that follows you to other sites:',
        [
          'a cookie for your session;',
          'short-lived cookies that tie a sign-in, a code, or a step of it to your browser;',
          'a cookie that lets your browser recall which accounts were used in it;',
          'a cookie for your language, once you choose one;',
          'a cookie that keeps for a year in which way you last signed in, such as “by phone, with a code”, and nothing about you;',
          'a note in your browser’s storage of your phone number’s country code, until you sign out.',
        ],
      ],
    },
    retention: {
      title: 'How long we keep it',
      body: [
        [
          'Account data: as long as you have the account.',
          'Sessions: until you sign out, or 14 days after the browser was last used.',
          'Verification codes: deleted within days after they expire; counters against misuse within days after their period.',
          'Approvals: until you withdraw them, or 400 days after the app last used them.',
          'Accounts remembered by a browser: until you remove them, or 400 days after the last sign-in there.',
          'Technical logs: up to 90 days; they hold no passwords and no codes.',
          'Proof of what you accepted: as long as the account exists, and after that for as long as claims may be made.',
        ],
        'When you close your account we delete its data within 30 days, but for what the law obliges us to keep.',
      ],
    },
    rights: {
      title: 'Your rights',
      body: [
        'You may at any time:',
        [
          'see your data and receive a copy of it, also in a machine-readable form;',
          'correct it: nickname, picture, phone number and e-mail address under “Account settings”;',
          'have it deleted, or its use restricted;',
          'object to a use that rests on our legitimate interest;',
          'withdraw your consent;',
          'complain to the data protection authority of the place where you live.',
        ],
        'Write to {contact}. We answer within 30 days and without charge; we may ask you to confirm with a code that the account is yours.',
      ],
    },
  },
  terms: {
    signIn: {
      title: 'Signing in safely',
      body: [
        'You sign in with a password or with a code that we send you. Keep both to yourself: nobody at {brand} will ever ask for them.',
        'Choose a password that you use nowhere else. If you believe that somebody else has used your account, change the password and look through your sessions and authorizations; both can be ended at any time.',
        'To protect accounts we limit how often codes can be sent and passwords can be tried. The limits may make you wait; they never close your account.',
      ],
    },
    ending: {
      title: 'Ending the agreement',
      body: [
        'You may close your account at any time: write to {contact} from the e-mail address of the account, or name its phone number so that we can confirm it is you. Connected apps lose their access at once.',
        'We may disable an account if it breaks these rules seriously or repeatedly, if it endangers others, or if the law requires it. We tell you why, unless the law forbids it, and you may object at the same address.',
      ],
    },
  },
};
