export const pages = {
  needsScript: 'This page needs JavaScript. Turn it on in your browser and reload the page.',
  /** The page whose scripts or texts did not load. */
  unloadedTitle: 'This page did not load',
  unloaded: 'Check the network, then try again. If that does not help, come back in a few minutes.',
  retry: 'Try again',
  errorTitle: 'This did not work',
  reference: 'Reference:',
  /** The name of the app follows. */
  startAgain: 'Start again:',
  toAccount: 'Go to your account',
  terms: 'User agreement',
  privacy: 'Privacy policy',
  support: 'Support',
  errors: {
    not_found: 'There is no such page.',
    invalid_request: 'The app sent a request that cannot be answered. Go back to the app and try again.',
    unknown_client: 'The app that sent you here is not registered with us.',
    redirect_uri_mismatch: 'The app asked to return you to an address it has not registered.',
    interaction_expired: 'This sign-in has expired. Go back to the app and start again.',
    interaction_elsewhere:
      'This sign-in was started in another browser. Continue there, or start again here.',
    interaction_finished: 'This sign-in is finished.',
    sign_in_failed: 'You were not signed in.',
    misdirected_request: 'There is nothing at this address. Check the address bar.',
    rate_limited: 'Too many tries. Wait a moment, then try again.',
    unavailable: 'The service is not available right now. Try again in a moment.',
    internal_error:
      'Something went wrong on our side. Try again, and quote the reference if it happens again.',
  },
  misdirectedTitle: 'This address is not ours',
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
  signOutFaultTitle: 'You are still signed in',
  signOutFault:
    'Something is wrong with the request to sign you out. You can sign out here; you will not be led back to the app.',
  forDevelopers: 'For developers',
  /** Around the text of a document. */
  document: {
    contents: 'Contents',
    edition: 'Version {{version}}, in force from {{day}}',
    versions: 'All versions',
    language: 'Language',
  },
};
