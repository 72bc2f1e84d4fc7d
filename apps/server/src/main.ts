import cluster from 'node:cluster';
import { join } from 'node:path';
import { readPageCatalog } from './branding/brand/page-catalog.ts';
import type { Connection } from './ground/db/connect.ts';
import { createEvents, type EventSink, type Events } from './ground/event/events.ts';
import { createLogger, type Logger, standardError } from './ground/logger.ts';
import { createOutput } from './ground/output.ts';
import { release as version } from './ground/release.ts';
import { ConfigError, StartError } from './ground/start-error.ts';
import { setTracer } from './ground/trace/trace.ts';
import type { CommandSocket } from './operation/command-socket/serve-commands.ts';
import type { LendPlace } from './operation/commands/run-call.ts';
import { type Config, completeConfig, describeConfig, inspectConfig } from './operation/config/config.ts';
import { createOwnMetrics, metricsOfAll, serveMetrics } from './operation/metrics/own-metrics.ts';
import { claimPort } from './operation/start/claim-port.ts';
import { findDatabaseWarnings } from './operation/start/database-warnings.ts';
import { describeStart, type StartReport } from './operation/start/describe-start.ts';
import { openDatabase, prepareOpenDatabase } from './operation/start/open-database.ts';
import { namePort } from './operation/start/ports.ts';
import { checkStart, withoutStack } from './operation/start/start-checks.ts';
import { type Registrations, wireRegistrations } from './operation/wiring/registrations.ts';
import { type WiredStorage, wireStorage } from './operation/wiring/storage.ts';
import { startWorkers, tellServing } from './operation/workers.ts';
import { isOfStandIn } from './person/stand-in/stand-in.ts';
import { findClientFault } from './protocol/oidc/client-faults.ts';
import { webDist } from './protocol/page/web-dist.ts';
import { type ServeOptions, startServing } from './serve.ts';

const FLUSH_MS = 1_000;

const standardOutput = createOutput(process.stdout, {
  describe: (count) => `${count} lines could not be printed`,
});
const print = (line: string) => standardOutput.write(`${line}\n`);

/** Ends the process once its output is written, or after a second. */
const exit = async (code: number) => {
  await Promise.all([standardOutput.flush(FLUSH_MS), standardError.flush(FLUSH_MS)]);
  process.exit(code);
};

const countDroppedLines = () => standardOutput.countDropped() + standardError.countDropped();

/** Ends what a start began; `atOnce` without a notice to load balancers. */
type Stop = (options: { atOnce: boolean }) => Promise<unknown>;

/** The most that stopping takes after the notice: requests and messages have ended by then, or hang. */
const STOP_SECONDS = 12;
const onWait = (line: string) => standardError.write(`${line}\n`);

const open = (config: Config, logger: Logger): Promise<Connection> =>
  openDatabase(config, {
    onWait,
    onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
  });

/** Names the setting in front of each fault that only the database shows. */
const nameClientsFile = (error: unknown): never => {
  throw error instanceof ConfigError
    ? new ConfigError(error.problems.map((problem) => `CLIENTS_FILE: ${problem}`))
    : error;
};

/** Registers the entries of CLIENTS_FILE and RESOURCES_FILE. */
const register = async (config: Config, { registry, resourceServers }: Registrations, events: EventSink) => {
  // Clients name scopes of these APIs.
  const resources = await resourceServers.applyResourceServers(config.resources);
  const clients = await registry.apply({ kind: 'file' }, config.clients).catch(nameClientsFile);
  const applied = { clients, resources };
  events.emit('configuration.applied', { settings: describeConfig(config) });
  return applied;
};

const playgroundOf = async (config: Config, registrations: Registrations) => {
  if (config.playgroundPort === 0) return undefined;
  const { startPlayground } = await import('./operation/playground.ts');
  return startPlayground(config, registrations).catch(
    namePort('PLAYGROUND_PORT', config.playgroundPort, config.host),
  );
};

/** Traces what this process serves. The libraries are loaded only where a collector is named. */
const startOwnTracing = async ({ traceEndpoint, traceSampler, traceRatio }: Config, logger: Logger) => {
  if (traceEndpoint === undefined) return undefined;
  const { startTracing } = await import('./ground/trace/otlp-tracer.ts');
  const tracing = startTracing({
    endpoint: traceEndpoint,
    sampler: traceSampler,
    ratio: traceRatio,
    version,
    logger,
  });
  setTracer(tracing.tracer);
  return tracing;
};

const announce = (config: Config, report: StartReport) => {
  print('');
  for (const line of describeStart(config, report)) print(`  ${line}`);
  print('');
};

/**
 * Runs commands in this process where it has the embedded database open. Where the system gives no socket in DATA_DIR,
 * the server serves without it.
 */
const commandSocketOf = async (
  config: Config,
  {
    connection,
    storage,
    events,
    logger,
  }: Pick<ServeOptions, 'connection' | 'events' | 'logger'> & { storage: WiredStorage },
): Promise<CommandSocket | undefined> => {
  if (connection.kind !== 'pglite') return undefined;
  const [{ serveCommands }, { commands }] = await Promise.all([
    import('./operation/command-socket/serve-commands.ts'),
    import('./operation/commands/commands.ts'),
  ]);
  const lend: LendPlace = async ({ name, notBesideServer }, { note }, work) => {
    note(`database: embedded in ${join(config.dataDir, 'db')}, open in the server, process ${process.pid}`);
    if (notBesideServer) throw new StartError(`${name}: ${notBesideServer}`);
    return work({
      config,
      connection,
      events,
      prepare: async () => [],
      registrations: async () => storage,
    });
  };
  return serveCommands({ dataDir: config.dataDir, commands, lend, logger }).catch((err: unknown) => {
    logger.warn({ err }, 'commands cannot reach this server: it has no socket in DATA_DIR');
    return undefined;
  });
};

/** What a start has begun, in its order: what is given back is ended in the opposite one. */
type Begun = (() => Promise<unknown>)[];

/** Ends what a start has begun, so that a start which is refused leaves nothing open, and no row that it serves. */
const endAll = async (begun: Begun): Promise<void> => {
  const faults: unknown[] = [];
  for (const end of begun.splice(0).reverse()) await end().catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw faults[0];
};

/** Throws the error of a start, once what it has begun is ended as far as that can be done. */
const abandon = async (begun: Begun, error: unknown): Promise<never> => {
  await endAll(begun).catch(() => undefined);
  throw error;
};

const unlessAbsent = (closed: { close(): Promise<unknown> } | undefined) => async () => closed?.close();

/** Does everything in this process. */
const startAlone = async (config: Config, logger: Logger, events: Events): Promise<Stop> => {
  const connection = await open(config, logger);
  const begun: Begun = [connection.close];
  try {
    const applied = await prepareOpenDatabase(config, connection, { onWait });
    const storage = await wireStorage({ config, connection, logger, events });
    const entries = await register(config, storage, events);
    const warnings = await findDatabaseWarnings(config, connection);
    // What takes a port comes before what tells others that this process serves.
    const metrics = await createOwnMetrics(config);
    begun.push(unlessAbsent(await serveMetrics(config, metrics)));
    const playground = await playgroundOf(config, storage);
    begun.push(unlessAbsent(playground));
    const serving = { config, logger, events, connection, storage, print, metrics, countDroppedLines };
    const { stop } = await startServing(serving);
    begun.push(() => stop({ atOnce: true }));
    const commandSocket = await commandSocketOf(config, { connection, storage, events, logger });
    announce(config, { applied, ...entries, playground, warnings });
    return async (how) => {
      begun.pop();
      await Promise.all([commandSocket?.close(), stop(how)]);
      await endAll(begun);
    };
  } catch (error) {
    return abandon(begun, error);
  }
};

/** Does once what all workers need, and leaves serving to them. */
const startPrimary = async (config: Config, logger: Logger, events: Events): Promise<Stop> => {
  const connection = await open(config, logger);
  const begun: Begun = [];
  try {
    const applied = await prepareOpenDatabase(config, connection, { onWait });
    const registrations = await wireRegistrations({ config, connection, events });
    const entries = await register(config, registrations, events);
    const warnings = await findDatabaseWarnings(config, connection);
    begun.push(unlessAbsent(await serveMetrics(config, await metricsOfAll(config))));
    const playground = await playgroundOf(config, registrations);
    begun.push(unlessAbsent(playground));
    const workers = await startWorkers({ count: config.workers, logger, claim: () => claimPort(config) });
    announce(config, { applied, ...entries, playground, warnings });
    return async () => {
      await workers.stop();
      await endAll(begun);
    };
  } catch (error) {
    return await abandon(begun, error);
  } finally {
    await connection.close();
  }
};

/** Serves behind the port, beside other workers. */
const startWorker = async (config: Config, logger: Logger, events: Events): Promise<Stop> => {
  const connection = await open(config, logger);
  const metrics = await createOwnMetrics(config);
  const { stop } = await startServing({
    config,
    logger,
    events,
    connection,
    print,
    metrics,
    countDroppedLines,
  });
  if (metrics) {
    const { contributeMetrics } = await import('./operation/metrics/worker-metrics.ts');
    contributeMetrics(metrics);
  }
  tellServing();
  return async (how) => {
    await stop(how);
    await connection.close();
  };
};

const start = async () => {
  const inspected = inspectConfig(undefined, findClientFault, readPageCatalog(webDist));
  // The primary has checked the pages, the ports and the directory for its workers.
  const config = cluster.isWorker ? completeConfig(inspected) : await checkStart(inspected, { webDist });
  const logger = createLogger(config.logLevel);
  const begin = cluster.isWorker ? startWorker : config.workers > 1 ? startPrimary : startAlone;
  const tracing = begin === startPrimary ? undefined : await startOwnTracing(config, logger);
  const stop = await begin(config, logger, createEvents(logger, isOfStandIn)).catch((thrown: unknown) => {
    throw withoutStack(thrown, config);
  });
  let stopping = false;
  const end = async (how = { atOnce: false }) => {
    if (stopping) return;
    stopping = true;
    // The primary waits for its workers, which take the same time to end.
    const seconds = config.drainNoticeSeconds + STOP_SECONDS + (begin === startPrimary ? 2 : 0);
    setTimeout(() => {
      logger.error({ seconds }, 'stopping took too long, and is cut short');
      void exit(1);
    }, seconds * 1000).unref();
    await stop(how);
    await tracing?.close();
    await exit(0);
  };
  process.on('SIGTERM', () => end());
  process.on('SIGINT', () => end());
  const { worker } = cluster;
  worker?.once('disconnect', () => {
    // Node would cut off the open connections. The port is given up at once, to the next first process.
    Object.assign(worker, { exitedAfterDisconnect: true });
    return end({ atOnce: true });
  });
};

start().catch((error: unknown) => {
  const text = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
  standardError.write(`${text}\n`);
  return exit(1);
});
