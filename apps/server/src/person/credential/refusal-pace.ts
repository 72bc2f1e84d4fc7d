import { setTimeout as wait } from 'node:timers/promises';

const CEILING_MS = 2_000;
/** How fast a single slow comparison is forgotten. */
const FADE = 0.98;

/**
 * Makes all refusals as slow as those of imported hashes, which cost more than our own; otherwise the time would show
 * that there is an account. It costs a wait and no work, and nothing where nothing was imported.
 */
export const createRefusalPace = () => {
  let slowestMs = 0;
  return {
    /** Waits for the rest of a refusal whose comparison took `ms`. */
    even: async (ms: number, isImported: boolean): Promise<void> => {
      if (isImported) slowestMs = Math.min(CEILING_MS, Math.max(ms, slowestMs * FADE));
      const rest = slowestMs - ms;
      if (rest > 0.5) await wait(rest);
    },
  };
};
