import { endpoint } from './endpoint.ts';
import { ProveRecoveryFactor, RecoveryReview, RecoveryWait, StartRecoveryWait } from './schemas/recovery.ts';
import { ActivateTotp, RecoveryCodes, TotpStarted, TrustedBrowsers, Ways } from './schemas/second-factor.ts';
import { passkeyErrors, secondFactorErrors } from './shared-errors.ts';

/** The endpoints of the second factor, which are part of `accountApi`. */
export const secondFactorApi = {
  getWays: endpoint({
    method: 'GET',
    path: '/api/ways',
    auth: 'session',
    response: Ways,
    errors: ['not_signed_in'],
    summary: 'The ways in which the person signs in',
  }),
  declineOffer: endpoint({
    method: 'POST',
    path: '/api/ways/offer-declined',
    auth: 'session',
    errors: ['not_signed_in'],
    summary: 'Offer no passkey for 90 days',
  }),
  startTotp: endpoint({
    method: 'POST',
    path: '/api/totp',
    auth: 'session',
    response: TotpStarted,
    errors: ['not_signed_in', 'step_up_required', 'totp_exists'],
    summary: 'Make the secret of an authenticator app; nothing is asked for until it is activated',
  }),
  activateTotp: endpoint({
    method: 'PUT',
    path: '/api/totp',
    auth: 'session',
    body: ActivateTotp,
    response: RecoveryCodes,
    errors: ['not_signed_in', 'code_blank', 'totp_not_started', 'totp_exists', 'totp_incorrect'],
    summary: 'Switch the second factor on by a right code of the app',
  }),
  removeTotp: endpoint({
    method: 'DELETE',
    path: '/api/totp',
    auth: 'session',
    errors: ['not_signed_in', 'step_up_required', 'not_found'],
    summary: 'Switch the second factor off',
  }),
  makeRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/totp/recovery-codes',
    auth: 'session',
    response: RecoveryCodes,
    errors: ['not_signed_in', 'step_up_required', 'not_found'],
    summary: 'Make ten recovery codes in place of the present ones',
  }),
  listTrustedBrowsers: endpoint({
    method: 'GET',
    path: '/api/trusted-browsers',
    auth: 'session',
    response: TrustedBrowsers,
    errors: ['not_signed_in'],
    summary: 'Browsers that are not asked for the second factor, the newest first',
  }),
  endTrustedBrowser: endpoint({
    method: 'DELETE',
    path: '/api/trusted-browsers/:id',
    auth: 'session',
    errors: ['not_signed_in', 'not_found'],
    summary: 'Ask a browser for the second factor again',
  }),
  proveRecoveryFactor: endpoint({
    method: 'POST',
    path: '/api/recovery/factor',
    auth: 'none',
    body: ProveRecoveryFactor,
    response: RecoveryReview,
    errors: ['ticket_invalid', 'account_disabled', 'not_found', ...secondFactorErrors, ...passkeyErrors],
    summary: 'Prove the second factor before the new password, and read what that may remove',
  }),
  startRecoveryWait: endpoint({
    method: 'POST',
    path: '/api/recovery/wait',
    auth: 'none',
    body: StartRecoveryWait,
    response: RecoveryWait,
    errors: ['ticket_invalid', 'account_disabled', 'not_found'],
    summary: 'Wait for 72 hours, for who has lost every second factor',
  }),
  stopRecoveryWait: endpoint({
    method: 'DELETE',
    path: '/api/account/recovery-wait',
    auth: 'session',
    errors: ['not_signed_in', 'step_up_required', 'not_found'],
    summary: 'Stop the recovery that waits',
  }),
};
