import { readFileSync } from 'node:fs';
import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { connect } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { createLogger } from './logger.ts';
import { startPlayground } from './playground.ts';
import { startSweeping } from './sweep.ts';

const webDist = new URL('../../web/dist', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const SWEEP_SECONDS = 60;

const print = (line: string) => process.stdout.write(`${line}\n`);

const start = async () => {
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const connection = await connect({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
  });
  const direct =
    config.databaseDirectUrl === config.databaseUrl
      ? connection
      : await connect({ databaseUrl: config.databaseDirectUrl, dataDir: config.dataDir, poolSize: 1 });
  const { applied } = await migrate(direct.db);
  if (direct !== connection) await direct.close();

  const app = await createApp({ config, connection, logger, webDist, version, print });
  if (config.clientsFile)
    await app.clients.applyClients(JSON.parse(readFileSync(config.clientsFile, 'utf8')));
  const playground = config.playgroundPort > 0 ? await startPlayground(config, app.clients) : undefined;
  await app.listen();
  const sweeping = startSweeping(connection.db, { everySeconds: SWEEP_SECONDS, logger });

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
    await sweeping.stop();
    await app.close();
    await playground?.close();
    await connection.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
};

start().catch((error: unknown) => {
  const known = error instanceof ConfigError || (error as { code?: string }).code === 'EADDRINUSE';
  process.stderr.write(`${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exit(1);
});
