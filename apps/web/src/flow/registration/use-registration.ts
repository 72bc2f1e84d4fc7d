import type { ReturnTo } from '@candela/contract';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ApiError, call } from '../../shell/api/client.ts';
import { type FormErrors, toFormErrors } from '../../shell/forms/form-errors.ts';
import { leaveFor, useSubmit } from '../../shell/forms/use-submit.ts';
import { prepareDialog } from '../dialog/dialog.tsx';
import { flowUrl, readFlowState } from '../interaction/flow-links.ts';
import type { ReadyInteraction } from '../interaction/interaction-gate.tsx';
import { useUnheard } from '../interaction/use-unheard.ts';
import { type Agreed, agreed, isMissing } from './agreed.ts';

/** A phone or e-mail, with the ticket that stands for its code. */
export interface Proven {
  identifier: string;
  ticket: string;
}

interface RegistrationOptions<Field extends string> {
  /** Undefined where the account gets no contact that the person typed. */
  proven: Proven | undefined;
  /** The fields of the form, besides the agreements. */
  fields: readonly Field[];
  /** The dialog that is open at first. */
  first?: 'terms' | undefined;
  /** Sends the registration. The ticket may be newer than that of `proven`. */
  send: (agreements: Agreed, proven: Proven | undefined) => Promise<ReturnTo>;
  /** Handles a refusal that the page does not show as an error. */
  handles?: (error: ApiError) => boolean;
  onErrors?: (errors: FormErrors<Field | 'agreements'>) => void;
}

/** Handles refusals: each changes the ticket, the errors, the open dialog or the page. */
const useRefusal = <Field extends string>(
  { uid, fail }: ReadyInteraction,
  { proven, fields, first, handles, onErrors }: RegistrationOptions<Field>,
) => {
  const navigate = useNavigate();
  const here = useLocation();
  const { draft } = readFlowState(here.state);
  const [ticket, setTicket] = useState(proven?.ticket ?? '');
  const [errors, setErrors] = useState<FormErrors<Field | 'agreements'>>({});
  const [dialog, setDialog] = useState<'terms' | 'taken' | undefined>(first);
  const unheard = useUnheard(uid, fail);

  const refuse = (error: ApiError) => {
    if (unheard.note(error).code === 'interaction_expired') return unheard.fail(error);
    if (handles?.(error)) return;
    if (error.ticket) setTicket(error.ticket);
    if (error.code === 'identifier_taken' && error.ticket) return setDialog('taken');
    const next = toFormErrors<Field | 'agreements'>(error, [...fields, 'agreements']);
    setErrors(next);
    if (next.agreements) return;
    setDialog(undefined);
    if (error.code === 'ticket_invalid' && proven) {
      // The ticket has expired: back to the step of the code, with the same identifier.
      const state = { draft, step: 'code', identifier: proven.identifier, expired: true };
      navigate(flowUrl(here.pathname, uid), { replace: true, state });
    } else onErrors?.(next);
  };
  return { draft, ticket, setTicket, errors, setErrors, dialog, setDialog, refuse };
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

/** The last step of a registration: the agreements, and the request that creates the account. */
export const useRegistration = <Field extends string>(
  interaction: ReadyInteraction,
  options: RegistrationOptions<Field>,
) => {
  const { uid, details, renew } = interaction;
  const { proven, send } = options;
  const { draft, ticket, setTicket, errors, setErrors, dialog, setDialog, refuse } = useRefusal(
    interaction,
    options,
  );
  const { done, leave } = useLeaving();
  const openTerms = () => {
    prepareDialog();
    setErrors({});
    setDialog('terms');
  };

  const register = useSubmit(async (accepted: readonly string[]) => {
    if (isMissing(details.agreements, accepted))
      return setErrors({ agreements: { code: 'agreements_required' } } as FormErrors<Field | 'agreements'>);
    setErrors({});
    try {
      const { returnTo } = await send(agreed(details.agreements, accepted), proven && { ...proven, ticket });
      await leave(returnTo);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'agreements_required')) throw error;
      // All was agreed to that the page showed: there are new editions since.
      if (error.ticket) setTicket(error.ticket);
      await renew();
      setErrors({ agreements: { code: 'agreements_changed' } } as FormErrors<Field | 'agreements'>);
    }
  }, refuse);

  const signInInstead = useSubmit(async () => {
    const { returnTo } = await call('POST /interaction/:uid/login', {
      params: { uid },
      body: { identifier: proven?.identifier ?? '', ticket },
    });
    await leave(returnTo);
  }, refuse);

  return {
    errors,
    setErrors,
    dialog,
    openTerms,
    closeDialog: () => setDialog(undefined),
    register,
    signInInstead,
    done,
    draft,
  };
};
