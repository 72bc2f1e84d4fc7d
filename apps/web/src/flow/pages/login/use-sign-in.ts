import { type Dispatch, type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ApiError, call } from '../../../shell/api/client.ts';
import { dropFarewell, type Farewell, readFarewell } from '../../../shell/api/farewell.ts';
import { announce } from '../../../shell/components/announcer.tsx';
import { type FormErrors, type Problem, toFormErrors } from '../../../shell/forms/form-errors.ts';
import { onlyFault } from '../../../shell/forms/only-fault.ts';
import { leaveFor, useSubmit } from '../../../shell/forms/use-submit.ts';
import { openPage } from '../../../shell/navigation/open-page.ts';
import { useCodeHint } from '../../code-entry/code-hint.ts';
import type { CodeEntry } from '../../code-entry/use-code-entry.ts';
import { useSendCode } from '../../code-entry/use-send-code.ts';
import { retype } from '../../components/retype.ts';
import { prepareDialog } from '../../dialog/dialog.tsx';
import { readLastUsed, writeLastUsed } from '../../identifier/last-used.ts';
import { useDraft } from '../../identifier/use-draft.ts';
import {
  type FlowState,
  flowUrl,
  isPortal,
  keepForReload,
  readFlowState,
} from '../../interaction/flow-links.ts';
import { noteSignIn } from '../../interaction/fresh-sign-in.ts';
import { dropHandover, readHandover } from '../../interaction/handover.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { useUnheard } from '../../interaction/use-unheard.ts';
import {
  emptySignIn,
  type SignInEvent,
  type SignInField,
  type SignInState,
  signInReducer,
} from './sign-in-state.ts';

export type SignInForm = ReturnType<typeof useSignIn>;

/** The state that the hooks of the form share. */
interface Parts {
  uid: string;
  state: SignInState;
  dispatch: Dispatch<SignInEvent>;
  identifier: ReturnType<typeof useDraft>;
  codes: ReturnType<typeof useSendCode>;
  codeInput: RefObject<HTMLInputElement | null>;
  unheard: ReturnType<typeof useUnheard>;
  reload: () => void;
  /** The fields on screen, in their order. */
  fields: readonly SignInField[];
}

const farewells = {
  'signed-out': 'login.signedOut',
  ended: 'login.ended',
  'ended-kept': 'login.endedKept',
} as const satisfies Record<Farewell, string>;

/** The keys of what the former page did and how the person left the account. This hook announces them. */
const useNews = ({ changed, done }: FlowState) => {
  const { t } = useTranslation();
  const [news] = useState(() => {
    const farewell = readFarewell();
    const keys = [changed && 'login.changed', done && 'app.done', farewell && farewells[farewell]] as const;
    return keys.filter((key) => typeof key === 'string');
  });
  useEffect(dropFarewell, []);
  useEffect(() => {
    if (news.length > 0) announce(news.map((key) => t(key)).join(' '));
  }, [news, t]);
  return news;
};

/** Shows errors. A code that alone is wrong is typed anew. */
const show = ({ dispatch, codeInput }: Parts, errors: FormErrors<SignInField>): void => {
  dispatch({ type: 'refused', errors });
  if (onlyFault(errors) === 'code') retype(codeInput);
};

/** Shows a refusal of the server. `sentTo` is the identifier of the refused request. */
const refuse = (parts: Parts, error: ApiError, sentTo?: string): void => {
  const { dispatch, codes, unheard, reload, fields } = parts;
  codes.noteRefusal(error);
  if (error.code === 'interaction_expired') unheard.fail(error);
  // The details of the interaction say what is asked for next.
  else if (error.code === 'second_factor_required') reload();
  else if (error.code === 'account_not_found' && sentTo)
    dispatch({ type: 'account-unknown', identifier: sentTo, ticket: error.ticket });
  else show(parts, toFormErrors(error, fields));
};

/** Sends the identifier with the code or the password, and leaves the page when the server accepts them. */
const useSigningIn = (parts: Parts) => {
  const { uid, state, dispatch, identifier, unheard } = parts;
  const { method } = state;
  return useSubmit(
    async (code: string) => {
      const secret = method === 'code' ? code : state.password;
      const checked = await identifier.check();
      const blank: Problem | undefined = secret ? undefined : { code: `${method}_blank` };
      if ('error' in checked || blank) {
        return show(parts, {
          ...('error' in checked && { identifier: { code: checked.error } }),
          ...(blank && { [method]: blank }),
        });
      }
      prepareDialog();
      dispatch({ type: 'sent' });
      const proof = { identifier: checked.identifier, [method]: secret };
      const answer = await unheard
        .send(proof, (body) => call('POST /interaction/:uid/login', { params: { uid }, body }))
        .catch((error: ApiError) => refuse(parts, error, checked.identifier));
      if (!answer) return;
      const { kind, country, dial } = identifier.draft;
      writeLastUsed(kind === 'phone' ? { method, kind, country, dial } : { method, kind });
      dispatch({ type: 'accepted' });
      await leaveFor(answer.returnTo);
      dispatch({ type: 'stayed' });
    },
    (error) => refuse(parts, error),
  );
};

/** Sends a code to the identifier. */
const useSending = (parts: Parts, onSent: () => void) => {
  const { dispatch, identifier, codes, codeInput } = parts;
  return useSubmit(
    async () => {
      const checked = await identifier.check();
      if ('error' in checked) {
        dispatch({ type: 'identifier-refused', problem: { code: checked.error } });
        document.getElementById('identifier')?.focus();
        return;
      }
      dispatch({ type: 'sent' });
      codeInput.current?.focus();
      try {
        await codes.send(checked.identifier);
        onSent();
      } catch (cause) {
        const error = cause as ApiError;
        const isOfIdentifier = toFormErrors(error, ['identifier']).identifier !== undefined;
        if (error.code === 'account_not_found' || isOfIdentifier) refuse(parts, error, checked.identifier);
        else dispatch({ type: 'code-unsent', problem: error });
      }
    },
    (error) => refuse(parts, error),
  );
};

/** The state and the actions of the sign-in form. */
export const useSignIn = ({ uid, details, reload, fail }: ReadyInteraction) => {
  const navigate = useNavigate();
  const { state: history } = useLocation();
  const [flow] = useState(() => ({ ...readFlowState(history), ...readHandover() }));
  useEffect(dropHandover, []);
  const ofPortal = isPortal(details);
  useEffect(() => {
    if (ofPortal) noteSignIn();
  }, [ofPortal]);
  const news = useNews(flow);
  const identifier = useDraft(flow.draft ?? flow.identifier ?? details.provider?.email ?? details.loginHint);
  const method = flow.method ?? readLastUsed().method ?? 'code';
  const [state, dispatch] = useReducer(signInReducer, method, emptySignIn);
  const codes = useSendCode('login', identifier.current);
  const hint = useCodeHint('login', codes.timer, identifier.current);
  const codeInput = useRef<HTMLInputElement>(null);
  const unheard = useUnheard(uid, fail);

  const fields: readonly SignInField[] = ['identifier', state.method];
  const parts: Parts = { uid, state, dispatch, identifier, codes, codeInput, unheard, reload, fields };
  const { draft } = identifier;
  /** Keeps the input, but no secrets, in the history entry. */
  const keep = () => keepForReload({ draft, method: state.method });
  const signingIn = useSigningIn(parts);
  const sending = useSending(parts, keep);
  const entry: CodeEntry = {
    code: state.code,
    setCode: (text) => dispatch({ type: 'typed', field: 'code', text }),
    input: codeInput,
    timer: codes.timer,
    seconds: codes.seconds,
    hint,
    problem: state.errors.code,
    unsent: state.unsent,
    sending,
    complete: (code) => {
      if (identifier.looksRight) void signingIn.run(code);
    },
  };
  /** Enter in the identifier sends the code that nobody has yet; the button says that it is missing. */
  const submit = () => {
    const isEnter = document.activeElement?.id === ('identifier' satisfies SignInField);
    const lacksCode = state.method === 'code' && state.code === '' && codes.timer === undefined;
    void (isEnter && lacksCode && identifier.looksRight ? sending.run() : signingIn.run(state.code));
  };
  const register = () => {
    keep();
    const { unknown } = state;
    const proven = unknown?.ticket && { step: 'password', ...unknown };
    const page = flowUrl('/register', uid);
    void openPage(page, () => navigate(page, { state: { draft, ...proven } }), { carries: true });
  };
  const onRefused = (error: ApiError) => refuse(parts, error);
  return {
    state,
    dispatch,
    fields,
    identifier,
    entry,
    news,
    signingIn,
    submit,
    keep,
    register,
    refuse: onRefused,
  };
};
