import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, CommandContext, CommandResult } from './commands/command.ts';
import { parseCommandLine } from './commands/command-line.ts';
import { commands } from './commands/commands.ts';
import { type Config, readCommandConfig } from './config/config.ts';
import { measureClock } from './db/clock.ts';
import { type Connection, connect, DatabaseInUseError } from './db/connect.ts';
import { hasTable, listPendingMigrations } from './db/migrate.ts';
import { reachDatabase, redactDatabaseUrl } from './db/reach.ts';
import { createEvents } from './event/events.ts';
import { createLogger } from './logger.ts';
import { prepareDatabase, requireOwnDatabase } from './start/prepare-database.ts';
import { StartError } from './start-error.ts';

const note = (line: string) => process.stderr.write(`${line}\n`);

/** Names the database that a command is about to use, so that its caller sees whether it is the right one. */
const describeDatabase = ({ databaseDirectUrl, dataDir }: Config) =>
  databaseDirectUrl ? redactDatabaseUrl(databaseDirectUrl) : `embedded in ${join(dataDir, 'db')}`;

const noDatabase = (config: Config) =>
  new StartError(
    `${describeDatabase(config)}: there is no Candela database. If it is the right place, a first start of the server or "candela migrate" makes one`,
  );

const open = async (config: Config, { makesDatabase = false }: Command): Promise<Connection> => {
  const { databaseDirectUrl: databaseUrl, dataDir } = config;
  if (!databaseUrl && !makesDatabase && !existsSync(join(dataDir, 'db'))) throw noDatabase(config);
  const connection = await connect({
    databaseUrl,
    dataDir,
    poolSize: 1,
    patient: true,
    prepared: config.databasePrepared,
  });
  try {
    await reachDatabase(connection, {
      setting: databaseUrl === config.databaseUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL',
      url: databaseUrl,
      patienceSeconds: 0,
    });
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

const runOn = async (
  command: Command,
  { args, flags }: Pick<CommandContext, 'args' | 'flags'>,
): Promise<CommandResult> => {
  const config = readCommandConfig();
  note(`database: ${describeDatabase(config)}`);
  const connection = await open(config, command);
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
    return await command.run({ config, connection, events, args, flags, note, prepare });
  } finally {
    await connection.close();
  }
};

/** The advice where a server has the embedded database open. */
const inUse =
  'stop the server first; or name the file in its CLIENTS_FILE or RESOURCES_FILE and restart it. With PostgreSQL (DATABASE_URL) commands run beside servers';

const run = async () => {
  const call = parseCommandLine(process.argv.slice(2), commands);
  if (call.kind !== 'run') {
    (call.kind === 'help' ? process.stdout : process.stderr).write(call.text);
    process.exitCode = call.kind === 'help' ? 0 : 2;
    return;
  }
  const { value, lines, refused } = await runOn(call.command, call);
  process.stdout.write(
    call.json ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${line}\n`).join(''),
  );
  if (refused) process.exitCode = 1;
};

run().catch((error: unknown) => {
  const { message } = error as Error;
  note(error instanceof DatabaseInUseError ? `${message}: ${inUse}` : message);
  process.exitCode = 1;
});
