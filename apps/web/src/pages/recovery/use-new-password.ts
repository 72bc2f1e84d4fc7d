import type { OtherIdentifier } from '@candela/contract';
import { RECOVERY_PAGE } from '@candela/contract/pages';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ApiError, call } from '../../api/client.ts';
import { fetchInteraction, forgetInteraction } from '../../api/interaction-details.ts';
import { boot } from '../../boot.ts';
import { type FormErrors, toFormErrors } from '../../forms/form-errors.ts';
import { checkPassword } from '../../forms/password-rule.ts';
import { leaveFor, useSubmit } from '../../forms/use-submit.ts';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import { leaveHandover } from '../../interaction/handover.ts';

export type PasswordStepField = 'password' | 'repeated';

/** A request that ended together with the sessions of the old password leads nowhere. */
const isOver = async (uid: string): Promise<boolean> => {
  forgetInteraction(uid);
  return fetchInteraction(uid).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.code === 'interaction_expired',
  );
};

interface Proven {
  uid: string;
  identifier: string;
  ticket: string;
}

/** The last step of recovery: a password typed twice, then back to the sign-in. */
export const useNewPassword = ({ uid, identifier, ticket }: Proven) => {
  const navigate = useNavigate();
  const { draft } = readFlowState(useLocation().state);
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [withdraw, setWithdraw] = useState(false);
  const [dropped, setDropped] = useState<readonly OtherIdentifier['kind'][]>([]);
  const [errors, setErrors] = useState<FormErrors<PasswordStepField>>({});
  const [refusals, setRefusals] = useState(0);
  const [done, setDone] = useState(false);

  const show = (next: FormErrors<PasswordStepField>) => {
    setErrors(next);
    setRefusals((count) => count + 1);
  };
  const check = (): FormErrors<PasswordStepField> => {
    const problem = checkPassword(password, boot.passwordProfile);
    if (problem) return { password: { code: problem } };
    return password === repeated ? {} : { repeated: { code: 'passwords_differ' } };
  };

  const goOn = async () => {
    const state = { draft, method: 'password', changed: true } as const;
    if (uid && !(await isOver(uid))) return navigate(flowUrl('/login', uid), { replace: true, state });
    leaveHandover(state);
    return leaveFor('/login');
  };

  const saving = useSubmit(
    async () => {
      const problems = check();
      if (Object.keys(problems).length > 0) return show(problems);
      setErrors({});
      await call('POST /api/recovery/password', {
        body: {
          ticket,
          password,
          ...(withdraw && { withdrawAuthorizations: true }),
          ...(dropped.length > 0 && { dropIdentifiers: [...dropped] }),
        },
      });
      setDone(true);
      await goOn();
    },
    (error) => {
      if (error.code !== 'ticket_invalid') return show(toFormErrors(error, ['password']));
      // The proof is too old: back to the code, with the identifier kept.
      const state = { draft, step: 'code', identifier, expired: true };
      navigate(flowUrl(RECOVERY_PAGE, uid), { replace: true, state });
    },
  );

  return {
    password,
    setPassword,
    repeated,
    setRepeated,
    withdraw,
    toggleWithdraw: () => setWithdraw(!withdraw),
    dropped,
    toggleDropped: (kind: OtherIdentifier['kind']) =>
      setDropped(dropped.includes(kind) ? dropped.filter((one) => one !== kind) : [...dropped, kind]),
    errors,
    /** Takes back what is said about a field once it is mended. */
    recheck: (field: PasswordStepField) => {
      if (check()[field]) return;
      setErrors(({ [field]: _, ...rest }) => rest as FormErrors<PasswordStepField>);
    },
    refusals,
    saving,
    done,
    draft,
    fits: Object.keys(check()).length === 0,
  };
};
