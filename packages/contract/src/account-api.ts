import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Account } from './schemas/account.ts';
import { Consent, InteractionDetails, Login, Register, ReturnTo, Verify } from './schemas/interaction.ts';
import { RecoveryStarted, RecoveryVerify, SetPassword } from './schemas/recovery.ts';
import { AuthorizationList, Page, SessionList } from './schemas/session.ts';
import { CodePurpose, CodeSent, Identifier, TicketIssued } from './schemas/verification.ts';

const identifierErrors = [
  'identifier_blank',
  'identifier_invalid',
  'phone_invalid',
  'email_invalid',
] as const;
const codeErrors = [
  ...identifierErrors,
  'code_blank',
  'code_incorrect',
  'code_expired',
  'code_exhausted',
] as const;
const passwordErrors = [
  'password_blank',
  'password_too_short',
  'password_too_long',
  'password_has_symbols',
  'password_too_common',
] as const;
const interactionErrors = ['interaction_expired'] as const;

/** Inside an authorization request: the browser holds the cookie of the interaction `:uid`. */
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
    errors: [...interactionErrors, ...codeErrors],
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
      'password_blank',
      'busy',
    ],
    summary: 'Sign in with a password, a code or a ticket',
  }),
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
      'busy',
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
    summary: 'Decline: the app is told access_denied',
  }),
};

/** The portal’s own: the browser holds the session cookie. */
export const accountApi = {
  sendCode: endpoint({
    method: 'POST',
    path: '/api/codes',
    auth: 'none',
    body: z.strictObject({ identifier: Identifier, purpose: CodePurpose }),
    response: CodeSent,
    status: 202,
    errors: [...identifierErrors, 'account_not_found'],
    summary: 'Send a verification code',
  }),
  verifyRecovery: endpoint({
    method: 'POST',
    path: '/api/recovery/verify',
    auth: 'none',
    body: RecoveryVerify,
    response: RecoveryStarted,
    errors: [...codeErrors, 'phone_invalid', 'email_invalid', 'account_disabled'],
    summary: 'Exchange a right verification code for a ticket that opens a new password',
  }),
  recoverPassword: endpoint({
    method: 'POST',
    path: '/api/recovery/password',
    auth: 'none',
    body: SetPassword,
    errors: ['ticket_invalid', 'account_disabled', ...passwordErrors],
    summary: 'Set a new password: every browser is signed out',
  }),
  getAccount: endpoint({
    method: 'GET',
    path: '/api/account',
    auth: 'session',
    response: Account,
    errors: ['not_signed_in'],
    summary: 'The signed-in account',
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/sessions',
    auth: 'session',
    query: Page,
    response: SessionList,
    errors: ['not_signed_in'],
    summary: 'Browsers signed in, the current one first, then the newest',
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/sessions/:id',
    auth: 'session',
    errors: ['not_signed_in', 'not_found'],
    summary: 'Sign one browser out',
  }),
  endSessions: endpoint({
    method: 'DELETE',
    path: '/api/sessions',
    auth: 'session',
    query: z.strictObject({ except: z.optional(z.literal('current')) }),
    errors: ['not_signed_in'],
    summary: 'Sign all browsers out, or all but this one',
  }),
  listAuthorizations: endpoint({
    method: 'GET',
    path: '/api/authorizations',
    auth: 'session',
    query: Page,
    response: AuthorizationList,
    errors: ['not_signed_in'],
    summary: 'Approvals of third-party apps, newest first',
  }),
  withdrawAuthorization: endpoint({
    method: 'DELETE',
    path: '/api/authorizations/:id',
    auth: 'session',
    errors: ['not_signed_in', 'not_found'],
    summary: 'Withdraw one approval: its tokens die at once',
  }),
  withdrawAuthorizations: endpoint({
    method: 'DELETE',
    path: '/api/authorizations',
    auth: 'session',
    errors: ['not_signed_in'],
    summary: 'Withdraw all approvals',
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/sign-out',
    auth: 'session',
    errors: ['not_signed_in'],
    summary: 'End this browser’s session',
  }),
};
