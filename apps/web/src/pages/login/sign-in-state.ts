import type { FormErrors, Problem } from '../../forms/form-errors.ts';

export type Method = 'code' | 'password';
export type SignInField = 'identifier' | Method;

/** The sign-in form, but for the identifier (`useDraft`) and the codes that were sent (`useSendCode`). */
export interface SignInState {
  method: Method;
  code: string;
  password: string;
  errors: FormErrors<SignInField>;
  /** The reason that no code could be sent. */
  unsent: Problem | undefined;
  /** Counts the refusals that the error summary takes the focus for. */
  refusals: number;
  /** The identifier that was proven and has no account, with the ticket that registers it. */
  unknown: { identifier: string; ticket: string | undefined } | undefined;
  /** The server has accepted the sign-in, and the page is being left. */
  accepted: boolean;
}

export type SignInEvent =
  | { type: 'method-chosen'; method: Method }
  | { type: 'typed'; field: Method; text: string }
  /** What was wrong with a field no longer is. */
  | { type: 'mended'; field: SignInField }
  /** A request is on its way: nothing is known to be wrong. */
  | { type: 'sent' }
  | { type: 'refused'; errors: FormErrors<SignInField> }
  /** A code was asked for, to an identifier that is none. */
  | { type: 'identifier-refused'; problem: Problem }
  | { type: 'code-unsent'; problem: Problem }
  | { type: 'account-unknown'; identifier: string; ticket: string | undefined }
  | { type: 'unknown-closed' }
  | { type: 'accepted' }
  /** The page is still there a while after it should have been left. */
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

/** Whether the code alone is wrong: then its field takes the focus, and no summary is shown. */
export const isOnlyCode = (errors: FormErrors<SignInField>): boolean =>
  errors.code !== undefined && Object.keys(errors).length === 1;

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
    case 'typed':
      return { ...state, [event.field]: event.text };
    case 'mended':
      return { ...state, errors: without(state.errors, event.field) };
    case 'sent':
      return { ...state, ...nothingWrong };
    case 'refused':
      return {
        ...state,
        errors: event.errors,
        refusals: isOnlyCode(event.errors) ? state.refusals : state.refusals + 1,
      };
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
