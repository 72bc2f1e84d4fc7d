import type { CodePurpose } from '@candela/contract';

/** The times of the code that was sent last, by this computer’s clock. */
export interface CodeTimer {
  /** Epoch milliseconds from which another code may be asked for. */
  resendAt: number;
  expiresAt: number;
  /** The number of codes sent in a row. */
  sent: number;
  /** The server refused the last code for good. */
  spent?: boolean;
}

const keyOf = (purpose: CodePurpose, identifier: string) => `candela.code.${purpose}.${identifier}`;

/** Reads the countdown of an identifier from the session storage, where it survives a reload and Back. */
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
