import { AsyncLocalStorage } from 'node:async_hooks';

/** The database was not asked, or did not answer in time. */
export class OutageError extends Error {
  override readonly name = 'OutageError';
}

/**
 * SQLSTATE of a database that cannot do its work now, although nothing is wrong with what it was asked:
 * - 08, 53, 57: the connection is lost, resources are short, somebody stops it or it took too long (57014);
 * - 25006: a standby, or switched to read-only; 25P02 is what follows in the same transaction;
 * - 25P03, 25P04: the transaction waited too long for this process;
 * - 40001, 40P01: other transactions were in the way at every try;
 * - 55P03: somebody holds a lock for too long;
 * - 58: its disk fails.
 * Not 3D000 or 28: a wrong name of the database or a wrong password does not pass by itself.
 */
const OUTAGE_STATES = /^(08|53|57|58|25006|25P0[234]|40001|40P01|55P03)/;

const UNREACHABLE = /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_)/;

/** Errors of pg and Kysely that have no code, for a connection that is gone or cannot be had. */
const LOST_CONNECTION =
  /^(Connection terminated|timeout expired|Client (has encountered a connection error|was closed) and is not queryable|Postgres connection has been discarded)/;

/** Whether an error means that the database could not be reached, is overloaded, read-only or shutting down. */
export const isOutage = (error: unknown): boolean => {
  if (error instanceof OutageError) return true;
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string' && (OUTAGE_STATES.test(code) || UNREACHABLE.test(code))) return true;
  // A name with several addresses, none of which answers.
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  return error instanceof Error && LOST_CONNECTION.test(error.message);
};

/** Holds the first outage that a statement meets. */
export interface OutageWatch {
  outage: unknown;
}

const watches = new AsyncLocalStorage<OutageWatch>();

/** Notes the first outage that a statement meets during `work` on the watch, whether or not its error is caught. */
export const watchOutages = <T>(watch: OutageWatch, work: () => T): T => watches.run(watch, work);

/** The watch under which this work is done. */
export const currentWatch = (): OutageWatch | undefined => watches.getStore();

/** The outage that this work has met: another statement would only fail later. */
export const outageMet = (): unknown => watches.getStore()?.outage;

/** Notes an error of the database on the watch under which it occurs. */
export const noteOutage = (error: unknown): void => {
  const watch = watches.getStore();
  if (watch && isOutage(error)) watch.outage ??= error;
};
