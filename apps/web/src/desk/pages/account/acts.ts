import type { ActDone, DeskAccount, DeskAct, DeskActState } from '@candela/contract';
import { createContext, useContext } from 'react';

/** An act that somebody is about to do. */
export interface WantedAct {
  act: DeskAct;
  /** The approval of an app that is to be withdrawn, and the name of the app. */
  authorization?: { id: string; app: string };
  /** The contact that is chosen beforehand. */
  contact?: 'phone' | 'email';
}

export interface DoneAct {
  act: DeskAct;
  result: ActDone;
}

interface Acts {
  account: DeskAccount;
  /** Opens the dialog of an act. */
  ask: (wanted: WantedAct) => void;
}

export const ActsContext = createContext<Acts | undefined>(undefined);

/** The acts on the account of the page. */
export const useActs = (): Acts => {
  const acts = useContext(ActsContext);
  if (!acts) throw new Error('There is no account');
  return acts;
};

/** Acts for which this account has nothing now. */
const idle: Partial<Record<DeskAct, (account: DeskAccount) => boolean>> = {
  'end-sessions': ({ sessions }) => sessions.length === 0,
  'lift-limits': ({ signIn }) => !signIn.states.some(({ kind }) => kind.endsWith('_tries')),
  'remove-factor': ({ ways }) => !ways.factor,
  'stop-removal': ({ signIn }) => !signIn.states.some(({ kind }) => kind === 'recovery_waits'),
};

/** Why an act is off; undefined where it can be done. */
export const offOf = (account: DeskAccount, act: DeskAct): DeskActState['off'] => {
  if (idle[act]?.(account)) return 'nothing_to_do';
  return account.acts.find((state) => state.act === act)?.off;
};
