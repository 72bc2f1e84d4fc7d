import { type Connection, type ConnectOptions, connect } from '../../ground/db/connect.ts';
import { reachDatabase } from '../../ground/db/reach.ts';
import type { Config } from '../config/config.ts';
import { poolOfWorker } from '../config/settings.ts';
import { admitCookieKeys } from '../secret-key/kept-key.service.ts';
import { directUrlOf, requireOneDatabase } from './one-database.ts';
import { prepareDatabase } from './prepare-database.ts';

/** How long a start waits for a database that starts at the same time. */
const REACH_SECONDS = 15;

/** The settings of every connection to the database of this configuration. */
const optionsOf = ({ dataDir, databaseEngine }: Config): Pick<ConnectOptions, 'dataDir' | 'engine'> => ({
  dataDir,
  engine: databaseEngine,
});

/** Connects, and waits for a database that starts at the same time; closes the connection where that is in vain. */
const openAt = async (
  setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL',
  options: ConnectOptions,
  onWait: (line: string) => void,
): Promise<Connection> => {
  const connection = await connect(options);
  try {
    await reachDatabase(connection, {
      setting,
      url: options.databaseUrl,
      patienceSeconds: REACH_SECONDS,
      onWait,
    });
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
};

export interface OpenDatabaseOptions {
  /** Hears once that the database is not there yet. */
  onWait: (line: string) => void;
  onConnectionError?: ConnectOptions['onConnectionError'];
}

/**
 * Opens the database for a process that serves.
 * @throws StartError that names the setting, when the database cannot be had.
 */
export const openDatabase = (
  config: Config,
  { onWait, onConnectionError }: OpenDatabaseOptions,
): Promise<Connection> => {
  const options = {
    ...optionsOf(config),
    databaseUrl: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    prepared: config.databasePrepared,
    // The listener for changes takes one more connection.
    poolSize: poolOfWorker(config) - 1,
    onConnectionError,
  };
  return openAt('DATABASE_URL', options, onWait);
};

const prepareSchema = async (
  config: Config,
  connection: Connection,
  onWait: OpenDatabaseOptions['onWait'],
): Promise<readonly string[]> => {
  const databaseUrl = directUrlOf(config);
  if (!databaseUrl) return (await prepareDatabase(config, connection)).applied;
  const options = { ...optionsOf(config), databaseUrl, poolSize: 1, patient: true };
  const direct = await openAt('DATABASE_DIRECT_URL', options, onWait);
  try {
    await requireOneDatabase(config, connection, direct);
    return (await prepareDatabase(config, connection, direct)).applied;
  } finally {
    await direct.close();
  }
};

/**
 * Makes an open database ready for its processes, past a pooler where there is one: its schema, and the keys of cookies.
 * @returns the names of the migrations that were applied
 * @throws StartError as `openDatabase`, `requireOneDatabase` and `prepareDatabase` do
 */
export const prepareOpenDatabase = async (
  config: Config,
  connection: Connection,
  { onWait }: Pick<OpenDatabaseOptions, 'onWait'>,
): Promise<readonly string[]> => {
  const applied = await prepareSchema(config, connection, onWait);
  const { secretKeys, cookieKeys } = config;
  await admitCookieKeys({ db: connection.db, secretKeys, cookieKeys });
  return applied;
};
