const DAY_SECONDS = 24 * 3600;

/** How long a session lives on after it was last used to sign in somewhere. */
const IDLE_SECONDS = 14 * DAY_SECONDS;

/** How long a session lives at most; after that the person signs in anew. */
export const SESSION_SECONDS = 90 * DAY_SECONDS;

/** Seconds that a session which is used now goes on. `createdAt` is undefined for a new session. */
export const remainingSeconds = (createdAt: number | undefined, now: number): number =>
  createdAt === undefined
    ? IDLE_SECONDS
    : Math.max(1, Math.min(IDLE_SECONDS, createdAt + SESSION_SECONDS - now));
