/** What a process gets in its environment so that its wall clock is off by `seconds`. */
export const shiftedBy = (seconds: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=${new URL('./shifted-clock.ts', import.meta.url).href}`,
  CLOCK_SHIFT_SECONDS: String(seconds),
});
