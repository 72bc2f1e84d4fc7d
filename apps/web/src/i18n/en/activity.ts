import { undo } from './undo.ts';

/** What happened to the account, and the link in the notice of a sign-in. */
const log = {
  title: 'Account activity',
  text: 'Sign-ins and changes to your account in the last 180 days, in this and every other browser.',
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
  disputed: 'You reported that this was not you',
  ask: 'Was this someone else?',
  askText:
    'The browser is signed out at once, and we help you with what comes next. If it was you, nothing is lost: sign in there again.',
  confirm: 'It was not me',
  steps: {
    title: 'Take your account back',
    ended: 'That browser is signed out.',
    over: 'That browser was already signed out, or there is none to sign out.',
    taken: 'What was added from there is undone.',
    kept: 'What was added from there could not be undone. Check your settings.',
    password: 'Set a new password, so that nobody gets in with the old one.',
    setPassword: 'Set a new password',
    touched: 'Check what was done from there, and undo what was not you.',
    nothing: 'Nothing else was done from there.',
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
    new_browser: 'Signed in from a new browser',
    sign_in_refused: {
      password: 'Wrong password entered',
      code: 'Wrong code entered',
      passkey: 'Passkey refused',
      second_factor: 'Wrong code from the authenticator app entered',
    },
    sessions_ended_one: '{{count}} browser signed out',
    sessions_ended_other: '{{count}} browsers signed out',
    trusted_browser_added: 'This browser is no longer asked for the second step',
    trusted_browser_ended: 'A browser is asked for the second step again',
    disputed: 'You reported that something was not you',
    password_changed: 'Password changed',
    password_recovered: 'Password reset with a code',
    recovery_wait_started: 'Recovery without the second step requested',
    recovery_wait_stopped: 'Recovery without the second step stopped',
    passkey_added: 'Passkey added',
    passkey_renamed: 'Passkey renamed',
    passkey_removed: 'Passkey removed',
    passkey_counter: 'Passkey refused, because it may have been copied',
    totp_added: 'Authenticator app turned on',
    totp_removed: 'Authenticator app turned off',
    recovery_codes_made: 'New recovery codes created',
    recovery_code_used: 'Recovery code used',
    identifier_bound: {
      phone: 'Phone number {{contact}} added',
      email: 'E-mail address {{contact}} added',
    },
    identifier_removed: {
      phone: 'Phone number {{contact}} removed',
      email: 'E-mail address {{contact}} removed',
    },
    identifier_change_waits: {
      phone: 'Change of phone number requested: {{contact}}',
      email: 'Change of e-mail address requested: {{contact}}',
    },
    identifier_change_undone: 'Change of phone number or e-mail address cancelled',
    approval_given: '{{app}} got access',
    approval_renewed: '{{app}}: access was renewed',
    approval_withdrawn: '{{app}} lost access',
    registered: 'Account created',
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
  takeBack: 'Undo this too',
  unknown: 'We could not look up what was added from there. You can still sign the browser out.',
};

const notMe = {
  title: 'A sign-in to your account',
  question: 'Was this someone else?',
  what: 'Your account was signed in to {{when}} with {{device}}.',
  zone: 'The clock of that device is set to {{zone}}.',
  ends: 'This signs that browser out. Then set a new password.',
  action: 'It was not me: sign it out',
  closes: 'Your password stops working too, since whoever was there may know it.',
  wasMe: 'If it was you, close this page. There is nothing to do.',
  doneTitle: 'That browser is signed out',
  doneText: 'Now set a new password, so that nobody gets in with the old one. It signs all browsers out.',
  overText:
    'That browser was already signed out. Set a new password anyway, so that nobody gets in with the old one.',
  takenText:
    'What was added from there is undone, and your old password no longer works. Now set a new one: it signs all browsers out.',
  recover: 'Set a new password',
  deadTitle: 'This link no longer works',
  deadText:
    'It works once, within 7 days. If something was not you, set a new password: that signs all browsers out.',
  failedTitle: 'The link could not be checked',
};

export const activity = { activity: log, added, notMe, undo };
