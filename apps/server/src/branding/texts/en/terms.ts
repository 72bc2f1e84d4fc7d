export const terms = {
  title: 'User agreement',
  lead: 'The agreement between you and {brand} on your {brand} account: what it is for, what you can rely on, and what we ask of you.',
  sections: {
    who: {
      title: 'Who we are',
      body: [
        '{brand} makes connected lighting. This agreement is between you and {brand} (“we”). It covers the {brand} account and the account pages at {host}.',
        'Lamps, hubs and apps that you buy or install may have terms of their own. They do not change what this agreement says about the account.',
        'You accept this agreement when you register. We record which version you accepted, in which language, and when.',
      ],
    },
    account: {
      title: 'Your account',
      body: [
        'One account gives you access to your {brand} lights, our apps, and the apps of others that you allow. It is free of charge.',
        'You register with a phone number or an e-mail address that belongs to you, and confirm it with a code. Each belongs to one account at a time.',
        [
          'You may open an account if you are at least 16 years old. If you are younger, a parent or guardian opens it for you; where the law of your country sets another age, that age applies.',
          'An account is for one person or one household. It is not to be sold or lent.',
          'Keep your phone number and e-mail address up to date: they are the way back in if you forget your password.',
        ],
      ],
    },
    signIn: {
      title: 'Signing in safely',
      body: [
        'You sign in with a password, with a code that we send you, or with a passkey that your device keeps. You can add a second step by an authenticator app. Keep passwords and codes to yourself: nobody at {brand} will ever ask for them.',
        'Choose a password that you use nowhere else. If you believe that somebody else has used your account, change the password and look through your sessions and authorizations; both can be ended at any time.',
        'To protect accounts we limit how often codes can be sent and passwords can be tried. The limits may make you wait; they never close your account.',
      ],
    },
    use: {
      title: 'Fair use',
      body: [
        'Please do not:',
        [
          'open accounts automatically, or in the name of somebody else;',
          'try to get into accounts, devices or data that are not yours;',
          'disturb the service, or get around its limits and protections;',
          'use the service to break the law or to harm others.',
        ],
        'You are welcome to look for security weaknesses in good faith if you tell us first. The address is in /.well-known/security.txt.',
      ],
    },
    apps: {
      title: 'Apps of others',
      body: [
        'Voice assistants, home hubs and other apps may ask to use your {brand} account. We show you who asks and for what, and nothing is passed on before you allow it.',
        'An app that you allow stays connected until you remove it under “Authorization management”. From then on it can no longer use your account or control your lights. What it received before stays with it and is subject to its own terms.',
        'These apps are made by others. We check what they may reach in your account; we do not answer for what they do with it.',
      ],
    },
    service: {
      title: 'What you can rely on',
      body: [
        'We run the account with care and aim to have it available at all times. Now and then we must interrupt it for maintenance or because of a failure; we keep that short.',
        'We may improve or change functions. If we end one that you depend on, we tell you at least 30 days before, unless safety or the law requires us to act sooner.',
        'Your lamps can be switched by hand at all times, with or without the account.',
      ],
    },
    liability: {
      title: 'Liability',
      body: [
        'We are liable without limit for intent and gross negligence, for harm to life, body or health, and wherever the law does not allow a limit.',
        'Otherwise we are liable for the breach of essential duties, and only for damage that is typical and could be foreseen. We are not liable for what lies outside our control, such as networks, power, or the apps and devices of others.',
        'Your rights as a consumer under the law of the country you live in are not affected.',
      ],
    },
    ending: {
      title: 'Ending the agreement',
      body: [
        'You may delete your account at any time under “Account settings”, or by writing to {contact} from the e-mail address of the account. You are signed out and connected apps get nothing from it at once. For 14 days you can sign in and keep it; after that it is gone for good. Apps that you alone registered go on, and we look after them.',
        'We may disable an account if it breaks these rules seriously or repeatedly, if it endangers others, or if the law requires it. We tell you why, unless the law forbids it, and you may object at the same address.',
      ],
    },
    changes: {
      title: 'Changes to this agreement',
      body: [
        'When we change this agreement we publish the new version here, with the date from which it applies, at least 30 days before that date, and ask you to accept it where the law requires that. All versions stay readable on this page.',
        'If you do not agree with a change, you may close your account before it takes effect.',
      ],
    },
    law: {
      title: 'Law and languages',
      body: [
        'The law of the country in which {brand} is established applies. If you are a consumer, you also keep the protection of the law of the country you live in, and you may go to the courts there.',
        'This agreement exists in several languages. For you, the one in which you accepted it applies.',
        'If a part of it turns out not to be valid, the rest stays in force.',
      ],
    },
    contact: {
      title: 'Contact',
      body: [
        '{brand}, account service, {host}. Write to {contact}; we answer within 30 days, usually sooner.',
      ],
    },
  },
};
