import type { ProviderErrorCode } from '@candela/contract';

/** Signing in with an account that a person has elsewhere. */
export const providers = {
  provider: {
    list: 'Other ways to sign in',
    more: 'More ways',
    last: 'Used here last time',
    /** As each provider words its button. */
    continue: {
      google: 'Continue with Google',
      apple: 'Continue with Apple',
      wechat: 'Continue with WeChat',
      vk: 'Continue with VK ID',
      yandex: 'Continue with Yandex ID',
      line: 'Log in with LINE',
      oidc: 'Continue with {{name}}',
    },
    notSignedIn: '{{name}} did not sign you in',
    accountAt: 'Your account at {{name}}',
    newTitle: 'Create your account',
    newText:
      'There is no {{brand}} account for this {{name}} account yet. Once you have registered, {{name}} signs you in here.',
    gets: 'Your account gets {{contact}}.',
    addText:
      'Add a phone number or e-mail address to your {{brand}} account. With it you also get in without {{name}}. We send it a code.',
    without: 'Continue without it',
    haveAccount: 'I already have an account',
    existingText:
      'Sign in to your {{brand}} account as you always do. From then on {{name}} signs you in to it too.',
    drop: 'Sign in without adding {{name}}',
  },
  providerErrors: {
    provider_refused: 'You did not sign in there, or it was declined. Try again, or choose another way.',
    provider_stale: 'We asked for a new sign-in there, and got an old one. Sign out there, then try again.',
    provider_taken:
      'That account already opens another account here. Sign in with it, or unlink it there first.',
    provider_exists: 'Your account already has this way to sign in. Remove it first to link another one.',
    provider_expired: 'This took too long or was already used. Start again.',
    provider_failed:
      'The answer from there could not be trusted, so you were not signed in. Choose another way.',
    provider_unavailable:
      'The sign-in there does not work right now. Choose another way, or try again in a minute.',
    provider_unproven: 'What you signed in with is not enough to add it. Add it here.',
  } satisfies Record<ProviderErrorCode | 'provider_unproven', string>,
};
