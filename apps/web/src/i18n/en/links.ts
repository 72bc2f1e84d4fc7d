/** What links tell: their names, how they fare, and why they ended. */
export const links = {
  name: 'Name it',
  rename: 'Rename',
  nameOf: 'Name this access: {{app}}',
  renameOf: 'Rename: {{label}}',
  label: 'Name of this access',
  labelHint: 'For example “Kitchen speaker”. Only you see it. Without a name, leave it empty.',
  save: 'Save',
  named: '{{app}}, {{label}}',
  oneOfNamedText:
    '“{{label}}” ends at once. Other access you gave {{app}} stays. What it already received is not deleted, and this cannot be undone.',
  quiet:
    'Quiet since {{when}}. If it should be working, open {{app}} and check. If you do not need it, remove it.',
  ends: 'Ends {{when}}, however often it is used.',
  renew: 'Renew',
  renewOf: 'Renew: {{app}}',
  ended: 'No longer connected',
  endedAt: 'ended {{when}}',
  goneApp: 'An app that is no longer offered',
  becauseNext: '{{because}} {{next}}',
  because: {
    withdrawn: 'You removed the access.',
    revoked_by_client: 'The app gave it back, for example because you unlinked your account there.',
    token_theft: 'A copy of the app’s key was used, perhaps by somebody else. We ended it to protect you.',
    code_reused: 'The app’s sign-in was used twice, perhaps by somebody else. We ended it to protect you.',
    client_disabled: 'The app was switched off for everybody.',
    client_deleted: 'The app is no longer offered.',
    account_disabled: 'Your account was disabled then.',
    account_deleted: 'Your account was to be deleted.',
    expired: 'It was not used for long, or its time was over.',
  },
  next: {
    again: 'To connect it again, link your account in {{app}}.',
    later: 'When {{app}} is back, you can link your account there again.',
    careful: 'To connect it again, link your account in {{app}}. If this keeps happening, tell its support.',
    nothing: 'There is nothing to do.',
  },
};
