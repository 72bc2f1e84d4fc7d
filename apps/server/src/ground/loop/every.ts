import { setTimeout } from 'node:timers/promises';

export interface Loop {
  /** Starts no more work, aborts the signal of work under way, and resolves when that work has ended. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  /** Hears why work failed; the loop goes on. */
  onFailure: (error: unknown) => void;
  /** Works at once, and not only after the first pause. */
  atOnce?: boolean;
  /** The pause after work that failed; as long as any other unless given. */
  retrySeconds?: number;
  /** Resolves after so long, or as soon as the signal aborts. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The longest timer that Node has, 24.8 days: a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A pause that neither keeps the process alive nor ends in an error. */
const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  setTimeout(Math.min(milliseconds, LONGEST_MS), undefined, { ref: false, signal }).catch(() => undefined);

/**
 * Works again and again until stopped, with a pause of `seconds` from the end of one work to the start of the next:
 * no two overlap.
 */
export const every = (
  seconds: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  { onFailure, atOnce = false, retrySeconds = seconds, pause = sleep }: LoopOptions,
): Loop => {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Works, and answers for how many seconds to pause. */
  const workOnce = async (): Promise<number> => {
    try {
      await work(signal);
      return seconds;
    } catch (error) {
      onFailure(error);
      return retrySeconds;
    }
  };
  const run = async () => {
    if (!atOnce) await pause(seconds * 1_000, signal);
    while (!signal.aborted) await pause((await workOnce()) * 1_000, signal);
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
