/** The end of an account, and the copy of its data. */
export const leaving = {
  title: 'Leaving',
  question: 'Keep this account?',
  dueText:
    'It will be deleted on {{when}}, with everything that belongs to it. Until then apps get nothing from it.',
  keepText: 'If you keep it, connected apps work again and nothing is lost.',
  keep: 'Keep the account',
  goOn: 'Go on with the deletion',
  failedTitle: 'Your account could not be loaded',
  rows: {
    data: 'Download your data',
    dataText: 'Everything we keep about you, as a page to read and as a file for programs',
    prepare: 'Prepare',
    preparing: 'Being prepared. We send you a message when it is ready.',
    ready: 'Ready. It can be downloaded once, until {{when}}.',
    download: 'Download',
    again: 'Downloaded already today. You can ask again a day after the last time.',
    delete: 'Delete account',
    deleteText: 'With everything that belongs to it, after {{days}} days',
    deleteAction: 'Delete',
  },
  dialog: {
    title: 'Delete your account?',
    now: 'At once:',
    sessions: 'You are signed out on every device.',
    apps: 'Connected apps get nothing any more.',
    later: 'After {{days}} days:',
    everything: 'Everything about you is deleted, and apps have to be linked again.',
    contacts: 'Your contacts become free for another account.',
    clients:
      'The apps that you develop go on without you. What you alone own passes to us; to avoid this, delete it first or add another owner.',
    keptText:
      'What stays is the technical log, for up to 90 days, which names the account by a random ID only.',
    back: 'Until then you can sign in and keep the account. We send this to every phone number and e-mail address of it.',
    action: 'Delete account',
    doneTitle: 'Your account will be deleted',
    doneText: 'It will be deleted on {{when}}. To keep it, sign in before then.',
    close: 'Close',
  },
};
