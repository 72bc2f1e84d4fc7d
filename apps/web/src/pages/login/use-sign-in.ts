import { interactionApi } from '@candela/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ApiError, call } from '../../api/client.ts';
import { useSendCode } from '../../code-entry/use-send-code.ts';
import { announce } from '../../components/announcer.tsx';
import { prepareDialog } from '../../dialog/dialog.tsx';
import { type FormErrors, type Problem, toFormErrors } from '../../forms/form-errors.ts';
import { leaveFor, useSubmit } from '../../forms/use-submit.ts';
import { readLastUsed, writeLastUsed } from '../../identifier/last-used.ts';
import { useDraft } from '../../identifier/use-draft.ts';
import { type FlowState, flowUrl, keepForReload, readFlowState } from '../../interaction/flow-links.ts';
import { dropHandover, readHandover } from '../../interaction/handover.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { useUnheard } from '../../interaction/use-unheard.ts';

export type SignInField = 'identifier' | 'code' | 'password';
export type Method = 'code' | 'password';

const newsOf = ({ changed, done }: FlowState): 'login.changed' | 'app.done' | undefined => {
  if (changed) return 'login.changed';
  return done ? 'app.done' : undefined;
};

/** The state of the sign-in form and what its buttons do. */
export const useSignIn = ({ uid, details, fail }: ReadyInteraction) => {
  const navigate = useNavigate();
  const { t } = useTranslation();
  const { state } = useLocation();
  const [flow] = useState(() => ({ ...readFlowState(state), ...readHandover() }));
  const identifier = useDraft(flow.draft ?? flow.identifier ?? details.loginHint);
  const [method, setMethod] = useState<Method>(flow.method ?? readLastUsed().method ?? 'code');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<FormErrors<SignInField>>({});
  const [refusals, setRefusals] = useState(0);
  const [done, setDone] = useState(false);
  const [unknown, setUnknown] = useState<{ identifier: string; ticket: string | undefined }>();
  const [unsent, setUnsent] = useState<Problem>();
  const codeInput = useRef<HTMLInputElement>(null);
  const unheard = useUnheard(uid, fail);
  const codes = useSendCode('login', identifier.current);

  useEffect(dropHandover, []);
  const news = newsOf(flow);
  useEffect(() => {
    if (news) announce(t(news));
  }, [news, t]);

  /** Whoever comes back to this entry finds what was typed, but for secrets. */
  const keep = () => keepForReload({ draft: identifier.draft, method });
  const clearAll = () => {
    setErrors({});
    setUnsent(undefined);
  };
  const fields: SignInField[] = ['identifier', method];
  const show = (next: FormErrors<SignInField>) => {
    setErrors(next);
    // A wrong code is typed over at once; for all else the summary takes the focus.
    if (next.code && Object.keys(next).length === 1) {
      codeInput.current?.focus();
      codeInput.current?.select();
    } else {
      setRefusals((count) => count + 1);
    }
  };
  const refuse = (error: ApiError, sentTo?: string) => {
    codes.noteRefusal(error);
    if (error.code === 'interaction_expired') unheard.fail(error);
    else if (error.code === 'account_not_found' && sentTo) {
      clearAll();
      setUnknown({ identifier: sentTo, ticket: error.ticket });
    } else show(toFormErrors(error, fields));
  };

  const secretProblem = (value: string): Problem | undefined => {
    if (value) return undefined;
    return { code: method === 'code' ? 'code_blank' : 'password_blank' };
  };
  const submit = useSubmit(
    async (typedCode: string) => {
      const secret = method === 'code' ? typedCode : password;
      const checked = await identifier.check();
      const problem = secretProblem(secret);
      if ('error' in checked || problem) {
        show({
          ...('error' in checked && { identifier: { code: checked.error } }),
          ...(problem && { [method]: problem }),
        });
        return;
      }
      prepareDialog();
      clearAll();
      const proof = { identifier: checked.identifier, [method]: secret };
      const { returnTo } = await unheard
        .send(proof, (body) => call(interactionApi.login, { params: { uid }, body }))
        .catch((error: ApiError) => {
          refuse(error, checked.identifier);
          return { returnTo: undefined };
        });
      if (!returnTo) return;
      const { kind, country, dial } = identifier.draft;
      writeLastUsed(kind === 'phone' ? { method, kind, country, dial } : { method, kind });
      setDone(true);
      await leaveFor(returnTo);
      setDone(false);
    },
    (error) => refuse(error),
  );

  const sending = useSubmit(
    async () => {
      const checked = await identifier.check();
      if ('error' in checked) {
        setErrors({ identifier: { code: checked.error } });
        document.getElementById('identifier')?.focus();
        return;
      }
      clearAll();
      codeInput.current?.focus();
      try {
        await codes.send(checked.identifier);
        keep();
      } catch (cause) {
        const error = cause as ApiError;
        const isOfIdentifier = toFormErrors(error, ['identifier']).identifier !== undefined;
        if (error.code === 'account_not_found' || isOfIdentifier) refuse(error, checked.identifier);
        else setUnsent(error);
      }
    },
    (error) => refuse(error),
  );

  const clear = (field: SignInField) =>
    setErrors(({ [field]: _, form: __, ...rest }) => rest as FormErrors<SignInField>);

  return {
    identifier,
    method,
    setMethod: (next: Method) => {
      clearAll();
      setMethod(next);
    },
    code,
    setCode,
    codeInput,
    codes,
    password,
    setPassword,
    errors,
    unsent,
    /** What has just been done, on the page before. */
    news,
    fields,
    refusals,
    clear,
    refuse,
    submit,
    sending,
    done,
    unknown,
    closeUnknown: () => setUnknown(undefined),
    keep,
    register: () => {
      keep();
      navigate(flowUrl('/register', uid), {
        state: unknown?.ticket
          ? { draft: identifier.draft, step: 'password', ...unknown }
          : { draft: identifier.draft },
      });
    },
  };
};
