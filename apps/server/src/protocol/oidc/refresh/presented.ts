import type { RefreshMode } from '../../../clients/client/policy-metadata.ts';
import type { Term } from '../storage/grant-slide.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import type { RefreshVerdict } from './window.ts';

/** The refresh token that a request presents, as it was when it was read. */
export interface PresentedRefreshToken {
  predecessor: string;
  mode: RefreshMode;
  verdict: RefreshVerdict;
  /** Whether its use makes it last longer: its client may go on presenting it for good. */
  lasts: boolean;
  /** How long it stays good beside an unused successor. */
  overlapSeconds: number;
  /** The absolute end of the family; undefined: it lasts as long as it is used. */
  term: Term | undefined;
  /** The token's successor, sealed for who holds the token, and its end in seconds since the epoch. */
  successor?: { sealedValue: string; endsAt: number };
}

const presented = new WeakMap<UnitOfWork, PresentedRefreshToken>();

/** Notes the refresh token that the request of the unit presents. */
export const notePresented = (unit: UnitOfWork, token: PresentedRefreshToken): void => {
  presented.set(unit, token);
};

/** The refresh token that the request of the unit presents; undefined where it presents none. */
export const presentedIn = (unit: UnitOfWork): PresentedRefreshToken | undefined => presented.get(unit);
