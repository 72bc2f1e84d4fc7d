import type { Connection } from '../../ground/db/connect.ts';
import { readConnectionLimit } from '../../ground/db/connection-limit.ts';
import type { Config } from '../config/config.ts';
import { poolOfWorker } from '../config/settings.ts';
import { countServing } from '../secret-key/serving-process.service.ts';

/**
 * Warns where this server and the processes that serve beside it may open more connections than PostgreSQL takes.
 * Others are taken to have pools of the same size. Behind a pooler it is the pooler that limits connections.
 */
export const findPoolWarnings = async (
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'databasePool' | 'workers'>,
  { db, kind }: Pick<Connection, 'db' | 'kind'>,
): Promise<string[]> => {
  if (kind !== 'postgres' || config.databaseDirectUrl !== config.databaseUrl) return [];
  // An engine that does not know these settings is no reason not to start.
  const limit = await readConnectionLimit(db).catch(() => undefined);
  if (limit === undefined) return [];
  const alive = await countServing(db);
  const own = poolOfWorker(config) * config.workers;
  const others = poolOfWorker(config) * alive;
  if (own + others <= limit) return [];
  const beside = alive > 0 ? ` and ${others} of others that serve beside it` : '';
  return [
    `DATABASE_POOL: up to ${own} connections of this server${beside} are more than the ${limit} that PostgreSQL takes. Lower DATABASE_POOL, or raise max_connections`,
  ];
};
