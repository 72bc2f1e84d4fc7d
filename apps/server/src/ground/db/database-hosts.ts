import { type DatabaseUrl, parseDatabaseUrl, type SessionAttributes } from './database-url.ts';
import { isOutage, OutageError } from './outage.ts';

/** Less than a statement waits for a connection, so that the next host is tried in that time. */
const CONNECT_MS_OF_SEVERAL = 2_000;
const CONNECT_MS = 4_000;
/** SQLSTATE too_many_connections: another host would not help, the connections that are open do. */
const TOO_MANY = '53300';

/** How to connect to one host. */
export interface HostConnection {
  connectionString: string;
  connectionTimeoutMillis: number;
}

/** A connection that can be asked what its server does. */
interface Asked {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>;
}

/** The hosts of which one serves; any of them may be it after a failover. */
export interface DatabaseHosts {
  /**
   * Connects to the host that served last, or else to the next that serves. A standby is passed over.
   * @param connect connects to one host
   * @param refuse closes a connection that is of no use
   * @throws what the only host answered; OutageError where none of several serves; what a host answered that is there
   *   and refuses the user, the password or the database
   */
  connect<Client extends Asked>(
    connect: (host: HostConnection) => Promise<Client>,
    refuse: (client: Client) => void,
  ): Promise<Client>;
  /** Whether a connection is of no more use once its server is found read-only: another host may take writes. */
  readonly mustWrite: boolean;
}

/** Each question is answered `on` or `off`; `on` passes the host over. */
const QUESTIONS: Record<Exclude<SessionAttributes, 'any'>, string> = {
  'read-write': `select current_setting('transaction_read_only') as standby`,
  primary: `select case when pg_is_in_recovery() then 'on' else 'off' end as standby`,
};

const requireServing = async (client: Asked, attributes: SessionAttributes): Promise<void> => {
  if (attributes === 'any') return;
  const { rows } = await client.query(QUESTIONS[attributes]);
  if (rows[0]?.standby !== 'off') throw new OutageError('takes no writes');
};

const reasonOf = (error: unknown): string =>
  error instanceof AggregateError ? reasonOf(error.errors[0]) : (error as Error).message;

/** Whether to try the next host: a wrong password is the same everywhere. */
const passesOver = (error: unknown) => isOutage(error) && (error as { code?: string }).code !== TOO_MANY;

export const createDatabaseHosts = (databaseUrl: string): DatabaseHosts => {
  const { urls, attributes, connectSeconds }: DatabaseUrl = parseDatabaseUrl(databaseUrl);
  const isOne = urls.length === 1;
  const usualMs = isOne ? CONNECT_MS : CONNECT_MS_OF_SEVERAL;
  const connectionTimeoutMillis = connectSeconds === undefined ? usualMs : connectSeconds * 1000;
  let serving = urls[0];

  return {
    mustWrite: attributes !== 'any',
    connect: async (connect, refuse) => {
      const start = urls.indexOf(serving);
      const failures: string[] = [];
      for (const connectionString of [...urls.slice(start), ...urls.slice(0, start)]) {
        try {
          const client = await connect({ connectionString, connectionTimeoutMillis });
          await requireServing(client, attributes).catch((error: unknown) => {
            refuse(client);
            throw error;
          });
          serving = connectionString;
          return client;
        } catch (error) {
          if (isOne || !passesOver(error)) throw error;
          failures.push(`${new URL(connectionString).host} ${reasonOf(error)}`);
        }
      }
      throw new OutageError(failures.join('; '));
    },
  };
};
