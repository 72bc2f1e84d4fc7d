/** What pg says, without a code, of a connection that is gone or cannot be had. */
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after)/;

/** Whether an error means that the database could not be reached, is overloaded or shutting down (SQLSTATE classes 08, 53, 57). */
export const isOutage = (error: unknown): boolean => {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string' && /^(08|53|57)/.test(code)) return true;
  if (typeof code === 'string' && /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|AI_)/.test(code)) return true;
  return error instanceof Error && LOST_CONNECTION.test(error.message);
};
