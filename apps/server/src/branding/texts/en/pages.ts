export const pages = {
  needsScript: 'This page needs JavaScript. Turn it on in your browser and reload the page.',
  /** The page whose scripts or texts did not load. */
  unloadedTitle: 'This page did not load',
  unloaded: 'Check the network, then try again. If that does not help, come back in a few minutes.',
  retry: 'Try again',
  reference: 'Reference:',
  /** The name of the app follows. */
  startAgain: 'Start again:',
  toAccount: 'Go to your account',
  terms: 'User agreement',
  privacy: 'Privacy policy',
  support: 'Support',
  /** An address follows. */
  servedAt: 'The service is at',
  signOutTitle: 'Sign out?',
  signOutQuestion: 'You will be signed out of your account in this browser.',
  signOut: 'Sign out',
  staySignedIn: 'Stay signed in',
  signingOut: 'Signing you out',
  signedOutTitle: 'You are signed out',
  signedOut: 'The light is off. See you soon.',
  signInAgain: 'Sign in again',
  /** On the button of apps whose people sign in with the brand. */
  signInWith: 'Sign in with {{brand}}',
  signOutFaultTitle: 'You are still signed in',
  signOutFault:
    'Something is wrong with the request to sign you out. You can sign out here; you will not be led back to the app.',
  forDevelopers: 'For developers',
  apiReference: 'API reference',
  /** Around the text of a document. */
  document: {
    contents: 'Contents',
    edition: 'Version {{version}}, in force from {{day}}',
    versions: 'All versions',
    language: 'Language',
  },
};
