/** Values of `problem` in the address of the page that connects a device. With `limited`, `retry_after` is in seconds. */
export const deviceProblems = ['blank', 'unknown', 'expired', 'used', 'limited', 'stale', 'ended'] as const;
export type DeviceProblem = (typeof deviceProblems)[number];
