import { endpoint } from './endpoint.ts';
import { arrivalApi } from './provider-api.ts';
import { Consent, InteractionDetails, Login, Register, ReturnTo, Verify } from './schemas/interaction.ts';
import { PasskeyRequestOptions, UsePasskey } from './schemas/passkey.ts';
import { PassSecondFactor } from './schemas/second-factor.ts';
import { TicketIssued } from './schemas/verification.ts';
import { codeErrors, passkeyErrors, passwordErrors, secondFactorErrors } from './shared-errors.ts';

const interactionErrors = ['interaction_expired'] as const;

/** The endpoints of an authorization request. They need the cookie of the interaction `:uid`. */
export const interactionApi = {
  details: endpoint({
    method: 'GET',
    path: '/interaction/:uid/details',
    auth: 'interaction',
    response: InteractionDetails,
    errors: interactionErrors,
    summary: 'What the authorization request asks of the person',
  }),
  verify: endpoint({
    method: 'POST',
    path: '/interaction/:uid/verify',
    auth: 'interaction',
    body: Verify,
    response: TicketIssued,
    errors: [...interactionErrors, ...codeErrors, 'step_up_required'],
    summary: 'Exchange a right verification code for a ticket',
  }),
  forgetAccount: endpoint({
    method: 'DELETE',
    path: '/interaction/:uid/accounts/:id',
    auth: 'interaction',
    errors: interactionErrors,
    summary: 'Forget an account that this browser remembers',
  }),
  login: endpoint({
    method: 'POST',
    path: '/interaction/:uid/login',
    auth: 'interaction',
    body: Login,
    response: ReturnTo,
    errors: [
      ...interactionErrors,
      ...codeErrors,
      'invalid_credentials',
      'ticket_invalid',
      'account_not_found',
      'account_disabled',
      'step_up_required',
      'second_factor_required',
      'factor_missing',
      'bound_passkey_missing',
      'code_required',
      'password_blank',
    ],
    summary: 'Sign in with a password, a code or a ticket',
  }),
  signInOptions: endpoint({
    method: 'POST',
    path: '/interaction/:uid/passkey/options',
    auth: 'interaction',
    response: PasskeyRequestOptions,
    errors: interactionErrors,
    summary: 'What the browser needs to sign in by a passkey',
  }),
  signInByPasskey: endpoint({
    method: 'POST',
    path: '/interaction/:uid/passkey',
    auth: 'interaction',
    body: UsePasskey,
    response: ReturnTo,
    errors: [
      ...interactionErrors,
      ...passkeyErrors,
      'account_disabled',
      'factor_missing',
      'bound_passkey_missing',
    ],
    summary: 'Sign in by a passkey',
  }),
  secondFactor: endpoint({
    method: 'POST',
    path: '/interaction/:uid/second-factor',
    auth: 'interaction',
    body: PassSecondFactor,
    response: ReturnTo,
    errors: [
      ...interactionErrors,
      ...secondFactorErrors,
      ...passkeyErrors,
      'account_disabled',
      'factor_missing',
      'bound_passkey_missing',
    ],
    summary: 'Finish a sign-in that waits for a second factor',
  }),
  ...arrivalApi,
  continue: endpoint({
    method: 'POST',
    path: '/interaction/:uid/continue',
    auth: 'interaction',
    response: ReturnTo,
    errors: [...interactionErrors, 'not_signed_in', 'step_up_required', 'account_disabled'],
    summary: 'Go on as the account of this browser’s session',
  }),
  register: endpoint({
    method: 'POST',
    path: '/interaction/:uid/register',
    auth: 'interaction',
    body: Register,
    response: ReturnTo,
    errors: [
      ...interactionErrors,
      ...codeErrors,
      'ticket_invalid',
      'identifier_taken',
      'agreements_required',
      ...passwordErrors,
    ],
    summary: 'Create an account and sign in as it',
  }),
  consent: endpoint({
    method: 'POST',
    path: '/interaction/:uid/consent',
    auth: 'interaction',
    body: Consent,
    response: ReturnTo,
    errors: [...interactionErrors, 'not_signed_in', 'account_disabled'],
    summary: 'Approve what the app asks',
  }),
  switchAccount: endpoint({
    method: 'POST',
    path: '/interaction/:uid/switch-account',
    auth: 'interaction',
    response: ReturnTo,
    errors: interactionErrors,
    summary: 'Sign in as someone else',
  }),
  abort: endpoint({
    method: 'POST',
    path: '/interaction/:uid/abort',
    auth: 'interaction',
    response: ReturnTo,
    errors: interactionErrors,
    summary: 'Decline, or do without the stronger sign-in that the app wishes',
  }),
};
