/**
 * What `problem` says in the address of the page that connects a device; `retry_after` has the seconds to wait
 * beside `limited`.
 */
export const deviceProblems = ['blank', 'unknown', 'expired', 'used', 'limited', 'stale', 'ended'] as const;
export type DeviceProblem = (typeof deviceProblems)[number];
