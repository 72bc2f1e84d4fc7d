import { readFileSync } from 'node:fs';
import { createApp } from './app.ts';
import { startFetchingLogos } from './client/fetch-logos.ts';
import { type Config, readConfig } from './config.ts';
import { type Connection, connect } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { startMetrics } from './http/metrics.ts';
import { createLogger, type Logger } from './logger.ts';
import { createClientFaultFinder } from './oidc/client-metadata.ts';
import { startPlayground } from './playground.ts';
import { StartError } from './start-error.ts';
import { startSweeping } from './sweep.ts';

const webDist = new URL('../../web/dist', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const SWEEP_SECONDS = 60;
const LOGO_SECONDS = 60;
const DRAIN_NOTICE_MS = 3_000;

interface Serving {
  config: Config;
  logger: Logger;
  connection: Connection;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Says which setting to change when the port cannot be had. */
const namePort = (setting: string, port: number, host: string) => (error: NodeJS.ErrnoException) => {
  if (error.syscall === undefined) throw error;
  const why = error.code === 'EADDRINUSE' ? 'is in use by another process' : `cannot be had (${error.code})`;
  throw new StartError(`${setting}: ${port} on ${host} ${why}`, { cause: error });
};

const start = async () => {
  const config = readConfig(undefined, createClientFaultFinder());
  const logger = createLogger(config.logLevel);
  const connection = await connect({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    prepared: config.databasePrepared,
    onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
  });
  try {
    await serve({ config, logger, connection });
  } catch (error) {
    await connection.close();
    throw error;
  }
};

const serve = async ({ config, logger, connection }: Serving) => {
  const direct =
    config.databaseDirectUrl === config.databaseUrl
      ? connection
      : await connect({ databaseUrl: config.databaseDirectUrl, dataDir: config.dataDir, poolSize: 1 });
  const { applied } = await migrate(direct.db);
  if (direct !== connection) await direct.close();

  const app = await createApp({ config, connection, logger, webDist, version, print });
  await app.clients.applyClients(config.clients);
  const playground =
    config.playgroundPort > 0
      ? await startPlayground(config, app.clients).catch(
          namePort('PLAYGROUND_PORT', config.playgroundPort, config.host),
        )
      : undefined;
  await app.listen().catch(namePort('PORT', config.port, config.host));
  const metrics =
    config.metricsPort > 0
      ? await startMetrics({ port: config.metricsPort, host: config.host, countCodes: app.countCodes }).catch(
          namePort('METRICS_PORT', config.metricsPort, config.host),
        )
      : undefined;
  const sweeping = startSweeping(connection.db, { everySeconds: SWEEP_SECONDS, logger });
  const fetchingLogos = startFetchingLogos(app.logos, { everySeconds: LOGO_SECONDS, logger });

  const where = connection.kind === 'pglite' ? `embedded in ${config.dataDir}/db` : 'PostgreSQL';
  print('');
  for (const brand of app.brands) print(`  ${brand.name.padEnd(12)} ${brand.origin}`);
  if (playground) print(`  Playground   ${playground.url}`);
  if (!config.mail || !config.sms) {
    const which = config.mail ? 'SMS in ' : config.sms ? 'mail in ' : '';
    print(`  Messages     ${which}${config.dataDir}/outbox.jsonl, and printed here`);
  }
  print(`  Database     ${where}${applied.length > 0 ? `, ${applied.length} migrations applied` : ''}`);
  if (config.passwordProfile === 'product') {
    print(
      '  Passwords    PASSWORD_PROFILE=modern is recommended: longer passwords of any characters are harder to guess',
    );
  }
  print(`  Ready in ${process.uptime().toFixed(1)} s`);
  print('');

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await Promise.all([sweeping.stop(), fetchingLogos.stop()]);
    // Load balancers see /readyz say 503 before the listener is gone.
    await app.close({ noticeMs: config.production ? DRAIN_NOTICE_MS : 0 });
    await playground?.close();
    await metrics?.close();
    await connection.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
};

start().catch((error: unknown) => {
  const told = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`${told}\n`);
  process.exit(1);
});
