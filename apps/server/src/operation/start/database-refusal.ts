import { parseDatabaseUrl, redactDatabaseUrl } from '../../ground/db/database-url.ts';
import { StartError } from '../../ground/start-error.ts';

const roleOf = (url: string): string => {
  const { username } = new URL(parseDatabaseUrl(url).urls[0]);
  return username === '' ? 'its role' : `the role "${decodeURIComponent(username)}"`;
};

/**
 * What a database refuses to a process whatever it asks, as a StartError that says what is missing; any other error as
 * it is.
 * @param place the setting that leads to the database, and its value; undefined for the embedded database
 */
export const asDatabaseRefusal = (
  error: unknown,
  { setting, url }: { setting: string; url: string | undefined },
): unknown => {
  const { code, message } = error as { code?: unknown; message?: string };
  if (url === undefined) return error;
  const name = `${setting} ${redactDatabaseUrl(url)}`;
  // SQLSTATE insufficient_privilege.
  if (code === '42501')
    return new StartError(
      `${name}: ${roleOf(url)} lacks a right: ${message}. Name the role that owns Candela's tables, or make this one a member of it`,
      { cause: error },
    );
  // SQLSTATE read_only_sql_transaction.
  if (code === '25006')
    return new StartError(
      `${name}: the database takes no writes: ${message}. It is a standby, or default_transaction_read_only is on`,
      { cause: error },
    );
  return error;
};
