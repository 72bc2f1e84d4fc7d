import type { RefreshPolicy } from './policy.ts';

/** For so long after the first use of a successor its predecessor is a late duplicate of an honest client. */
export const GRACE_SECONDS = 60;

/** A refresh token as its row and the row of its successor show it. */
export interface PresentedToken {
  /** When it ends by itself, in seconds since the epoch. */
  endsAt: number;
  /** The token that replaced it. Ages are in whole seconds. */
  successor:
    | {
        /** Since it was issued. */
        age: number;
        /** Since its first use; undefined while it was not used. */
        useAge: number | undefined;
      }
    | undefined;
}

/** What presenting a refresh token comes to. */
export type RefreshVerdict =
  /** A successor is issued, good from now on. */
  | 'issued'
  /** The token stays, and lasts longer. */
  | 'kept'
  /** The successor that it has is answered once more. */
  | 'repeated'
  /** `invalid_grant`, and nothing changes: its successor was first used a moment ago. */
  | 'late'
  /** `invalid_grant`, and nothing changes: its lifetime or its family's is over. */
  | 'over'
  /** `invalid_grant`, and the family ends: its successor was first used longer ago, or the overlap with it is over. */
  | 'theft';

export interface RefreshJudgement {
  verdict: RefreshVerdict;
  /** Until when the token is good unless its successor is used before, in seconds since the epoch. */
  goodUntil: number;
}

/**
 * Decides what presenting a refresh token comes to (docs/decisions/014-refresh-modes.md). A predecessor is good until
 * its successor is first used, within the overlap of its policy; presented after either it is theft, but for the grace
 * that follows the use. Whoever presents it is refused in any case, so an honest client loses nothing by the end of the
 * family; who holds the successor, which that client never received, does. No token is good longer than its family.
 *
 * The database settles what parallel requests make of the same verdict, by three conditions: one successor for each
 * predecessor (the unique index on `predecessor_hash`), the time of the first use stays (`first_used_at is null`), and
 * nothing is written under a grant that is gone.
 * @param now in seconds since the epoch, by the clock that wrote the times.
 */
export const judgeRefresh = (
  { endsAt, successor }: PresentedToken,
  { mode, overlapSeconds, familyEnd = Infinity }: Omit<RefreshPolicy, 'term'>,
  now: number,
): RefreshJudgement => {
  const end = Math.min(endsAt, familyEnd);
  const isReplaced = successor?.useAge !== undefined;
  const overlapEnd = successor && !isReplaced ? now + overlapSeconds - successor.age : Infinity;
  const verdict = (): RefreshVerdict => {
    if (successor?.useAge !== undefined && successor.useAge < GRACE_SECONDS) return 'late';
    if (end <= now) return 'over';
    if (isReplaced || overlapEnd <= now) return 'theft';
    if (successor) return 'repeated';
    return mode === 'static' ? 'kept' : 'issued';
  };
  // The engine asks whether a token has ended before it asks whether it was used: a theft is told as one.
  return { verdict: verdict(), goodUntil: overlapEnd > now ? Math.min(end, overlapEnd) : end };
};
