import { type Connection, connect } from '../../ground/db/connect.ts';
import { redactDatabaseUrl } from '../../ground/db/database-url.ts';
import { isOutage } from '../../ground/db/outage.ts';
import { reachDatabase } from '../../ground/db/reach.ts';
import { isSameDatabase } from '../../ground/db/same-database.ts';
import { StartError } from '../../ground/start-error.ts';
import type { Config } from '../config/config.ts';

type Urls = Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>;

/** The address past a pooler; undefined where DATABASE_URL is the only one. */
export const directUrlOf = ({ databaseUrl, databaseDirectUrl }: Urls): string | undefined =>
  databaseDirectUrl === databaseUrl ? undefined : databaseDirectUrl;

/**
 * Refuses a DATABASE_DIRECT_URL that leads elsewhere than DATABASE_URL: migrations and commands would write there.
 * @throws StartError naming the setting
 */
export const requireOneDatabase = async (
  { databaseUrl, databaseDirectUrl }: Urls,
  pooled: Pick<Connection, 'db'>,
  direct: Pick<Connection, 'db'>,
): Promise<void> => {
  const [one, other] = [databaseUrl, databaseDirectUrl].map((url) => url && redactDatabaseUrl(url));
  const isSame = await isSameDatabase(pooled.db, direct.db).catch((cause: Error) => {
    throw isOutage(cause)
      ? new StartError(
          `DATABASE_DIRECT_URL ${other}: whether it leads to the database of DATABASE_URL cannot be asked: ${cause.message}`,
          { cause },
        )
      : cause;
  });
  if (isSame) return;
  throw new StartError(
    `DATABASE_DIRECT_URL ${other} leads to another database, schema or server than DATABASE_URL ${one}: it has to lead to the same one, past its pooler`,
  );
};

/**
 * As `requireOneDatabase`, for a command, which has only the direct connection open. It works while the pooler is away.
 * @throws StartError where DATABASE_URL leads elsewhere, or is refused.
 */
export const requireDatabaseOfServer = async (
  config: Config,
  direct: Connection,
  note: (line: string) => void,
): Promise<void> => {
  const { databaseUrl, dataDir, databaseEngine: engine, databasePrepared: prepared } = config;
  if (!databaseUrl || !directUrlOf(config)) return;
  const pooled = await connect({ databaseUrl, dataDir, engine, prepared, poolSize: 1 });
  try {
    await reachDatabase(pooled, { setting: 'DATABASE_URL', url: databaseUrl, patienceSeconds: 0 });
    await requireOneDatabase(config, pooled, direct);
  } catch (error) {
    if (!(error instanceof StartError && isOutage(error.cause))) throw error;
    note(`${error.message}. Whether DATABASE_DIRECT_URL leads to the same database was not asked`);
  } finally {
    await pooled.close();
  }
};
