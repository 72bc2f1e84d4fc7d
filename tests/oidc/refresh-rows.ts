import { judgeRefresh, type RefreshVerdict } from '@candela/server/oidc/refresh/window';

export type Mode = 'overlap' | 'rotate' | 'static';

const OVERLAP_SECONDS = 60 * 24 * 3600;

/** The rows of one family as a refresh leaves them, with tokens that never expire. The server's own function judges. */
export const createRows = (mode: Mode, startedAt: number) => {
  const rows: { createdAt: number; usedAt: number | undefined }[] = [
    { createdAt: startedAt, usedAt: undefined },
  ];
  let isAlive = true;

  const judge = (index: number, now: number): RefreshVerdict => {
    const successor = rows[index + 1];
    const presented = {
      endsAt: Infinity,
      successor: successor && {
        age: now - successor.createdAt,
        useAge: successor.usedAt === undefined ? undefined : now - successor.usedAt,
      },
    };
    return judgeRefresh(presented, { mode, overlapSeconds: OVERLAP_SECONDS, familyEnd: undefined }, now)
      .verdict;
  };

  return {
    get length() {
      return rows.length;
    },
    /** The verdict, and the index of the token in the answer, if any. */
    present: (index: number, now: number): { verdict: RefreshVerdict; successor?: number } => {
      if (!isAlive) return { verdict: 'over' };
      const verdict = judge(index, now);
      if (verdict === 'theft') isAlive = false;
      if (verdict !== 'issued' && verdict !== 'kept' && verdict !== 'repeated') return { verdict };
      const presented = rows[index];
      if (presented && index > 0) presented.usedAt ??= now;
      if (verdict === 'issued') rows.push({ createdAt: now, usedAt: mode === 'rotate' ? now : undefined });
      return { verdict, successor: verdict === 'kept' ? index : index + 1 };
    },
  };
};
