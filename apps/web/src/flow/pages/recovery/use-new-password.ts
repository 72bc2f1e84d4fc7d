import { RECOVERY_PAGE } from '@candela/contract/pages';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ApiError, call } from '../../../shell/api/client.ts';
import { fetchInteraction, forgetInteraction } from '../../../shell/api/interaction-details.ts';
import { leaveFor, useSubmit } from '../../../shell/forms/use-submit.ts';
import { openPage } from '../../../shell/navigation/open-page.ts';
import { flowUrl, readFlowState } from '../../interaction/flow-links.ts';
import { leaveHandover } from '../../interaction/handover.ts';
import { useRepeatedPassword } from '../../new-password/use-repeated-password.ts';
import { everyFactor } from './second-factors.ts';

/** Whether the request is over: a new password also ends the requests of the old sessions. */
const isOver = async (uid: string): Promise<boolean> => {
  forgetInteraction(uid);
  return fetchInteraction(uid).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.code === 'interaction_expired',
  );
};

const isKind = (key: string): key is 'phone' | 'email' => key === 'phone' || key === 'email';

const idsOf = (keys: readonly string[], kind: 'passkey' | 'provider'): string[] =>
  keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1));

/** The kinds of identifiers, and the ids of passkeys and providers, as the request names them. */
const toDrop = (keys: readonly string[]) => {
  const dropIdentifiers = keys.filter(isKind);
  const dropPasskeys = idsOf(keys, 'passkey');
  const dropProviders = idsOf(keys, 'provider');
  return {
    ...(dropIdentifiers.length > 0 && { dropIdentifiers }),
    ...(dropPasskeys.length > 0 && { dropPasskeys }),
    ...(dropProviders.length > 0 && { dropProviders }),
  };
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
  const entry = useRepeatedPassword('password');
  const [withdraw, setWithdraw] = useState(false);
  const [dropped, setDropped] = useState<readonly string[]>([]);
  const [done, setDone] = useState(false);

  const goOn = async () => {
    const state = { draft, method: 'password', changed: true } as const;
    const page = flowUrl('/login', uid);
    if (uid && !(await isOver(uid)))
      return openPage(page, () => navigate(page, { replace: true, state }), { carries: true });
    leaveHandover(state);
    return leaveFor('/login');
  };

  const goTo = (state: object) =>
    navigate(flowUrl(RECOVERY_PAGE, uid), { replace: true, state: { draft, identifier, ...state } });

  const saving = useSubmit(
    async () => {
      if (!entry.accept()) return;
      await call('POST /api/recovery/password', {
        body: {
          ticket,
          password: entry.password,
          ...(withdraw && { withdrawAuthorizations: true }),
          ...toDrop(dropped),
        },
      });
      setDone(true);
      await goOn();
    },
    (error) => {
      // The ticket has expired: back to the step of the code, with the same identifier.
      if (error.code === 'ticket_invalid') goTo({ step: 'code', expired: true });
      // The factor is newer than this step, or an outage kept its question back.
      else if (error.code === 'second_factor_required')
        goTo({ step: 'password', ticket, factors: everyFactor });
      else entry.refuse(error);
    },
  );

  return {
    entry,
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
