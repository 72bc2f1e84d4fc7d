import { undo } from './undo.ts';

/** What happened to the account, and the link in the notice of a sign-in. */
const log = {
  title: 'Account activity',
  text: 'What happened to your account in the last 180 days, in this and every other browser.',
  filter: 'Show',
  groups: {
    all: 'Everything',
    sign_ins: 'Sign-ins',
    keys: 'Password and keys',
    contacts: 'Phone and e-mail',
    apps: 'Apps',
    account: 'Account',
  },
  emptyTitle: 'Nothing yet',
  empty: 'Nothing of this kind happened in the last 180 days.',
  thisBrowser: 'This browser',
  zone: 'Clock set to {{zone}}',
  tries_one: '{{count}} time in that hour',
  tries_other: '{{count}} times in that hour',
  notMe: 'This wasn’t me',
  notMeOf: 'This wasn’t me: {{what}}',
  disputed: 'You said that this was not you',
  ask: 'Was this somebody else?',
  askText:
    'The browser is signed out at once, and we help you with what comes next. If it was you, nothing is lost: sign in there again.',
  confirm: 'It was not me',
  steps: {
    title: 'Take your account back',
    ended: 'That browser is signed out.',
    over: 'That browser was signed out already, or there is none to sign out.',
    taken: 'What it had added was taken back.',
    kept: 'What it had added could not be taken back. Look at your settings.',
    password: 'Set a new password, so that nobody comes back with the old one.',
    setPassword: 'Set a new password',
    touched: 'Look at what happened from there, and take back what is not yours.',
    nothing: 'Nothing else happened from there.',
    apps: 'Apps with access',
    settings: 'Phone, e-mail and keys',
    done: 'Done',
  },
  kinds: {
    sign_in: {
      password: 'Signed in with the password',
      code: 'Signed in with a code',
      passkey: 'Signed in with a passkey',
      second_factor: 'Signed in',
    },
    new_browser: 'Signed in from a browser that was new to this account',
    sign_in_refused: {
      password: 'A wrong password was entered',
      code: 'A wrong code was entered',
      passkey: 'A passkey was refused',
      second_factor: 'A wrong code of the authenticator app was entered',
    },
    sessions_ended_one: '{{count}} browser was signed out',
    sessions_ended_other: '{{count}} browsers were signed out',
    trusted_browser_added: 'This browser is no longer asked for the second step',
    trusted_browser_ended: 'A browser is asked for the second step again',
    disputed: 'You said that something was not you',
    password_changed: 'The password was changed',
    password_recovered: 'The password was replaced with the help of a code',
    recovery_wait_started: 'Somebody asked to get back in without the second step',
    recovery_wait_stopped: 'The wait to get back in was stopped',
    passkey_added: 'A passkey was added',
    passkey_renamed: 'A passkey was renamed',
    passkey_removed: 'A passkey was removed',
    passkey_counter: 'A passkey was refused, because it may have been copied',
    totp_added: 'The authenticator app was switched on',
    totp_removed: 'The authenticator app was switched off',
    recovery_codes_made: 'New recovery codes were made',
    recovery_code_used: 'A recovery code was used',
    identifier_bound: {
      phone: 'The phone number {{contact}} was added',
      email: 'The e-mail address {{contact}} was added',
    },
    identifier_removed: {
      phone: 'The phone number {{contact}} was removed',
      email: 'The e-mail address {{contact}} was removed',
    },
    identifier_change_waits: {
      phone: 'A change of the phone number waits: {{contact}}',
      email: 'A change of the e-mail address waits: {{contact}}',
    },
    identifier_change_undone: 'A change of the phone number or e-mail address was called off',
    approval_given: '{{app}} got access',
    approval_withdrawn: '{{app}} lost access',
    registered: 'The account was made',
    export_requested: 'A copy of the data was asked for',
    export_downloaded: 'The copy of the data was downloaded',
    deletion_requested: 'The account is to be deleted',
    deletion_cancelled: 'The account stays',
    account_disabled: 'The service disabled the account',
    account_enabled: 'The service enabled the account again',
    sessionEnded: {
      here: 'Signed out',
      there: '{{device}} was signed out',
    },
  },
  named: '{{what}}: {{name}}',
};

/** What somebody else’s session added or changed. */
const added = {
  lead: 'From there, this was added or changed:',
  totp: 'An authenticator app',
  recovery_codes: 'New recovery codes',
  passkey: 'A passkey',
  passkeyNamed: 'The passkey {{name}}',
  phone: {
    added: 'The phone number {{name}}',
    replaced: 'The phone number {{replaces}}, changed to {{name}}',
    removed: 'The phone number {{replaces}}, to be removed',
  },
  email: {
    added: 'The e-mail address {{name}}',
    replaced: 'The e-mail address {{replaces}}, changed to {{name}}',
    removed: 'The e-mail address {{replaces}}, to be removed',
  },
  takeBack: 'Take this back too',
  unknown: 'What was added from there could not be looked up. The browser can be signed out all the same.',
};

const notMe = {
  title: 'A sign-in to your account',
  question: 'Was this somebody else?',
  what: 'Your account was signed in to {{when}} with {{device}}.',
  zone: 'The clock of that device is set to {{zone}}.',
  ends: 'The button signs that browser out. After that, set a new password.',
  action: 'It was not me: sign it out',
  closes: 'Taking it back also closes your password, since whoever was there may know it.',
  wasMe: 'If it was you, close this page. There is nothing to do.',
  doneTitle: 'That browser is signed out',
  doneText: 'Now set a new password, so that nobody comes back with the old one. It signs all browsers out.',
  overText:
    'That browser had been signed out before. Set a new password all the same, so that nobody comes back with the old one.',
  takenText:
    'What it had added was taken back, and your old password no longer works. Now set a new one: it signs all browsers out.',
  recover: 'Set a new password',
  deadTitle: 'This link no longer works',
  deadText:
    'It works once and for 7 days. If something is not yours, set a new password: that signs all browsers out.',
  failedTitle: 'The link could not be checked',
};

export const activity = { activity: log, added, notMe, undo };
