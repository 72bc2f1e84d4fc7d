import cluster from 'node:cluster';
import { readPageCatalog } from './brand/page-catalog.ts';
import { createClientService } from './client/client.service.ts';
import { type Config, completeConfig, describeConfig, inspectConfig } from './config/config.ts';
import { type Connection, connect } from './db/connect.ts';
import { reachDatabase } from './db/reach.ts';
import { createEvents, type EventSink, type Events } from './event/events.ts';
import { collectMetrics, createRegistry, startMetrics } from './http/metrics.ts';
import { createLogger, type Logger, standardError } from './logger.ts';
import { createClientFaultFinder } from './oidc/client-faults.ts';
import { createOutput } from './output.ts';
import { inUseFirst } from './pairwise-salt/pairwise-salt.service.ts';
import { startPlayground } from './playground.ts';
import { createResourceServerService } from './resource-server/resource-server.service.ts';
import { admitCookieKeys, loadKeptKeys } from './secret-key/kept-key.service.ts';
import { startServing, webDist } from './serve.ts';
import { countOutcomes, type EntryChange } from './settings-file/entry-change.ts';
import { prepareDatabase } from './start/prepare-database.ts';
import { checkStart, findWarnings, namePort, tellAll } from './start/start-checks.ts';
import { StartError } from './start-error.ts';
import { startWorkers } from './workers.ts';

const FLUSH_MS = 1_000;

const standardOutput = createOutput(process.stdout, {
  describe: (count) => `${count} lines could not be printed`,
});
const print = (line: string) => standardOutput.write(`${line}\n`);

/** Ends the process when what it said is written, or after a second. */
const exit = async (code: number) => {
  await Promise.all([standardOutput.flush(FLUSH_MS), standardError.flush(FLUSH_MS)]);
  process.exit(code);
};

const countDroppedLines = () => standardOutput.countDropped() + standardError.countDropped();

type Stop = () => Promise<unknown>;

/** What stopping takes at most beside the notice, whatever hangs: requests and messages have ended by then. */
const STOP_SECONDS = 12;
/** A database that starts together with this process gets so long. */
const REACH_SECONDS = 15;

const reach = (connection: Connection, setting: string, url: string | undefined) =>
  reachDatabase(connection, {
    setting,
    url,
    patienceSeconds: REACH_SECONDS,
    onWait: (line) => standardError.write(`${line}\n`),
  });

const open = async (config: Config, logger: Logger): Promise<Connection> => {
  const connection = await connect({
    databaseUrl: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    dataDir: config.dataDir,
    prepared: config.databasePrepared,
    // One more listens for changes.
    poolSize: config.databasePool - 1,
    onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
  });
  try {
    await reach(connection, 'DATABASE_URL', config.databaseUrl);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
};

/** What a start did to the database. */
interface Prepared {
  /** Migrations. */
  applied: readonly string[];
  clients: readonly EntryChange[];
  resources: readonly EntryChange[];
}

/** Brings the database up to date and registers what the configuration names. */
const prepare = async (config: Config, connection: Connection, events: EventSink): Promise<Prepared> => {
  const direct =
    config.databaseDirectUrl === config.databaseUrl
      ? connection
      : await connect({
          databaseUrl: config.databaseDirectUrl,
          dataDir: config.dataDir,
          poolSize: 1,
          patient: true,
        });
  const prepareDirect = async () => {
    if (direct !== connection) await reach(direct, 'DATABASE_DIRECT_URL', config.databaseDirectUrl);
    return prepareDatabase(config, connection, direct);
  };
  const { applied } = await prepareDirect().finally(() =>
    direct === connection ? undefined : direct.close(),
  );
  const { db } = connection;
  const { secretKeys, cookieKeys } = config;
  await admitCookieKeys({ db, secretKeys, cookieKeys });
  const clients = await createClientService({
    db,
    // A hash under a key that others do not know yet would lock the app out there.
    secretKeys: await inUseFirst({ db, secretKeys }),
    formerHashKeys: await loadKeptKeys({ db, secretKeys }, 'client secrets'),
    events,
  }).applyClients(config.clients);
  const resources = await createResourceServerService({ db, events }).applyResourceServers(config.resources);
  events.emit('configuration.applied', { settings: describeConfig(config) });
  return { applied, clients, resources };
};

const playgroundOf = async (config: Config, { db }: Connection) => {
  if (config.playgroundPort === 0) return undefined;
  return startPlayground(config, createClientService({ db, secretKeys: config.secretKeys })).catch(
    namePort('PLAYGROUND_PORT', config.playgroundPort, config.host),
  );
};

const metricsOf = async (config: Config, source: Parameters<typeof startMetrics>[0]['source']) => {
  if (config.metricsPort === 0) return undefined;
  return startMetrics({ port: config.metricsPort, host: config.host, source }).catch(
    namePort('METRICS_PORT', config.metricsPort, config.host),
  );
};

const countEntries = (setting: string, entries: readonly EntryChange[]) =>
  `${entries.length} in ${setting}${entries.length > 0 ? `: ${countOutcomes(entries)}` : ''}`;

const announce = (
  config: Config,
  { applied, clients, resources }: Prepared,
  playground: { url: string } | undefined,
) => {
  const where = config.databaseUrl ? 'PostgreSQL' : `embedded in ${config.dataDir}/db`;
  print('');
  for (const brand of config.brands) print(`  ${brand.name.padEnd(12)} ${brand.origin}`);
  for (const id of config.unservedBrands)
    print(`  Not served   ${id}: it has no origin, and PUBLIC_URL is that of ${config.brands[0].id}`);
  if (playground) print(`  Playground   ${playground.url}`);
  if (!config.mail || !config.sms) {
    const which = config.mail ? 'SMS in ' : config.sms ? 'mail in ' : '';
    print(`  Messages     ${which}${config.dataDir}/outbox.jsonl, and printed here`);
  }
  print(`  Database     ${where}${applied.length > 0 ? `, ${applied.length} migrations applied` : ''}`);
  if (config.clientsFile) print(`  Clients      ${countEntries('CLIENTS_FILE', clients)}`);
  if (config.resourcesFile) print(`  APIs         ${countEntries('RESOURCES_FILE', resources)}`);
  if (config.workers > 1) print(`  Workers      ${config.workers}`);
  if (config.passwordProfile === 'product') {
    print(
      '  Passwords    PASSWORD_PROFILE=modern is recommended: longer passwords of any characters are harder to guess',
    );
  }
  for (const warning of [...findWarnings(config), ...clients.flatMap(({ warnings }) => warnings)])
    print(`  Warning      ${warning}`);
  print(`  Ready in ${process.uptime().toFixed(1)} s`);
  print('');
};

/** Everything in this process. */
const startAlone = async (config: Config, logger: Logger, events: Events): Promise<Stop> => {
  const connection = await open(config, logger);
  try {
    const prepared = await prepare(config, connection, events);
    const playground = await playgroundOf(config, connection);
    const { app, stop } = await startServing({ config, logger, events, connection, print });
    const registry = createRegistry({ ...app, countDroppedLines });
    const metrics = await metricsOf(config, registry);
    announce(config, prepared, playground);
    return async () => {
      await stop();
      await playground?.close();
      await metrics?.close();
      await connection.close();
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
};

/** What is done once for all workers, which serve. */
const startPrimary = async (config: Config, logger: Logger, events: Events): Promise<Stop> => {
  const connection = await open(config, logger);
  try {
    const prepared = await prepare(config, connection, events);
    const playground = await playgroundOf(config, connection);
    const metrics = await metricsOf(config, collectMetrics());
    const workers = await startWorkers(config.workers, logger);
    announce(config, prepared, playground);
    return async () => {
      await workers.stop();
      await playground?.close();
      await metrics?.close();
    };
  } finally {
    await connection.close();
  }
};

/** One of the processes behind the port. */
const startWorker = async (config: Config, logger: Logger, events: Events): Promise<Stop> => {
  const connection = await open(config, logger);
  const { app, stop } = await startServing({ config, logger, events, connection, print });
  collectMetrics(createRegistry({ ...app, countDroppedLines }));
  return async () => {
    await stop();
    await connection.close();
  };
};

const start = async () => {
  const inspected = inspectConfig(undefined, createClientFaultFinder(), readPageCatalog(webDist));
  // What the first process found in order, its workers need not try again.
  const config = cluster.isWorker ? completeConfig(inspected) : await checkStart(inspected, { webDist });
  const logger = createLogger(config.logLevel);
  const begin = cluster.isWorker ? startWorker : config.workers > 1 ? startPrimary : startAlone;
  const stop = await begin(config, logger, createEvents(logger)).catch(async (error: unknown) => {
    throw cluster.isWorker ? error : await tellAll(error, config);
  });
  let stopping = false;
  const end = async () => {
    if (stopping) return;
    stopping = true;
    // The primary waits for its workers, which end by themselves.
    const seconds = config.drainNoticeSeconds + STOP_SECONDS + (begin === startPrimary ? 2 : 0);
    setTimeout(() => {
      logger.error({ seconds }, 'stopping took too long, and is cut short');
      void exit(1);
    }, seconds * 1000).unref();
    await stop();
    await exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  const { worker } = cluster;
  worker?.once('disconnect', () => {
    // Without the primary no connection comes any more; Node itself would cut off those that are left.
    Object.assign(worker, { exitedAfterDisconnect: true });
    return end();
  });
};

start().catch((error: unknown) => {
  const told = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
  standardError.write(`${told}\n`);
  return exit(1);
});
