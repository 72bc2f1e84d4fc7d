/** The page that connects a device without a keyboard. */
export const devicePage = {
  title: 'Connect a device',
  lead: 'Enter the code that your device shows.',
  check: 'Does your device show exactly this code? Then continue.',
  label: 'Code on your device',
  hint: '8 letters; capital letters and the hyphen do not matter',
  submit: 'Continue',
  problems: {
    blank: 'Enter the code that your device shows',
    incomplete: 'This code is not complete: it has 8 letters',
    unknown: 'There is no such code. Compare it with your device, letter by letter.',
    expired: 'This code has expired. Get a new one on your device.',
    used: 'This code has already been used. Get a new one on your device.',
    limited: 'Too many wrong codes. Try again {{when}}.',
    limitedLater: 'Too many wrong codes. Wait a moment, then try again.',
    stale: 'Nothing was sent: this page was out of date. Check the code and continue.',
    ended:
      'This request took too long or has already been answered. Enter the code again; if it no longer works, get a new one on your device.',
  },
  connectedTitle: 'Your device is connected',
  connectedText: 'Go back to your device: it continues by itself in a few seconds.',
  deniedTitle: 'Your device was not connected',
  deniedText: 'It got no access to your account. You can close this page.',
  another: 'Connect another device',
  again: 'Enter a code',
  tokens: 'See authorizations',
};
