import type { SecondFactorWay } from '@candela/contract';
import { RECOVERY_PAGE } from '@candela/contract/pages';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ApiError, call } from '../../api/client.ts';
import { fetchInteraction, forgetInteraction } from '../../api/interaction-details.ts';
import { leaveFor, useSubmit } from '../../forms/use-submit.ts';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import { leaveHandover } from '../../interaction/handover.ts';
import { useRepeatedPassword } from '../../new-password/use-repeated-password.ts';
import { useSecondFactor } from '../../second-factor/use-second-factor.ts';

/** Whether the request is over: a new password also ends the requests of the old sessions. */
const isOver = async (uid: string): Promise<boolean> => {
  forgetInteraction(uid);
  return fetchInteraction(uid).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.code === 'interaction_expired',
  );
};

const isKind = (key: string): key is 'phone' | 'email' => key === 'phone' || key === 'email';

/** The kinds of identifiers and the ids of passkeys, as the request names them. */
const toDrop = (keys: readonly string[]) => {
  const dropIdentifiers = keys.filter(isKind);
  const dropPasskeys = keys.filter((key) => !isKind(key));
  return {
    ...(dropIdentifiers.length > 0 && { dropIdentifiers }),
    ...(dropPasskeys.length > 0 && { dropPasskeys }),
  };
};

interface Proven {
  uid: string;
  identifier: string;
  ticket: string;
  /** The second factors that the account has. */
  factors: readonly SecondFactorWay[];
}

/** The last step of recovery: a password typed twice, then back to the sign-in. */
export const useNewPassword = ({ uid, identifier, ticket, factors }: Proven) => {
  const navigate = useNavigate();
  const { draft } = readFlowState(useLocation().state);
  const entry = useRepeatedPassword('password');
  const factor = useSecondFactor(factors);
  const [withdraw, setWithdraw] = useState(false);
  const [dropped, setDropped] = useState<readonly string[]>([]);
  const [done, setDone] = useState(false);

  const goOn = async () => {
    const state = { draft, method: 'password', changed: true } as const;
    if (uid && !(await isOver(uid))) return navigate(flowUrl('/login', uid), { replace: true, state });
    leaveHandover(state);
    return leaveFor('/login');
  };

  const save = (factorBody: object) =>
    call('POST /api/recovery/password', {
      body: {
        ticket,
        password: entry.password,
        ...(withdraw && { withdrawAuthorizations: true }),
        ...toDrop(dropped),
        ...factorBody,
      },
    }).then(() => true);

  const saving = useSubmit(
    async (code?: string) => {
      if (!entry.accept()) return;
      const options = () => call('POST /api/recovery/options', { body: { ticket } });
      if (!(await (factors.length > 0 ? factor.send(save, options, code) : save({})))) return;
      setDone(true);
      await goOn();
    },
    (error) => {
      if (factor.isOfFactor(error)) return factor.refuse(error);
      if (error.code !== 'ticket_invalid') return entry.refuse(error);
      // The ticket has expired: back to the step of the code, with the same identifier.
      const state = { draft, step: 'code', identifier, expired: true };
      navigate(flowUrl(RECOVERY_PAGE, uid), { replace: true, state });
    },
  );

  return {
    entry,
    factor,
    withdraw,
    toggleWithdraw: () => setWithdraw(!withdraw),
    dropped,
    toggleDropped: (key: string) =>
      setDropped(dropped.includes(key) ? dropped.filter((other) => other !== key) : [...dropped, key]),
    saving,
    done,
    draft,
  };
};
