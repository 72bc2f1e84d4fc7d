/**
 * The environment of a process whose wall clock is off by `seconds`. Its engine, JWTs and log use that clock; the
 * database's time and `performance.now()` stay right.
 */
export const shiftedBy = (seconds: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('./shifted-clock.ts', import.meta.url).href}`,
  CLOCK_SHIFT_SECONDS: String(seconds),
});
