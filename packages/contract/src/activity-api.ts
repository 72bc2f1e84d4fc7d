import { endpoint } from './endpoint.ts';
import {
  ActivityList,
  ActivityQuery,
  AddedList,
  DisownSignIn,
  Dispute,
  Disputed,
  SignInDisowned,
  SignInLink,
  SignInNoticed,
} from './schemas/activity.ts';

/** The endpoints of what happened to an account, which are part of `accountApi`. */
export const activityApi = {
  listActivity: endpoint({
    method: 'GET',
    path: '/api/activity',
    auth: 'session',
    query: ActivityQuery,
    response: ActivityList,
    errors: ['not_signed_in'],
    summary: 'What happened to the account in the last 180 days, newest first',
  }),
  listAddedInSession: endpoint({
    method: 'GET',
    path: '/api/activity/:id/added',
    auth: 'session',
    response: AddedList,
    errors: ['not_signed_in', 'not_found'],
    summary: 'What the session in which it happened added, and what can be taken back with it',
  }),
  disputeActivity: endpoint({
    method: 'POST',
    path: '/api/activity/:id/dispute',
    auth: 'session',
    body: Dispute,
    bodyOptional: true,
    response: Disputed,
    errors: ['not_signed_in', 'not_found', 'step_up_required'],
    summary: 'Say that it was somebody else: their session ends',
  }),
  lookAtSignIn: endpoint({
    method: 'POST',
    path: '/api/not-me/look',
    auth: 'none',
    body: SignInLink,
    response: SignInNoticed,
    errors: ['not_found'],
    summary: 'The sign-in that the link in a notice is about; not found once it is used or over',
  }),
  disownSignIn: endpoint({
    method: 'POST',
    path: '/api/not-me',
    auth: 'none',
    body: DisownSignIn,
    response: SignInDisowned,
    errors: ['not_found'],
    summary: 'Say that the sign-in was somebody else’s, once: its session ends',
  }),
};
