import { endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { type DeskAct, deskActs } from './rules/desk-acts.ts';
import { ActivityList } from './schemas/activity.ts';
import {
  ActDone,
  AnswerApproval,
  AnswerCallerCheck,
  CallerCheck,
  ContactAct,
  DeskAccount,
  DeskActivityQuery,
  DeskApprovalList,
  DeskFoundList,
  DeskMessageList,
  DeskSearch,
  DeskSession,
  PlainAct,
  RecordFileQuery,
  RecordList,
  RecordQuery,
  RemoveFactor,
  RevealContacts,
  RevealedContacts,
  StartCallerCheck,
  WithdrawOne,
} from './schemas/desk.ts';
import { Page } from './schemas/session.ts';
import { identifierErrors } from './shared-errors.ts';

/** Codes of every endpoint of the desk. Whoever is no staff gets `not_found`, as where there is no desk. */
export const deskErrors = [
  'not_signed_in',
  'not_found',
  'desk_closed',
  'role_insufficient',
] as const satisfies readonly ErrorCode[];
const reasonErrors = ['reason_blank', 'reason_too_long'] as const satisfies readonly ErrorCode[];
/** Codes of every act: what it takes is looked at before anything is done. */
const deskActErrors = [
  ...deskErrors,
  ...reasonErrors,
  'step_up_required',
  'own_account',
  'caller_unproven',
  'nothing_to_do',
] as const satisfies readonly ErrorCode[];

const auth = 'staff';

/** What the endpoints of acts have in common. */
const actOf = <const Act extends DeskAct>(act: Act) =>
  ({
    method: 'POST',
    path: `/api/desk/accounts/:id/${act}`,
    auth,
    role: deskActs[act].role,
    response: ActDone,
    errors: deskActErrors,
  }) as const;

/** The acts on one account, each at `POST /api/desk/accounts/:id/ACT`. `deskActs` says who may, and what each does. */
export const deskActApi = {
  deskEndSessions: endpoint({
    ...actOf('end-sessions'),
    body: PlainAct,
    summary: 'Sign the person out everywhere; links stay',
  }),
  deskLiftLimits: endpoint({
    ...actOf('lift-limits'),
    body: PlainAct,
    summary: 'Start the counts of wrong tries anew',
  }),
  deskResendRecovery: endpoint({
    ...actOf('resend-recovery'),
    body: ContactAct,
    summary: 'Send the way to a new password to a contact of the person',
  }),
  deskCheckContact: endpoint({
    ...actOf('check-contact'),
    body: ContactAct,
    summary: 'Send a message to a contact that refused one; taken, it counts as good again',
  }),
  deskRemoveFactor: endpoint({
    ...actOf('remove-factor'),
    body: RemoveFactor,
    errors: [...deskActErrors, 'approval_asked'],
    summary: 'Let a lost second factor go after 72 hours, or ask a second operator for it at once',
  }),
  deskStopRemoval: endpoint({
    ...actOf('stop-removal'),
    body: PlainAct,
    summary: 'Stop the recovery without the second factor that waits',
  }),
  deskDisable: endpoint({
    ...actOf('disable'),
    body: PlainAct,
    summary: 'Let nobody sign in; links wait',
  }),
  deskEnable: endpoint({
    ...actOf('enable'),
    body: PlainAct,
    summary: 'Let the person sign in again',
  }),
  deskBeginLeaving: endpoint({
    ...actOf('begin-leaving'),
    body: PlainAct,
    summary: 'Delete the account after 14 days, in which its person can keep it',
  }),
  deskKeep: endpoint({
    ...actOf('keep'),
    body: PlainAct,
    summary: 'Keep the account that was to be deleted',
  }),
  deskExport: endpoint({
    ...actOf('export'),
    body: PlainAct,
    errors: [...deskActErrors, 'account_disabled'],
    summary: 'Prepare the file with everything about the person, who alone can download it',
  }),
  deskWithdrawAuthorization: endpoint({
    ...actOf('withdraw-authorization'),
    body: WithdrawOne,
    summary: 'Withdraw one approval of an app: its tokens die at once',
  }),
  deskNote: endpoint({
    ...actOf('note'),
    body: PlainAct,
    summary: 'Add a note for whoever answers next; its text is the reason',
  }),
};

/** The endpoints of the people who answer the phone. Without staff they are 404. */
export const deskApi = {
  getDesk: endpoint({
    method: 'GET',
    path: '/api/desk',
    auth,
    role: 'viewer',
    response: DeskSession,
    errors: ['not_signed_in'],
    summary: 'Who the member of staff is, and whether the desk is open in this browser',
  }),
  openDesk: endpoint({
    method: 'POST',
    path: '/api/desk/session',
    auth,
    role: 'viewer',
    response: DeskSession,
    errors: ['not_signed_in', 'step_up_required', 'factor_missing'],
    summary: 'Open the desk by a fresh proof: for 8 hours, and 30 minutes without use',
  }),
  closeDesk: endpoint({
    method: 'DELETE',
    path: '/api/desk/session',
    auth,
    role: 'viewer',
    errors: ['not_signed_in'],
    summary: 'Close the desk; the person stays signed in',
  }),
  searchDesk: endpoint({
    method: 'GET',
    path: '/api/desk/search',
    auth,
    role: 'viewer',
    query: DeskSearch,
    response: DeskFoundList,
    errors: [...deskErrors, ...identifierErrors],
    summary: 'Find an account, a client or an error page by an exact word',
  }),
  getDeskAccount: endpoint({
    method: 'GET',
    path: '/api/desk/accounts/:id',
    auth,
    role: 'viewer',
    response: DeskAccount,
    errors: deskErrors,
    summary: 'One account, in the order in which a call goes',
  }),
  listDeskActivity: endpoint({
    method: 'GET',
    path: '/api/desk/accounts/:id/activity',
    auth,
    role: 'viewer',
    query: DeskActivityQuery,
    response: ActivityList,
    errors: deskErrors,
    summary: 'What happened to an account, newest first',
  }),
  listDeskMessages: endpoint({
    method: 'GET',
    path: '/api/desk/accounts/:id/messages',
    auth,
    role: 'viewer',
    query: Page,
    response: DeskMessageList,
    errors: deskErrors,
    summary: 'Messages to the contacts of an account, newest first',
  }),
  revealContacts: endpoint({
    method: 'POST',
    path: '/api/desk/accounts/:id/contacts',
    auth,
    role: 'support',
    body: RevealContacts,
    response: RevealedContacts,
    errors: [...deskErrors, ...identifierErrors, ...reasonErrors, 'contact_differs'],
    summary: 'Show the contact that the caller told, or all of them for a reason',
  }),
  startCallerCheck: endpoint({
    method: 'POST',
    path: '/api/desk/accounts/:id/caller',
    auth,
    role: 'support',
    body: StartCallerCheck,
    response: CallerCheck,
    errors: [...deskErrors, 'own_account', 'contact_too_young', 'not_there', 'digits_exhausted'],
    summary: 'Ask the caller for a code, or for the two digits that a signed-in person sees',
  }),
  answerCallerCheck: endpoint({
    method: 'POST',
    path: '/api/desk/accounts/:id/caller/answer',
    auth,
    role: 'support',
    body: AnswerCallerCheck,
    response: CallerCheck,
    errors: [...deskErrors, 'code_blank', 'code_incorrect', 'nothing_to_do'],
    summary: 'Say what the caller answered; the answer says right or wrong',
  }),
  ...deskActApi,
  listApprovals: endpoint({
    method: 'GET',
    path: '/api/desk/approvals',
    auth,
    role: 'operator',
    response: DeskApprovalList,
    errors: deskErrors,
    summary: 'What waits for a second operator, the oldest first',
  }),
  answerApproval: endpoint({
    method: 'POST',
    path: '/api/desk/approvals/:id',
    auth,
    role: 'operator',
    body: AnswerApproval,
    response: ActDone,
    errors: [
      ...deskErrors,
      ...reasonErrors,
      'step_up_required',
      'own_approval',
      'own_account',
      'nothing_to_do',
    ],
    summary: 'Approve or decline what another operator asks, or withdraw what you asked',
  }),
  listRecord: endpoint({
    method: 'GET',
    path: '/api/desk/record',
    auth,
    role: 'operator',
    query: RecordQuery,
    response: RecordList,
    errors: deskErrors,
    summary: 'Every look and act of staff and of the command line, newest first',
  }),
  downloadRecord: endpoint({
    method: 'GET',
    path: '/api/desk/record/file',
    auth,
    role: 'operator',
    query: RecordFileQuery,
    file: 'application/jsonl',
    errors: [...deskErrors, 'cross_site'],
    summary: 'The same as JSON lines, the newest 10,000, with the hashes of the chain',
  }),
};
