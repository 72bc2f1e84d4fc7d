import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { measureClock } from '../../ground/db/clock.ts';
import { type Connection, connect, DatabaseInUseError } from '../../ground/db/connect.ts';
import { redactDatabaseUrl } from '../../ground/db/database-url.ts';
import { hasTable, listPendingMigrations } from '../../ground/db/migrate.ts';
import { reachDatabase } from '../../ground/db/reach.ts';
import { createEvents } from '../../ground/event/events.ts';
import { createLogger } from '../../ground/logger.ts';
import { StartError } from '../../ground/start-error.ts';
import { type Config, readCommandConfig } from '../config/config.ts';
import { asDatabaseRefusal } from '../start/database-refusal.ts';
import { requireDatabaseOfServer } from '../start/one-database.ts';
import { prepareDatabase, requireOwnDatabase } from '../start/prepare-database.ts';
import type { DatabaseCommand } from './command.ts';
import type { LendPlace } from './run-call.ts';

/** Names the database that a command is about to use, so that its caller sees whether it is the right one. */
const describeDatabase = ({ databaseDirectUrl, dataDir }: Config) =>
  databaseDirectUrl ? redactDatabaseUrl(databaseDirectUrl) : `embedded in ${join(dataDir, 'db')}`;

const noDatabase = (config: Config) =>
  new StartError(
    `${describeDatabase(config)}: there is no Candela database. If it is the right place, a first start of the server or "candela migrate" makes one`,
  );

/** The advice where another process has the embedded database open, and no server answered. */
const inUse = (error: unknown) => {
  throw error instanceof DatabaseInUseError
    ? new StartError(
        `${error.message}, which takes no commands now: it is another command, or a server that is starting or stopping. Try again in a few seconds`,
        { cause: error },
      )
    : error;
};

const open = async (
  config: Config,
  { makesDatabase = false }: DatabaseCommand,
  { setting, note }: { setting: string; note(line: string): void },
): Promise<Connection> => {
  const { databaseDirectUrl: databaseUrl, dataDir } = config;
  if (!databaseUrl && !makesDatabase && !existsSync(join(dataDir, 'db'))) throw noDatabase(config);
  const connection = await connect({
    databaseUrl,
    dataDir,
    engine: config.databaseEngine,
    poolSize: 1,
    patient: true,
    prepared: config.databasePrepared,
  }).catch(inUse);
  try {
    await reachDatabase(connection, {
      setting,
      url: databaseUrl,
      patienceSeconds: 0,
    });
    await requireDatabaseOfServer(config, connection, note);
    if (!makesDatabase && !(await hasTable(connection.db, 'kysely_migration'))) throw noDatabase(config);
    await requireOwnDatabase(config, connection);
    // The embedded database has the clock of this process.
    if (connection.kind === 'postgres') await measureClock(connection.db);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
};

/** Opens the database of the environment for one command. */
export const lendOwnDatabase: LendPlace = async (command, { note }, work) => {
  const config = readCommandConfig();
  note(`database: ${describeDatabase(config)}`);
  const place = {
    setting: config.databaseDirectUrl === config.databaseUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL',
    url: config.databaseDirectUrl,
  };
  const refuse = (error: unknown): never => {
    throw asDatabaseRefusal(error, place);
  };
  const connection = await open(config, command, { setting: place.setting, note }).catch(refuse);
  const prepare = async ({ dryRun } = { dryRun: false }) => {
    const pending = dryRun ? await listPendingMigrations(connection.db) : [];
    if (pending.length > 0)
      throw new StartError(
        `the schema lacks ${pending.length} migrations of this release: start the server or run "candela migrate" first`,
      );
    if (dryRun) return [];
    const { applied } = await prepareDatabase(config, connection);
    if (applied.length > 0) note(`migrations applied: ${applied.length}`);
    return applied;
  };
  const events = createEvents(createLogger(config.logLevel));
  try {
    return await work({
      config,
      connection,
      events,
      prepare,
      registrations: async () => {
        // The engine, which judges clients, is a third of all modules. Other commands do without it.
        const { wireRegistrations } = await import('../wiring/registrations.ts');
        return wireRegistrations({ config, connection, events });
      },
    });
  } catch (error) {
    return refuse(error);
  } finally {
    await connection.close();
  }
};
