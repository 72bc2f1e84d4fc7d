import type { PageErrorCode } from '@candela/contract';
import { devicePage } from './device-page.ts';
import { settings } from './settings.ts';

const pageErrors = {
  not_found: {
    title: 'Page not found',
    text: 'There is nothing at this address. It may have been mistyped or moved.',
  },
  invalid_request: {
    title: 'This request cannot be completed',
    text: 'The app sent a request that we cannot answer. Go back to the app and try again; if it happens again, tell its developer.',
  },
  unknown_client: {
    title: 'This app is not known',
    text: 'The app that sent you here is not registered with us, so you were not sent back to it. Tell its developer.',
  },
  redirect_uri_mismatch: {
    title: 'This app gave a wrong return address',
    text: 'To protect your account you were not sent to an address that the app has not registered. Tell its developer.',
  },
  interaction_expired: {
    title: 'This sign-in has expired',
    text: 'It was open for too long. Start again.',
  },
  interaction_elsewhere: {
    title: 'This sign-in belongs to another browser',
    text: 'It was started in another browser or window, or cookies are blocked. Start again in this one, with cookies allowed.',
  },
  interaction_finished: {
    title: 'This sign-in is already done',
    text: 'It has already been answered. There is nothing left to do here.',
  },
  sign_in_failed: {
    title: 'You are not signed in',
    text: 'The sign-in was cancelled or did not finish. You can try again at any time.',
  },
  misdirected_request: {
    title: 'This address is not ours',
    text: 'The service does not answer at this address. Check the address bar.',
  },
  rate_limited: {
    title: 'Too many requests',
    text: 'Wait a few minutes, then try again.',
  },
  unavailable: {
    title: 'The service is not available',
    text: 'It should be back in a minute. Your account and your devices are safe.',
  },
  internal_error: {
    title: 'Something went wrong on our side',
    text: 'Try again in a minute. If it happens again, send us the reference below.',
  },
} satisfies Record<PageErrorCode, { title: string; text: string }>;

export const account = {
  personal: {
    title: 'Account settings',
    failedTitle: 'Your account could not be loaded',
    avatar: 'Avatar',
    noAvatar: 'Your initial',
    hasAvatar: 'Your avatar',
    nickname: 'Nickname',
    phone: 'Phone number',
    email: 'E-mail',
    password: 'Password',
    language: 'Language',
    unbound: 'Not bound',
    noPassword: 'Not set: you sign in with codes',
    passwordSet: 'Set',
    passwordChanged: 'Changed {{when}}',
    sessions: 'Sessions',
    sessionsText: 'Where you are signed in',
    activity: 'Activity',
    activityText: 'What happened to your account',
    tokens: 'Authorizations',
    tokensText: 'Apps connected to your account',
    developers: 'Developers',
    developersText: 'Apps that you register',
    manage: 'Manage',
    signOut: 'Sign out',
    forget: 'Also forget me in this browser',
  },
  settings,
  devicePage,
  missing: {
    email: 'Your account has no e-mail address. If you add one, {{app}} will see it.',
    phone: 'Your account has no phone number. If you add one, {{app}} will see it.',
    addEmail: 'Add an e-mail address',
    addPhone: 'Add a phone number',
  },
  device: {
    justNow: 'just now',
    lastAccessed: 'last accessed',
    created: 'created',
    expires: 'expires',
    browser: 'browser',
    platform: 'platform',
    system: 'system',
    locale: 'language',
    on: '{{browser}} on {{system}}',
    unknownBrowser: 'Unknown browser',
    details: 'What the browser reports',
    platforms: { desktop: 'Computer', mobile: 'Phone', tablet: 'Tablet' },
  },
  list: {
    failedTitle: 'The list could not be loaded',
    offlineTitle: 'You are offline',
    offlineText: 'This page loads when the connection is back.',
    more: 'Show more',
    loading: 'Loading the list',
    found: 'Found: {{number}}',
    nothingFound: 'Nothing found. Try another word.',
  },
  sessions: {
    title: 'Session management',
    text: 'Browsers that are signed in to your account.',
    thisDevice: 'This device',
    others: 'Other devices',
    onlyThis: 'You are signed in on this device only.',
    signOut: 'Sign out',
    signOutOthers: 'Sign out all other devices',
    signOutNumber: 'Sign out all other devices ({{number}})',
    signOutAll: 'Sign out everywhere',
    oneTitle: 'Sign out {{device}}?',
    oneText:
      '{{device}} will have to sign in again, and apps you signed in to there lose access. Apps that stay connected, such as a home hub, keep working.',
    unknownTitle: 'Sign out this device?',
    unknownText:
      'It will have to sign in again, and apps you signed in to there lose access. Apps that stay connected, such as a home hub, keep working.',
    currentTitle: 'Sign out here?',
    currentText:
      'You will have to sign in again in this browser, and apps you signed in to here lose access. Apps that stay connected, such as a home hub, keep working.',
    othersTitle: 'Sign out all other devices?',
    othersText:
      'Only this browser stays signed in. Apps you signed in to on the other devices lose access; apps that stay connected, such as a home hub, keep working.',
    allTitle: 'Sign out everywhere?',
    allText:
      'Every browser has to sign in again, this one too, and apps you signed in to lose access. Apps that stay connected, such as a home hub, keep working.',
    search: 'Find a device',
    strange: 'A device you do not recognise? Sign it out and {{change}}.',
    changePassword: 'change your password',
  },
  tokens: {
    title: 'Authorization management',
    text: 'Apps that you allowed to use your account.',
    code: 'Authorization Code Mode',
    device: 'Device Code Mode',
    empty: 'No apps are connected to your account.',
    emptyText: 'When you sign in to an app with your {{brand}} account and allow it, it appears here.',
    remove: 'Remove access',
    removeOf: 'Remove access: {{app}}',
    removeAll: 'Remove all access',
    oneTitle: 'Remove access for {{app}}?',
    oneText:
      'Its access ends at once: {{app}} can no longer use your account or control your lights. What it already received is not deleted, and this cannot be undone.',
    oneOfText:
      'The access you gave on {{date}} from {{device}} ends at once. Other access you gave {{app}} stays. What it already received is not deleted, and this cannot be undone.',
    oneOfUnknownText:
      'The access you gave on {{date}} ends at once. Other access you gave {{app}} stays. What it already received is not deleted, and this cannot be undone.',
    search: 'Find an app',
    allTitle: 'Remove access for all apps?',
    allText:
      'All access ends at once: no app can use your account or control your lights until you allow it again. What apps already received is not deleted, and this cannot be undone.',
  },
  recovery: {
    title: 'Find back password',
    text: 'Enter the phone number or e-mail address of your {{brand}} account. We send a code to it, and then you choose a new password.',
    next: 'Next step',
    passwordTitle: 'Choose a new password',
    password: 'New password',
    repeated: 'Repeat the new password',
    ends: 'All your devices will be signed out. The apps below stay connected.',
    endsAll: 'All your devices will be signed out. Apps you approved stay connected.',
    linksTitle: 'Connected apps',
    lastUsed: 'last used {{when}}',
    withdraw: 'Also remove access for these apps',
    submit: 'Change password',
    back: 'Back to sign-in',
    othersTitle: 'Other ways to sign in to this account',
    othersText: 'They stay unless you remove them. Remove what you do not recognise.',
    added: 'added {{when}}',
    passkey: 'Passkey “{{name}}”',
    drop: {
      phone: 'Not mine: remove this phone number',
      email: 'Not mine: remove this e-mail address',
      passkey: 'Not mine: remove this passkey',
    },
    dropWaits:
      'It was added before the one you confirmed with, so it is removed after 72 hours. Until then, whoever receives its messages can undo this.',
  },
  undo: {
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
      'All devices are signed out. Whoever did this may know your password, so choose a new one now. There you can also remove what is not yours.',
    recover: 'Choose a new password',
    recovery: {
      asked:
        'Somebody asked {{when}} to get into your account without the second step. They received a code at {{identifier}}.',
      ends: 'If you stop this, your account stays as it is, and they do not get in.',
      waitsForMe:
        'If it was you, close this page. From {{when}} on, you can choose a new password with a code sent to {{identifier}}. That turns the second step off.',
      action: 'Stop it',
      doneTitle: 'The request was stopped',
      doneText:
        'Your account is as it was. Whoever asked can read the messages to {{identifier}}: change the password of that mailbox, or ask your mobile operator.',
    },
    phone: {
      waits: {
        removed: 'Somebody asked {{when}} to remove the phone number {{identifier}} from your account.',
        replaced:
          'Somebody asked {{when}} to change the phone number {{identifier}} of your account to {{replacement}}.',
      },
      done: {
        removed: 'The phone number {{identifier}} was removed from your account {{when}}.',
        replaced: 'The phone number {{identifier}} of your account was changed to {{replacement}} {{when}}.',
      },
    },
    email: {
      waits: {
        removed: 'Somebody asked {{when}} to remove the e-mail address {{identifier}} from your account.',
        replaced:
          'Somebody asked {{when}} to change the e-mail address {{identifier}} of your account to {{replacement}}.',
      },
      done: {
        removed: 'The e-mail address {{identifier}} was removed from your account {{when}}.',
        replaced:
          'The e-mail address {{identifier}} of your account was changed to {{replacement}} {{when}}.',
      },
    },
  },
  middle: {
    title: 'One moment',
    returning: 'Returning you to {{place}}',
    account: 'your {{brand}} account',
    idle: 'There is nothing to wait for here. You can go to your account.',
    go: 'Continue',
  },
  error: {
    calmTitle: 'Nothing is wrong here',
    calmText: 'This page explains errors when there are any. Right now there are none.',
    reference: 'Reference: {{reference}}',
    copy: 'Copy',
    copied: 'Copied',
    details: 'For developers',
    startAgain: 'Start again at {{app}}',
    backToApp: 'Back to {{app}}',
    retryWhen: 'Try again {{when}}.',
    toAccount: 'Go to your account',
    retry: 'Try again',
  },
  pageErrors,
};
