type RefreshMode = 'overlap' | 'rotate' | 'static';

const MINUTE = 60;
const DAY = 24 * 3600;

const GRACE_SECONDS = MINUTE;
const OVERLAP_SECONDS = 60 * DAY;

/** The expected outcome of presenting a refresh token. */
export type Expected =
  /** Tokens, with the refresh token at this index of the family. */
  | { kind: 'issued'; successor: number }
  /** `invalid_grant`, and nothing changes. */
  | { kind: 'refused' }
  /** `invalid_grant`, and the whole family ends. */
  | { kind: 'theft' };

interface Member {
  createdAt: number;
  /** The time at which its predecessor ended. */
  usedAt: number | undefined;
}

/** The distance from a bound within which the clocks of the model and of the database may differ. */
const TOLERANCE = 10;
const isNear = (elapsed: number, bound: number) => Math.abs(elapsed - bound) <= TOLERANCE;

/** A model of the refresh tokens of one link: each token replaced the one before. Times are in seconds. */
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
    if (now - successor.createdAt >= OVERLAP_SECONDS) return { kind: 'theft' };
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

    /** Whether the expected outcome may change while the request runs. */
    isUnsure: (now: number): boolean =>
      members.some(({ createdAt, usedAt }) =>
        usedAt === undefined ? isNear(now - createdAt, OVERLAP_SECONDS) : isNear(now - usedAt, GRACE_SECONDS),
      ),

    /** Records that the token at `index` was presented and everything was written. */
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
