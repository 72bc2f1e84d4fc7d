/** The link in the notice of a change, or of a recovery that waits. */
export const undo = {
  title: 'Undo a change',
  failedTitle: 'This link could not be checked',
  deadTitle: 'This link no longer works',
  deadText:
    'It has already been used, or its 72 hours are over. If something in your account is not as it should be, get it back with a new password.',
  question: 'Was this not you?',
  ends: 'If you undo the change, your account is as it was before and all devices are signed out. Then you choose a new password.',
  action: 'Undo the change',
  wasMe: 'If it was you, close this page: nothing will change.',
  waitsForMe: 'If it was you, close this page. The change will be made on {{when}}.',
  doneTitle: 'The change was undone',
  doneText:
    'All devices are signed out. Whoever did this may know your password, so it no longer works. Choose a new one now. There you can also remove anything that is not yours.',
  recover: 'Choose a new password',
  recovery: {
    asked:
      'Someone asked {{when}} to get into your account without the second step. They received a code at {{identifier}}.',
    ends: 'If you stop this, your account stays as it is, and they do not get in.',
    waitsForMe:
      'If it was you, close this page. From {{when}} on, you can choose a new password with a code sent to {{identifier}}. That turns the second step off.',
    action: 'Stop it',
    doneTitle: 'The request was stopped',
    doneText:
      'Your account is as it was. Whoever asked can read the messages to {{identifier}}: change the password of that mailbox, or contact your mobile operator.',
  },
  added: {
    totp: 'The second step with an authenticator app was turned on {{when}}.',
    recovery_codes: 'New recovery codes were created {{when}}, and the old ones no longer work.',
    passkey: 'A passkey was added to your account {{when}}.',
    provider: 'Signing in with another service was added to your account {{when}}.',
    provider_removed:
      'A way to sign in with another service was removed from your account {{when}}. If you undo this, add it again afterwards: until then it signs nobody in.',
  },
  phone: {
    waits: {
      removed: 'Someone asked {{when}} to remove the phone number {{identifier}} from your account.',
      replaced:
        'Someone asked {{when}} to change the phone number {{identifier}} of your account to {{replacement}}.',
    },
    done: {
      removed: 'The phone number {{identifier}} was removed from your account {{when}}.',
      replaced: 'The phone number {{identifier}} of your account was changed to {{replacement}} {{when}}.',
    },
  },
  email: {
    waits: {
      removed: 'Someone asked {{when}} to remove the e-mail address {{identifier}} from your account.',
      replaced:
        'Someone asked {{when}} to change the e-mail address {{identifier}} of your account to {{replacement}}.',
    },
    done: {
      removed: 'The e-mail address {{identifier}} was removed from your account {{when}}.',
      replaced: 'The e-mail address {{identifier}} of your account was changed to {{replacement}} {{when}}.',
    },
  },
};
