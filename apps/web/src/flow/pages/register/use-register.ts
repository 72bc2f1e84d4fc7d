import type { Agreement } from '@candela/contract';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ApiError, call } from '../../../shell/api/client.ts';
import { boot } from '../../../shell/boot.ts';
import { type FormErrors, toFormErrors } from '../../../shell/forms/form-errors.ts';
import { leaveFor, useSubmit } from '../../../shell/forms/use-submit.ts';
import { prepareDialog } from '../../dialog/dialog.tsx';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import type { ReadyInteraction } from '../../interaction/interaction-gate.tsx';
import { useUnheard } from '../../interaction/use-unheard.ts';
import { checkPassword } from '../../new-password/password-rule.ts';

type Field = 'password' | 'agreements';

/** Whether a required separate agreement is not ticked. */
const isMissing = (agreements: readonly Agreement[], ticked: readonly string[]): boolean =>
  agreements.some(({ id, required, separate }) => required && separate && !ticked.includes(id));

/** The agreements that the registration accepts: all agreements without a checkbox, and the ticked agreements. */
const agreed = (agreements: readonly Agreement[], ticked: readonly string[]) =>
  agreements
    .filter(({ id, separate }) => !separate || ticked.includes(id))
    .map(({ id, version }) => ({ id, version }));

/** Handles refusals: each changes the ticket, the errors, the open dialog or the page. */
const useRefusal = ({ uid, fail }: ReadyInteraction, identifier: string, firstTicket: string) => {
  const navigate = useNavigate();
  const { draft } = readFlowState(useLocation().state);
  const [ticket, setTicket] = useState(firstTicket);
  const [errors, setErrors] = useState<FormErrors<Field>>({});
  const [dialog, setDialog] = useState<'terms' | 'taken'>();
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
      // The ticket has expired: back to the step of the code, with the same identifier.
      const state = { draft, step: 'code', identifier, expired: true };
      navigate(flowUrl('/register', uid), { replace: true, state });
    } else if (next.password) {
      requestAnimationFrame(() => input.current?.focus());
    }
  };
  return { draft, ticket, setTicket, errors, setErrors, dialog, setDialog, input, refuse };
};

/** Leaves for the app; `done` while the browser is on its way there. */
const useLeaving = () => {
  const [done, setDone] = useState(false);
  const leave = async (returnTo: string) => {
    setDone(true);
    await leaveFor(returnTo);
    setDone(false);
  };
  return { done, leave };
};

/** The last step of the registration: the password, the agreements, and the request that creates the account. */
export const useRegister = (interaction: ReadyInteraction, identifier: string, firstTicket: string) => {
  const { uid, details, renew } = interaction;
  const [password, setPassword] = useState('');
  const { draft, ticket, setTicket, errors, setErrors, dialog, setDialog, input, refuse } = useRefusal(
    interaction,
    identifier,
    firstTicket,
  );
  const { done, leave } = useLeaving();

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
    if (isMissing(details.agreements, accepted))
      return setErrors({ agreements: { code: 'agreements_required' } });
    setErrors({});
    const agreements = agreed(details.agreements, accepted);
    const body = { identifier, ticket, password, agreements };
    try {
      const { returnTo } = await call('POST /interaction/:uid/register', { params: { uid }, body });
      await leave(returnTo);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'agreements_required')) throw error;
      // All was agreed to that the page showed: there are new editions since.
      if (error.ticket) setTicket(error.ticket);
      await renew();
      setErrors({ agreements: { code: 'agreements_changed' } });
    }
  }, refuse);

  const signInInstead = useSubmit(async () => {
    const { returnTo } = await call('POST /interaction/:uid/login', {
      params: { uid },
      body: { identifier, ticket },
    });
    await leave(returnTo);
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
