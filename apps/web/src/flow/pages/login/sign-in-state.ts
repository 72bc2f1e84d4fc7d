import type { FormErrors, Problem } from '../../../shell/forms/form-errors.ts';

export type Method = 'code' | 'password';
export type SignInField = 'identifier' | Method;

/** The state of the sign-in form, without the identifier (`useDraft`) and the sent codes (`useSendCode`). */
export interface SignInState {
  method: Method;
  code: string;
  password: string;
  errors: FormErrors<SignInField>;
  /** The reason that no code could be sent. */
  unsent: Problem | undefined;
  /** Counts the refusals: each moves the focus to the summary, or to the one field at fault. */
  refusals: number;
  /** A proven identifier without an account, with the ticket that registers it. */
  unknown: { identifier: string; ticket: string | undefined } | undefined;
  /** The server has accepted the sign-in, and the page is being left. */
  accepted: boolean;
}

export type SignInEvent =
  | { type: 'method-chosen'; method: Method }
  | { type: 'typed'; field: Method; text: string }
  /** A field is correct again. */
  | { type: 'mended'; field: SignInField }
  /** A request was sent: the former errors go. */
  | { type: 'sent' }
  | { type: 'refused'; errors: FormErrors<SignInField> }
  /** The person asked for a code to an invalid identifier. */
  | { type: 'identifier-refused'; problem: Problem }
  | { type: 'code-unsent'; problem: Problem }
  | { type: 'account-unknown'; identifier: string; ticket: string | undefined }
  | { type: 'unknown-closed' }
  | { type: 'accepted' }
  /** The navigation after the sign-in did not leave the page. */
  | { type: 'stayed' };

export const emptySignIn = (method: Method): SignInState => ({
  method,
  code: '',
  password: '',
  errors: {},
  unsent: undefined,
  refusals: 0,
  unknown: undefined,
  accepted: false,
});

const nothingWrong = { errors: {}, unsent: undefined };

const without = (errors: FormErrors<SignInField>, field: SignInField): FormErrors<SignInField> => {
  const { [field]: _, form: __, ...rest } = errors;
  return rest;
};

/** The form after an event. */
export const signInReducer = (state: SignInState, event: SignInEvent): SignInState => {
  switch (event.type) {
    case 'method-chosen':
      return { ...state, ...nothingWrong, method: event.method };
    case 'typed': {
      const typed = { ...state, [event.field]: event.text };
      const isMended = event.field === 'code' && state.errors.code && event.text !== state.code;
      return isMended ? { ...typed, errors: without(state.errors, 'code') } : typed;
    }
    case 'mended':
      return { ...state, errors: without(state.errors, event.field) };
    case 'sent':
      return { ...state, ...nothingWrong };
    case 'refused':
      return { ...state, errors: event.errors, refusals: state.refusals + 1 };
    case 'identifier-refused':
      return { ...state, errors: { identifier: event.problem } };
    case 'code-unsent':
      return { ...state, unsent: event.problem };
    case 'account-unknown':
      return { ...state, ...nothingWrong, unknown: { identifier: event.identifier, ticket: event.ticket } };
    case 'unknown-closed':
      return { ...state, unknown: undefined };
    case 'accepted':
      return { ...state, accepted: true };
    case 'stayed':
      return { ...state, accepted: false };
  }
};
