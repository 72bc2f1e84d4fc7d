export const privacy = {
  title: 'Privacy policy',
  lead: 'What {brand} knows about you because of your account, why, for how long, and what you can do about it.',
  sections: {
    who: {
      title: 'Who is responsible',
      body: [
        '{brand} (“we”) is responsible for the personal data of your {brand} account and of the account pages at {host}. You reach us at {contact}.',
        'This policy is about the account. What your lamps and our apps record about their use is explained in their own policies.',
      ],
    },
    data: {
      title: 'What we keep',
      body: [
        'What you give us:',
        [
          'your phone number, your e-mail address, or both;',
          'a nickname, a picture and a language, if you choose them;',
          'your password, only as a one-way hash from which it cannot be read;',
          'the names of your passkeys with their public keys, and the secret of your authenticator app, encrypted, with its recovery codes as one-way hashes;',
          'which version of the user agreement and of this policy you accepted, in which language, and when.',
        ],
        'What is created when you use the account:',
        [
          'sign-ins: the time, the browser and system, the language and the network (IP) address;',
          'the apps you allowed, what you allowed them, and when they last used it;',
          'activity: what happened to your account, such as sign-ins, refused ones and changes, with the time, the browser and the time zone that it names;',
          'counters against misuse, such as of codes that were asked for.',
        ],
        'We do not ask for your real name, your birthday, your contacts or your location, and we buy no data about you.',
      ],
    },
    purposes: {
      title: 'What we use it for',
      body: [
        [
          'To run your account, sign you in, and connect the apps you allow: this is what our agreement with you requires.',
          'To protect your account and the service against misuse: this is our legitimate interest, and yours.',
          'To tell you of important changes to your account, such as a new password: part of the same protection.',
          'To meet duties that the law gives us, such as keeping proof of your consent.',
        ],
        'Where the law of your country asks for your consent, you give it when you register, in a separate step where that is required, and may withdraw it at any time with effect for the future.',
        'We show no advertising, build no advertising profiles, sell no data, and make no automated decisions about you that have legal effect.',
      ],
    },
    codes: {
      title: 'Verification codes',
      body: [
        'When you ask for a code, we send it by text message or e-mail to the number or address you entered. It works for a few minutes and once.',
        'We store the code only as a keyed hash, and count how many codes are sent to a number and from a network address, so that nobody can flood you with messages or guess your code. Whether a number or an address has an account is told only to whoever can read its messages, with few and limited exceptions.',
      ],
    },
    sessions: {
      title: 'Sessions',
      body: [
        'A session is one browser’s sign-in. For each we keep when it began, when it was last used, the browser, system, language and network address. You see all of them under “Session management” and can end each one, or all at once.',
        'A browser may also remember which accounts were used in it, to spare you typing. You can remove an account from it on the sign-in page.',
      ],
    },
    apps: {
      title: 'Apps that you allow',
      body: [
        'An app made by others receives data of your account only after you have read what it asks for and allowed it: for example your account ID, your nickname and picture, your e-mail address or phone number, and the right to control your lights.',
        'You see every approval under “Authorization management”, with the time of its last use, and can withdraw it at any time; the app’s access ends at once. Data that it received before is its maker’s responsibility.',
      ],
    },
    recipients: {
      title: 'Who else receives data',
      body: [
        [
          'Companies that work for us by contract: those that run our servers and those that carry our text messages and e-mails. They receive only what the task needs and may use it for nothing else.',
          'Authorities, where a valid legal order obliges us; we check each one.',
        ],
        'If data is processed outside your country, we make sure that it is protected as the law of your country demands, by contract or by a recognised level of protection. Where the law requires it to be kept in your country, it is kept there.',
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
          'a cookie that spares a browser the second step for 30 days, if you ask for it;',
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
          'Account data: as long as you have the account, and for the 14 days in which you can still keep one that you delete.',
          'Sessions: until you sign out, or 14 days after the browser was last used.',
          'Verification codes: deleted within days after they expire; counters against misuse within days after their period.',
          'Approvals: until you withdraw them, or 400 days after the app last used them.',
          'Accounts remembered by a browser: until you remove them, or 400 days after the last sign-in there.',
          'Activity: 180 days.',
          'A browser that is not asked for the second step: 30 days, or until you end it.',
          'The copy of your data: until you download it, 24 hours at most.',
          'Technical logs: up to 90 days; they hold no passwords and no codes.',
          'Proof of what you accepted: as long as the account exists.',
        ],
        'When you delete your account, you are signed out and apps get nothing from it at once. For 14 days you can sign in and keep it. After that everything about you is deleted. What is left ends by itself: counters, and messages to you and to apps, within a day; technical logs, which name the account by its random ID alone; backups, when they are replaced. In the history of apps that you registered a random name stands for you.',
      ],
    },
    security: {
      title: 'How we protect it',
      body: [
        'Connections are encrypted. Passwords, codes and access keys are stored only in a form that does not give them away. Pictures are stripped of hidden information such as the place where they were taken. Few people have access, and only as far as their work needs it.',
        'If a breach puts you at risk in spite of this, we tell you and the authority in charge as the law requires, without delay.',
      ],
    },
    rights: {
      title: 'Your rights',
      body: [
        'You may at any time:',
        [
          'see your data and download a copy of it under “Account settings”, to read and in a machine-readable form;',
          'correct it: nickname, picture, phone number and e-mail address under “Account settings”;',
          'delete it with your account under “Account settings”, or have its use restricted;',
          'object to a use that rests on our legitimate interest;',
          'withdraw your consent;',
          'complain to the data protection authority of the place where you live.',
        ],
        'Write to {contact}. We answer within 30 days and without charge; we may ask you to confirm with a code that the account is yours.',
      ],
    },
    children: {
      title: 'Children',
      body: [
        'The account is meant for people of 16 years and older, or of the age that the law of your country sets. Younger people use their family’s lights with the account of a parent or guardian. If you learn that a child has opened an account without consent, write to us, and we delete it.',
      ],
    },
    changes: {
      title: 'Changes to this policy',
      body: [
        'When we change this policy we publish the new version here, with the date from which it applies. If a change matters to your rights we tell you in advance, and ask for your consent where it is needed. All versions stay readable on this page.',
      ],
    },
    contact: {
      title: 'Contact',
      body: ['{brand}, data protection, {host}: {contact}.'],
    },
  },
};
