import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type ApiError, call } from '../../api/client.ts';
import { boot } from '../../boot.ts';
import { prepareDialog } from '../../dialog/dialog.tsx';
import { type FormErrors, toFormErrors } from '../../forms/form-errors.ts';
import { checkPassword } from '../../forms/password-rule.ts';
import { leaveFor, useSubmit } from '../../forms/use-submit.ts';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { useUnheard } from '../../interaction/use-unheard.ts';

type Field = 'password' | 'agreements';

/** The last step of registering: a password, then the agreements, then the account. */
export const useRegister = (
  { uid, details, fail }: ReadyInteraction,
  identifier: string,
  firstTicket: string,
) => {
  const navigate = useNavigate();
  const { draft } = readFlowState(useLocation().state);
  const [password, setPassword] = useState('');
  const [ticket, setTicket] = useState(firstTicket);
  const [errors, setErrors] = useState<FormErrors<Field>>({});
  const [dialog, setDialog] = useState<'terms' | 'taken'>();
  const [done, setDone] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const unheard = useUnheard(uid, fail);

  const refuse = (error: ApiError) => {
    if (unheard.note(error).code === 'interaction_expired') return unheard.fail(error);
    if (error.ticket) setTicket(error.ticket);
    if (error.code === 'identifier_taken' && error.ticket) return setDialog('taken');
    const next = toFormErrors<Field>(error, ['password', 'agreements']);
    setErrors(next);
    if (next.agreements) return;
    setDialog(undefined);
    if (error.code === 'ticket_invalid') {
      // The proof is too old: back to the code, with the identifier kept.
      const state = { draft, step: 'code', identifier, expired: true };
      navigate(flowUrl('/register', uid), { replace: true, state });
    } else if (next.password) {
      requestAnimationFrame(() => input.current?.focus());
    }
  };

  const openTerms = () => {
    const problem = checkPassword(password, boot.passwordProfile);
    if (problem) {
      setErrors({ password: { code: problem } });
      input.current?.focus();
      return;
    }
    prepareDialog();
    setErrors({});
    setDialog('terms');
  };

  const register = useSubmit(async (accepted: readonly string[]) => {
    const missing = details.agreements.some(
      ({ id, required, separate }) => required && separate && !accepted.includes(id),
    );
    if (missing) {
      setErrors({ agreements: { code: 'agreements_required' } });
      return;
    }
    setErrors({});
    const { returnTo } = await call('POST /interaction/:uid/register', {
      params: { uid },
      body: {
        identifier,
        ticket,
        password,
        agreements: details.agreements
          .filter(({ id, separate }) => !separate || accepted.includes(id))
          .map(({ id, version }) => ({ id, version })),
      },
    });
    setDone(true);
    await leaveFor(returnTo);
    setDone(false);
  }, refuse);

  const signInInstead = useSubmit(async () => {
    const { returnTo } = await call('POST /interaction/:uid/login', {
      params: { uid },
      body: { identifier, ticket },
    });
    setDone(true);
    await leaveFor(returnTo);
    setDone(false);
  }, refuse);

  return {
    password,
    setPassword,
    errors,
    clearErrors: () => setErrors({}),
    input,
    dialog,
    closeDialog: () => setDialog(undefined),
    openTerms,
    register,
    signInInstead,
    done,
    draft,
  };
};
