import type { DeskErrorCode } from '@candela/contract';
import { deskAccount } from './desk-account.ts';
import { deskActs } from './desk-acts.ts';
import { deskRecord } from './desk-record.ts';
import { deskService } from './desk-service.ts';
import { deskWords } from './desk-words.ts';

const open = {
  title: 'Open the desk',
  text: {
    mfa: 'Confirm that it is you with your authenticator app or a passkey. The desk stays open for 8 hours, and closes after 30 minutes without use.',
    phr: 'Confirm that it is you with a passkey. The desk stays open for 8 hours, and closes after 30 minutes without use.',
  },
  action: 'Open the desk',
  close: 'Close the desk',
  until: 'Open until {{when}}',
  missing: {
    mfa: 'Your account has no second step yet. Add an authenticator app or a passkey to it, then come back here.',
    phr: 'Your account has no passkey yet. Add one to it, then come back here.',
  },
  settings: 'Account settings',
  goneTitle: 'The desk is no longer open to you',
  goneText: 'Your role was taken away, or there is no desk any more. Ask an operator if this is wrong.',
  failedTitle: 'The desk could not be loaded',
};

const search = {
  label: 'Phone, e-mail, account, app or reference',
  find: 'Find',
  title: 'What does the caller say?',
  text: 'A phone number in any spelling, an e-mail address, an account ID, the reference of an error page, or the ID or name of an app. Only what matches exactly is found, and every search is in the record.',
  looksLeft_one: '{{count}} look left in this hour',
  looksLeft_other: '{{count}} looks left in this hour',
  slash: 'The key / leads to the search',
  nothingTitle: 'Nothing matches “{{text}}”',
  nothing:
    'Read it back to the caller. Then ask for another phone number or e-mail address, or for the reference at the foot of an error page.',
  several_one: '{{count}} thing matches “{{text}}”',
  several_other: '{{count}} things match “{{text}}”',
  failedTitle: 'The search did not work',
  kinds: { account: 'Account', client: 'App', error: 'Error page' },
  errorAt: 'Shown {{when}}',
  errorText:
    'An app sent the person here with a request that was refused. The person did nothing wrong: the app’s developer finds this reference in the app’s errors.',
  errorApp: 'App',
  errorWhat: 'Refused with',
};

/** The codes that only the desk answers. */
const errors = {
  reason_blank: 'Give a reason',
  reason_too_long: 'Use at most 500 characters',
  desk_closed: 'The desk has closed. Open it again.',
  role_insufficient: 'Your role may not do this',
  own_account: 'This is your own account: a colleague does it',
  own_approval: 'You asked for it: another operator approves it',
  caller_unproven: 'Check the caller first',
  contact_differs: 'This is no contact of the account. Read it back to the caller.',
  contact_too_young: 'This contact was added less than 72 hours ago. Use another one, or the two digits.',
  not_there: 'Nobody is signed in to the account who could read the digits. Send a code instead.',
  digits_exhausted: 'Two answers by digits were wrong within a day. Send a code instead.',
  approval_asked: 'A second operator has been asked already',
  nothing_to_do: 'There is nothing to do: it is so already. The page is up to date now.',
  words_changed: 'Somebody else changed the words meanwhile. Look at them, then try again.',
  words_invalid: 'The text cannot be used like this',
  word_unknown: 'There is no such text in this release',
  word_blank: 'Write a text',
  word_too_long: 'Use at most 4000 characters',
  word_placeholder_unknown: 'It has a name in double braces that the built-in text does not have',
  word_placeholder_missing: 'It lacks a name in double braces that the built-in text has',
  word_forbidden: 'It must not have “$t(”',
} satisfies Record<DeskErrorCode, string>;

/** The pages for the people who answer calls. */
export const desk = {
  desk: {
    title: 'Desk',
    of: '{{brand}} desk',
    pages: 'Pages of the desk',
    roles: { viewer: 'Viewer', support: 'Support', operator: 'Operator' },
    open,
    search,
    account: deskAccount,
    acts: deskActs,
    ...deskRecord,
    ...deskService,
    ...deskWords,
  },
  errors,
};
