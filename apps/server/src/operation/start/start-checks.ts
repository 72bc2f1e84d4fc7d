import { existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isHttps } from '@candela/contract/rules/is-https';
import { connect, requireFree } from '../../ground/db/connect.ts';
import { isOutage } from '../../ground/db/outage.ts';
import { reachDatabase } from '../../ground/db/reach.ts';
import { ConfigError, StartError } from '../../ground/start-error.ts';
import { type Config, completeConfig, type InspectedConfig } from '../config/config.ts';
import { readGeneratedSecrets } from '../config/generated-secrets.ts';
import { claimPort } from './claim-port.ts';
import { asDatabaseRefusal } from './database-refusal.ts';
import { directUrlOf, requireOneDatabase } from './one-database.ts';
import { tryPort } from './ports.ts';

/** Warnings about settings that are accepted, and most probably not meant. */
export const findWarnings = ({ publicUrl, trustProxy }: Config): string[] =>
  isHttps(publicUrl) && trustProxy === 0
    ? [
        'TRUST_PROXY is 0, and PUBLIC_URL is https, which a proxy in front must speak: to limits everybody is that one address. Set it to the number of proxies',
      ]
    : [];

/** A start that the database cut off or refused, as a StartError; any other error stays as it is. */
export const withoutStack = (thrown: unknown, { databaseUrl }: Pick<Config, 'databaseUrl'>): unknown => {
  const error = asDatabaseRefusal(thrown, { setting: 'DATABASE_URL', url: databaseUrl });
  return isOutage(error)
    ? new StartError(
        `DATABASE_URL: the database was lost during the start: ${(error as Error).message}. What a start writes is whole or not there: start again once the database answers`,
        { cause: error },
      )
    : error;
};

/** The problems that a StartError names; rethrows any other error. */
export const problemsOf = (error: unknown): readonly string[] => {
  if (error instanceof ConfigError) return error.problems;
  if (error instanceof StartError) return [error.message];
  throw error;
};

const collect = async (check: () => unknown): Promise<readonly string[]> => {
  try {
    await check();
    return [];
  } catch (error) {
    return problemsOf(error);
  }
};

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)));

/** Leaves nothing behind: a start may be refused. */
const checkDataDir = (dataDir: string) => {
  const place = nearestExisting(dataDir);
  if (!statSync(place).isDirectory())
    throw new StartError(`DATA_DIR: ${dataDir} cannot be used: ${place} is not a directory`);
  try {
    // Not by its permissions: a superuser has them where nothing can be made, such as in /proc.
    rmdirSync(mkdtempSync(join(place, '.candela-')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`DATA_DIR: ${dataDir} cannot be written (${code})`, { cause: error });
  }
};

const checkPages = (webDist: string) => {
  if (!['index.html', '.parts.json'].every((file) => existsSync(join(webDist, file))))
    throw new StartError(
      'the pages are not built: run "node apps/web/build-if-stale.ts", as "pnpm start" does',
    );
};

const checkDatabase = async (config: Config) => {
  const { databaseUrl, dataDir, databaseEngine: engine, databasePrepared: prepared } = config;
  const directUrl = directUrlOf(config);
  if (!databaseUrl) return requireFree(dataDir);
  const options = { dataDir, engine, poolSize: 1 };
  const pooled = await connect({ ...options, databaseUrl, prepared });
  const direct = directUrl ? await connect({ ...options, databaseUrl: directUrl }) : pooled;
  try {
    await reachDatabase(pooled, { setting: 'DATABASE_URL', url: databaseUrl, patienceSeconds: 0 });
    if (!directUrl) return;
    await reachDatabase(direct, { setting: 'DATABASE_DIRECT_URL', url: directUrl, patienceSeconds: 0 });
    await requireOneDatabase(config, pooled, direct);
  } finally {
    await Promise.all([pooled.close(), directUrl && direct.close()]);
  }
};

/** The ports that this process takes, by their settings. */
const portsOf = ({ port, playgroundPort, metricsPort }: Config) =>
  [
    ['PORT', port],
    ['PLAYGROUND_PORT', playgroundPort],
    ['METRICS_PORT', metricsPort],
  ] as const;

type Inspected = Pick<InspectedConfig, 'config' | 'faulty'>;

/** Workers share their port in a way that another server might not notice. */
const tryPortOf = async (setting: string, port: number, { host, workers }: Config) => {
  if (setting !== 'PORT' || workers === 1) return tryPort(setting, port, host);
  const { release } = await claimPort({ port, host });
  return release();
};

/** Finds ports that another process has. It opens each port for a moment. */
const findTakenPorts = async ({ config, faulty }: Inspected): Promise<string[]> => {
  const found: string[] = [];
  if (faulty.has('HOST')) return found;
  for (const [setting, port] of portsOf(config))
    if (port > 0 && !faulty.has(setting))
      found.push(...(await collect(() => tryPortOf(setting, port, config))));
  return found;
};

/** Whether a server of this configuration keeps files: a setting that is wrong may stand for one that needs none. */
const keepsFiles = ({ config, faulty }: Inspected): boolean => {
  const { databaseUrl, mail, sms, secretKeys, cookieKeys } = config;
  const needed = {
    DATABASE_URL: !databaseUrl,
    SMTP_URL: !mail,
    SMS_URL: !sms,
    SECRET_KEY: secretKeys.length === 0,
    COOKIE_KEYS: cookieKeys.length === 0,
  };
  return Object.entries(needed).some(([setting, isNeeded]) => isNeeded && !faulty.has(setting));
};

/**
 * What is wrong with the settings, the host, the pages and the data directory. Nothing is left behind or asked, and no
 * port of a setting is opened.
 */
export const findStartProblems = async (
  inspected: InspectedConfig,
  { webDist }: { webDist: string },
): Promise<string[]> => {
  const { config, problems, faulty } = inspected;
  const hasSecrets = config.secretKeys.length > 0 && config.cookieKeys.length > 0;
  const found = [...problems, ...(await collect(() => checkPages(webDist)))];
  if (!faulty.has('HOST')) found.push(...(await collect(() => tryPort('PORT', 0, config.host))));
  if (faulty.has('DATA_DIR') || !keepsFiles(inspected)) return found;
  const ofDirectory = await collect(() => {
    checkDataDir(config.dataDir);
    if (!hasSecrets) readGeneratedSecrets(config.dataDir);
  });
  return [...found, ...ofDirectory];
};

/** What keeps a start from its database: both of its addresses are asked, and whether they lead to one. */
export const findDatabaseProblems = (config: Config): Promise<readonly string[]> =>
  collect(() => checkDatabase(config));

/**
 * Checks the pages, the data directory and the ports too, and completes the configuration, which may write secrets. Where
 * anything is wrong, the database is asked as well, so that one start reports every fault.
 * @throws ConfigError naming everything that is wrong.
 */
export const checkStart = async (inspected: InspectedConfig, place: { webDist: string }): Promise<Config> => {
  const { config } = inspected;
  const found = [...(await findStartProblems(inspected, place)), ...(await findTakenPorts(inspected))];
  if (found.length > 0) found.push(...(await findDatabaseProblems(config)));
  return completeConfig({ config, problems: [...new Set(found)] });
};
