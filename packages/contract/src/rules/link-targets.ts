/** Who an account is linked to by an app that links homes; `app`: whoever the app is of. */
export const linkTargets = [
  'alexa',
  'google',
  'home-assistant',
  'yandex',
  'sber',
  'tmall-genie',
  'xiaodu',
  'smartthings',
  'ifttt',
  'app',
] as const;
export type LinkTarget = (typeof linkTargets)[number];
