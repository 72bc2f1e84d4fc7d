import { parseArgs } from 'node:util';
import { importAccounts } from './account-import/import-accounts.ts';
import { createProgressPrinter, describeSummary } from './account-import/progress.ts';
import { createClientService } from './client/client.service.ts';
import { readClientFile } from './client/client-file.ts';
import { type Config, readConfig } from './config.ts';
import { databaseNow, measureClock } from './db/clock.ts';
import { type Connection, connect } from './db/connect.ts';
import { reachDatabase } from './db/reach.ts';
import { createEvents, type EventSink } from './event/events.ts';
import { createLogger } from './logger.ts';
import { createClientFaultFinder } from './oidc/client-metadata.ts';
import { listSigningKeys } from './oidc/signing-key.repository.ts';
import { revokeSigningKey, rotateSigningKeys } from './oidc/signing-key.service.ts';
import { prepareDatabase, requireOwnDatabase } from './prepare-database.ts';
import { createResourceServerService } from './resource-server/resource-server.service.ts';
import { readResourceServerFile } from './resource-server/resource-server-file.ts';
import { countSealedUnderOlder, sealSecretsAnew } from './secret-key/secret-key.service.ts';
import { requireKnownFirstKey } from './secret-key/serving-process.service.ts';
import { ConfigError, StartError } from './start-error.ts';
import { sweep } from './sweep.ts';

const usage = `candela <command>

  migrate               bring the database's schema up to date
  client list           the registered clients
  client apply FILE     register or update the clients of a JSON file (see CLIENTS_FILE in the README)
  client disable ID     end all that a client was given, and give it nothing more
  client enable ID      let it begin anew
  resource list         the protected APIs
  resource apply FILE   register or update the protected APIs of a JSON file (see RESOURCES_FILE in the README)
  account import FILE   take people over from a file of one JSON object a line (see docs/importing.md)
  keys list             the keys that sign and have signed tokens
  keys rotate           let the next keys sign from now on
  keys revoke KID       withdraw a key that does not sign, with all that it signed (-- before one that begins with -)
  secrets rotate        seal anew what an older SECRET_KEY sealed, so that it can be retired
                        (--yes where no server runs)
  sweep                 delete what has expired, now

The database is that of the environment (DATABASE_URL, else DATA_DIR). The embedded one is open
to one process at a time: stop the server first.
`;

const print = (line: string) => process.stdout.write(`${line}\n`);

interface CommandContext {
  config: Config;
  connection: Connection;
  events: EventSink;
  args: string[];
  /** Whether --yes was given. */
  confirmed: boolean;
}

type Command = (context: CommandContext) => Promise<void>;

const clientsOf = ({ config, connection, events }: CommandContext) =>
  createClientService({ db: connection.db, secretKeys: config.secretKeys, events });

const setClientDisabled = async (context: CommandContext, disabled: boolean) => {
  const {
    config,
    connection,
    args: [id],
  } = context;
  const verb = disabled ? 'disable' : 'enable';
  if (!id) throw new ConfigError([`client ${verb} needs an ID`]);
  await prepareDatabase(config, connection);
  if (!(await clientsOf(context).setDisabled(id, disabled)))
    throw new ConfigError([`no client has the id "${id}"; client list shows them`]);
  print(`${verb}d: ${id}`);
};

const commands: Record<string, Command> = {
  migrate: async ({ config, connection }) => {
    const { applied } = await prepareDatabase(config, connection);
    print(applied.length > 0 ? `applied: ${applied.join(', ')}` : 'the schema is up to date');
  },
  'client list': async (context) => {
    for (const { id, brand, metadata, disabled } of await clientsOf(context).listClients()) {
      const columns = [id, String(metadata.client_name ?? ''), brand ?? 'every brand'];
      print([...columns, ...(disabled ? ['disabled'] : [])].join('\t'));
    }
  },
  'client apply': async (context) => {
    const {
      config,
      connection,
      args: [file],
    } = context;
    if (!file) throw new ConfigError(['client apply needs a FILE']);
    const rules = { ...config.clientRules, findFault: createClientFaultFinder() };
    const entries = readClientFile({ path: file, name: file }, rules);
    await prepareDatabase(config, connection);
    const ids = await clientsOf(context).applyClients(entries);
    print(`registered: ${ids.join(', ')}`);
  },
  'client disable': (context) => setClientDisabled(context, true),
  'client enable': (context) => setClientDisabled(context, false),
  'resource list': async ({ connection }) => {
    const resources = createResourceServerService({ db: connection.db });
    for (const { identifier, name, brand } of await resources.listResourceServers()) {
      print(`${identifier}\t${name}\t${brand ?? 'every brand'}`);
    }
  },
  'resource apply': async ({ config, connection, events, args: [file] }) => {
    if (!file) throw new ConfigError(['resource apply needs a FILE']);
    const entries = readResourceServerFile({ path: file, name: file }, config.clientRules.brands);
    await prepareDatabase(config, connection);
    const resources = createResourceServerService({ db: connection.db, events });
    print(`registered: ${(await resources.applyResourceServers(entries)).join(', ')}`);
  },
  'account import': async ({ config, connection, args: [file] }) => {
    if (!file) throw new ConfigError(['account import needs a FILE']);
    await prepareDatabase(config, connection);
    const progress = createProgressPrinter(process.stderr);
    const summary = await importAccounts({
      db: connection.db,
      path: file,
      secretKeys: config.secretKeys,
      now: databaseNow,
      onProgress: progress.update,
    }).finally(progress.finish);
    print(describeSummary(summary));
    if (summary.refusedTotal > 0) process.exitCode = 1;
  },
  'keys list': async ({ connection }) => {
    for (const { kid, alg, status, activated_at, retired_at } of await listSigningKeys(connection.db)) {
      const since = [
        activated_at && `signs since ${activated_at.toISOString()}`,
        retired_at && `until ${retired_at.toISOString()}`,
      ];
      print([kid, alg, status, ...since.filter(Boolean)].join('\t'));
    }
  },
  'keys rotate': async (context) => {
    const { config, connection, events } = context;
    await prepareDatabase(config, connection);
    if (await rotateSigningKeys({ db: connection.db, secretKeys: config.secretKeys }))
      events.emit('keys.rotated', { detail: 'by command' });
    await commands['keys list']?.(context);
  },
  'keys revoke': async ({ config, connection, events, args: [kid] }) => {
    if (!kid) throw new ConfigError(['keys revoke needs a KID, as keys list names them']);
    const revoked = await revokeSigningKey({ db: connection.db, secretKeys: config.secretKeys }, kid);
    if (!revoked)
      throw new ConfigError([`no key ${kid} that can be revoked: one that signs has to be rotated first`]);
    events.emit('keys.revoked', { detail: kid });
    print(`revoked: ${kid}`);
  },
  'secrets rotate': async ({ config, connection, events, confirmed }) => {
    await prepareDatabase(config, connection);
    const options = { db: connection.db, secretKeys: config.secretKeys };
    await requireKnownFirstKey({ ...options, confirmed });
    const count = await sealSecretsAnew(options);
    if (count > 0) events.emit('secrets.sealed_anew', { count });
    const left = await countSealedUnderOlder(options);
    if (left > 0)
      throw new StartError(
        `sealed anew: ${count}; ${left} are under an older key by now: a process still has it in front. Put the newest in front everywhere, and run this again`,
      );
    print(`sealed anew: ${count}; nothing needs another SECRET_KEY than the first`);
  },
  sweep: async ({ connection }) => {
    print(`${await sweep(connection.db)} rows deleted`);
  },
};

const run = async () => {
  const { positionals, values } = parseArgs({
    options: { yes: { type: 'boolean' } },
    allowPositionals: true,
    strict: false,
  });
  const [first = '', second = ''] = positionals;
  const name = [`${first} ${second}`, first].find((candidate) => Object.hasOwn(commands, candidate));
  const command = name && commands[name];
  if (!command) {
    process.stdout.write(usage);
    process.exitCode = first === '' || first === 'help' ? 0 : 2;
    return;
  }
  const config = readConfig();
  const connection = await connect({
    databaseUrl: config.databaseDirectUrl,
    dataDir: config.dataDir,
    poolSize: 1,
    patient: true,
    prepared: config.databasePrepared,
  });
  try {
    await reachDatabase(connection, {
      setting: config.databaseDirectUrl === config.databaseUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL',
      patienceSeconds: 0,
    });
    await requireOwnDatabase(config, connection);
    // The embedded database has the clock of this process.
    if (connection.kind === 'postgres') await measureClock(connection.db);
    const events = createEvents(createLogger(config.logLevel));
    const args = positionals.slice(name.split(' ').length);
    await command({ config, connection, events, args, confirmed: values.yes === true });
  } finally {
    await connection.close();
  }
};

run().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
});
