import * as z from 'zod/mini';

/** The body of a request: one call of `candela`. */
export const SentCall = z.strictObject({
  /** The words of the call, without the programs. */
  argv: z.array(z.string()),
  /** The directory against which the caller's files resolve. */
  cwd: z.string(),
  /** Whether the caller's standard error is a terminal. */
  isTerminal: z.boolean(),
  /** Who calls; absent in calls of the release before. */
  by: z.optional(z.strictObject({ user: z.string(), host: z.string() })),
});
export type SentCall = z.infer<typeof SentCall>;

/** A line of the answer: text for the caller's standard output or error, and at last the exit status. */
export const Frame = z.union([
  z.strictObject({ out: z.string() }),
  z.strictObject({ error: z.string() }),
  z.strictObject({ exit: z.union([z.literal(0), z.literal(1), z.literal(2)]) }),
]);
export type Frame = z.infer<typeof Frame>;
