type RefreshMode = 'overlap' | 'rotate' | 'static';

const MINUTE = 60;
const DAY = 24 * 3600;

const GRACE_SECONDS = MINUTE;
const OVERLAP_SECONDS = 60 * DAY;

/** What has to come of presenting a refresh token. */
export type Expected =
  /** Tokens, with the token at this place of the family. */
  | { kind: 'issued'; successor: number }
  /** `invalid_grant`, and nothing changes. */
  | { kind: 'refused' }
  /** `invalid_grant`, and nothing of the family works any more. */
  | { kind: 'theft' };

interface Member {
  createdAt: number;
  /** When its predecessor ended. */
  usedAt: number | undefined;
}

/** How far from a bound the clocks of the model and of the database may be. */
const TOLERANCE = 10;
const isNear = (elapsed: number, bound: number) => Math.abs(elapsed - bound) <= TOLERANCE;

/** Refresh tokens of one link as the design describes them: each replaced the one before. Times are in seconds. */
export const createFamily = (mode: RefreshMode, startedAt: number) => {
  const members: Member[] = [{ createdAt: startedAt, usedAt: undefined }];
  let isAlive = true;

  const expected = (index: number, now: number): Expected => {
    const successor = members[index + 1];
    if (!isAlive) return { kind: 'refused' };
    if (mode === 'static') return { kind: 'issued', successor: index };
    if (!successor) return { kind: 'issued', successor: index + 1 };
    if (successor.usedAt !== undefined)
      return { kind: now - successor.usedAt < GRACE_SECONDS ? 'refused' : 'theft' };
    if (now - successor.createdAt >= OVERLAP_SECONDS) return { kind: 'refused' };
    return { kind: 'issued', successor: index + 1 };
  };

  return {
    get length() {
      return members.length;
    },
    get isAlive() {
      return isAlive;
    },
    expected,

    /** Whether what is expected of a token may change within the moment that asking takes. */
    isUnsure: (now: number): boolean =>
      members.some(({ createdAt, usedAt }) =>
        usedAt === undefined ? isNear(now - createdAt, OVERLAP_SECONDS) : isNear(now - usedAt, GRACE_SECONDS),
      ),

    /** Notes that the token at `index` was presented and all was written. */
    present: (index: number, now: number): Expected => {
      const outcome = expected(index, now);
      const member = members[index];
      if (outcome.kind === 'theft') isAlive = false;
      if (outcome.kind === 'issued' && member) {
        if (index > 0) member.usedAt ??= now;
        if (outcome.successor === members.length)
          members.push({ createdAt: now, usedAt: mode === 'rotate' ? now : undefined });
      }
      return outcome;
    },
  };
};

export type Family = ReturnType<typeof createFamily>;
