import type { CodePurpose } from '@candela/contract';

/** When a code was sent and how long it holds, by this computer’s clock. */
export interface CodeTimer {
  /** Epoch milliseconds from which another code may be asked for. */
  resendAt: number;
  expiresAt: number;
  /** How many were sent in a row. */
  sent: number;
  /** The last one was refused for good: it works no longer. */
  spent?: boolean;
}

const keyOf = (purpose: CodePurpose, identifier: string) => `candela.code.${purpose}.${identifier}`;

/** The countdown of an identifier outlives a reload and the way back. */
export const readCodeTimer = (
  purpose: CodePurpose,
  identifier: string,
  now: number,
): CodeTimer | undefined => {
  try {
    const timer = JSON.parse(
      sessionStorage.getItem(keyOf(purpose, identifier)) ?? 'null',
    ) as CodeTimer | null;
    return timer && timer.expiresAt > now ? timer : undefined;
  } catch {
    return undefined;
  }
};

export const writeCodeTimer = (purpose: CodePurpose, identifier: string, timer: CodeTimer): void => {
  try {
    sessionStorage.setItem(keyOf(purpose, identifier), JSON.stringify(timer));
  } catch {
    // Storage may be blocked: the server keeps its own count.
  }
};
