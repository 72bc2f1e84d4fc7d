/** The second step: after a password or a code, in a recovery, and in a step-up. */
export const secondFactor = {
  title: 'Second step',
  text: 'For the account {{identifier}}.',
  totpHint: 'Open your authenticator app: it shows six digits for this account.',
  recoveryCode: 'Recovery code',
  recoveryCodeHint: 'One of the ten codes you saved. Each works once.',
  passkeyText: 'Use your passkey: fingerprint, face or screen lock.',
  useTotp: 'Use the authenticator app',
  useRecoveryCode: 'Use a recovery code',
  usePasskey: 'Use a passkey',
  remember: 'Do not ask in this browser for 30 days',
  submit: 'Continue',
  none: 'I have none of these',
  noneText:
    'Set a new password without the second step. That takes 72 hours: we tell every phone number and e-mail address of the account, and its owner can stop it.',
  noneAction: 'Set a new password',
  recoveryText: 'This account asks for the second step before you can set a new password.',
  waitText:
    'You can continue without the second step after 72 hours. We tell every phone number and e-mail address of the account at once, and whoever is signed in can stop it.',
  waitAction: 'Wait 72 hours',
  waitingTitle: 'The wait has begun',
  waiting:
    'From {{when}} on you can set a new password without the second step. Come back to this page then and confirm a code once more.',
  waitingOwner: 'If you find the app or a recovery code, you do not have to wait.',
  stepUpText: 'Enter the six digits that your authenticator app shows.',
  usePassword: 'Use the password',
  useCode: 'Use a verification code',
};
