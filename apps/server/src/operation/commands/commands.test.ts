import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { recordEvents } from '../../../testing/recorded-events.ts';
import { createLogger } from '../../ground/logger.ts';
import { loadSigningKeys } from '../../link/signing-key/signing-key.service.ts';
import { callServer } from '../command-socket/call-server.ts';
import { type CommandSocket, serveCommands } from '../command-socket/serve-commands.ts';
import { readConfig } from '../config/config.ts';
import { wireRegistrations } from '../wiring/registrations.ts';
import { parseCommandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { type CommandCall, type LendPlace, runCall } from './run-call.ts';

const groups = new Set(
  commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])),
);
/** Splits words as a shell does. */
const split = (words: string) =>
  [...words.matchAll(/'([^']*)'|"([^"]*)"|[^\s"']+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  );
const parse = (words: string) => parseCommandLine(split(words), commands);

test.each(commands)('candela $name explains itself with --help, with an example', (command) => {
  for (const words of [`${command.name} --help`, `help ${command.name}`]) {
    const call = parse(words);
    expect(call).toMatchObject({ kind: 'help', text: expect.stringContaining(command.summary) });
  }
  const example = parse(command.example);
  expect(example).toMatchObject({ kind: 'run', command });
});

test.each(commands)(
  'the help of $name says whose settings count: those of a server, or of the caller',
  (command) => {
    const call = parse(`${command.name} --help`);
    const ofServer = expect.stringMatching(
      /\n{2}The database is that of the environment .*\n.*\n.*DATA_DIR counts\.\n$/,
    );
    const ofCaller = expect.stringMatching(
      /\n{2}The settings are those of the caller's environment, also .*\n$/,
    );
    expect(call).toMatchObject({ text: command.needs === 'environment' ? ofCaller : ofServer });
  },
);

test.each(['', ...groups])('candela %s --help lists its commands, with an example', (group) => {
  const call = parse(`${group} --help`);
  expect(call.kind).toBe('help');
  if (call.kind !== 'help') return;
  for (const { name, summary } of commands)
    expect(call.text.includes(summary), name).toBe(group === '' || name.startsWith(`${group} `));
  expect(call.text).toContain('example:\n  npx pnpm@12 candela ');
});

test.each([
  ['client list --jsno', 'client list has no option --jsno\nusage: candela client list [--json]\n'],
  ['client list --json=yes', '--json takes no value\nusage: candela client list [--json]\n'],
  ['client list -v', 'client list has no option -v\nusage: candela client list [--json]\n'],
  ['client apply', 'client apply needs FILE\nusage: candela client apply FILE [--dry-run] [--json]\n'],
  ['sweep now', 'sweep does not know what to do with now\nusage: candela sweep [--json]\n'],
  ['client frob', 'there is no command "client frob": see candela client --help\n'],
  ['frob', 'there is no command "frob": see candela --help\n'],
  ['help frob', 'there is no command "frob": see candela --help\n'],
  ['--json', 'no command was given: see candela --help\n'],
])('candela %s is misused, and answered with its usage', (words, text) => {
  expect(parse(words)).toEqual({ kind: 'misuse', text });
});

test('an argument that begins with - is accepted after --', () => {
  expect(parse('keys revoke -- -key')).toMatchObject({ kind: 'run', args: ['-key'] });
});

// As they are called: beside PostgreSQL in a process of their own, on the embedded database through its server.
describeOnDatabases('every command', (connection) => {
  const directory = mkdtempSync(join(tmpdir(), 'candela-commands-'));
  const config = readConfig({
    DATA_DIR: directory,
    SECRET_KEY: 'k'.repeat(32),
    COOKIE_KEYS: 'c'.repeat(32),
  });
  const lend: LendPlace = (_command, _surroundings, work) =>
    work({
      config,
      connection,
      events: recordEvents(),
      prepare: async () => [],
      registrations: () => wireRegistrations({ config, connection, events: recordEvents() }),
    });
  const logger = { ...createLogger('silent'), warn: vi.fn() };
  let socket: CommandSocket | undefined;
  beforeAll(async () => {
    await loadSigningKeys({ db: connection.db, secretKeys: config.secretKeys });
    if (connection.kind === 'pglite')
      socket = await serveCommands({ dataDir: directory, commands, lend, logger });
  });
  afterAll(async () => {
    await socket?.close();
    rmSync(directory, { recursive: true });
  });

  const run = async (...argv: string[]) => {
    const said = { out: '', error: '' };
    const call: CommandCall = {
      argv,
      pathOf: (file) => resolve(directory, file),
      signal: new AbortController().signal,
      isTerminal: false,
      writeOut: (text) => {
        said.out += text;
      },
      writeError: (text) => {
        said.error += text;
      },
    };
    const status = socket
      ? await callServer(directory, call, directory)
      : await runCall(call, commands, lend);
    return { status, ...said };
  };
  const answer = async (words: string) => {
    const answered = await run('--json', ...split(words));
    expect(answered).toMatchObject({ status: 0 });
    return JSON.parse(answered.out);
  };
  const fileOf = async (name: string, content: unknown) => {
    await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
    return name;
  };

  test('PL18: answers with a value for --json, in which a secret is only where it is made', async () => {
    const clients = await fileOf('clients.json', [
      {
        client_id: 'hub',
        client_secret: 'a-long-random-secret-of-the-app-alone',
        redirect_uris: ['https://hub.example/callback'],
      },
    ]);
    const identifier = 'https://lights.example/v1';
    const apis = await fileOf('apis.json', [
      { identifier, name: 'Lights', scopes: [{ name: 'lights:read' }] },
    ]);
    const people = await fileOf('people.jsonl', '{"email":"ada@example.com"}\n');
    const asked = new Set<string>();
    const answers: unknown[] = [];
    const ask = async (name: string, ...more: string[]) => {
      asked.add(name);
      const value = await answer([name, ...more].join(' '));
      answers.push(value);
      return value;
    };
    expect(await ask('migrate')).toEqual({ applied: [] });
    const added = { dryRun: true, entries: [{ id: 'hub', outcome: 'added', changes: [], warnings: [] }] };
    expect(await ask('client apply', clients, '--dry-run')).toEqual(added);
    expect(await ask('client apply', clients)).toEqual({ ...added, dryRun: false });
    expect(await ask('client list')).toMatchObject([
      { client_id: 'hub', disabled: false, source: 'operator' },
    ]);
    expect(await ask('client disable', 'hub')).toEqual({ id: 'hub', disabled: true });
    expect(await ask('client enable', 'hub')).toEqual({ id: 'hub', disabled: false });
    expect(await ask('resource apply', apis)).toMatchObject({
      entries: [{ id: identifier, outcome: 'added' }],
    });
    expect(await ask('resource list')).toMatchObject([{ identifier, name: 'Lights' }]);
    expect(await ask('account import', people)).toMatchObject({ imported: 1, refusedTotal: 0 });
    const links = await fileOf('links.jsonl', '');
    expect(await ask('link import', links)).toMatchObject({ imported: 0, refusedTotal: 0 });

    const { id: person } = await ask('account show', 'ada@example.com');
    expect(await ask('account disable', person, '--reason', 'lost')).toMatchObject({ links: 'suspended' });
    expect(await ask('account enable', 'ada@example.com')).toEqual({ id: person, changed: true });
    expect(await ask('account reset-factors', person, '--yes')).toEqual({ id: person, changed: false });
    const file = await ask('account export', 'ada@example.com', '--out', 'ada.zip');
    expect(file).toMatchObject({ id: person, path: join(directory, 'ada.zip') });
    expect(readFileSync(join(directory, 'ada.zip')).subarray(0, 2).toString()).toBe('PK');
    const leaving = await ask('account delete', 'ada@example.com', '--yes');
    expect(Date.parse(leaving.endsAt) - Date.now()).toBeGreaterThan(13.9 * 86_400_000);
    expect(await run('account', 'delete', person, '--yes')).toEqual({
      status: 1,
      out: '',
      error: expect.stringContaining('account delete --now deletes it at once'),
    });
    expect(await ask('account delete', person, '--yes', '--now')).toEqual({ id: person, deleted: true });
    await ask('account import', people);
    const moved = await fileOf('links.jsonl', '\n');
    expect(await ask('link import', moved)).toMatchObject({ imported: 0, refusedTotal: 0 });

    expect(await ask('developer allow', 'ada@example.com')).toMatchObject({ changed: true });
    expect(await ask('developer list')).toMatchObject([{ identifiers: ['ada@example.com'] }]);
    expect(await ask('developer requests')).toEqual([]);
    const { client_id: id, client_secret } = await ask(
      'client create',
      '--preset web --name Lamp --redirect-uri https://lamp.example/ --owner ada@example.com',
    );
    const { secret } = await ask('client add-secret', id, '--name next');
    expect([client_secret, secret]).toEqual(Array(2).fill(expect.stringMatching(/^[\w-]{43}$/)));
    answers.splice(-2);
    expect(await ask('client update', id, '--set client_name=Lamps')).toMatchObject({ client_name: 'Lamps' });
    expect(await ask('client remove-secret', id, 'registered')).toEqual({ id, name: 'registered' });
    expect(await ask('client show', id)).toMatchObject({ secrets: [{ name: 'next' }], links: 0 });
    expect(await ask('client delete', id, '--yes')).toEqual({ id, links: 0 });
    const history = await ask('client history', id);
    expect(history.map(({ action }: { action: string }) => action)).toEqual([
      'deleted',
      'disabled',
      'secret_removed',
      'updated',
      'secret_added',
      'created',
    ]);
    expect(await ask('developer revoke', 'ada@example.com')).toMatchObject({ nickname: expect.any(String) });

    expect(await ask('staff allow', 'ada@example.com', '--role support')).toMatchObject({ changed: true });
    expect(await ask('staff list')).toMatchObject([{ identifiers: ['ada@example.com'], role: 'support' }]);
    expect(await ask('staff revoke', 'ada@example.com')).toMatchObject({ changed: true });
    expect(await run('staff', 'revoke', 'ada@example.com')).toMatchObject({
      status: 1,
      out: '',
      error: expect.stringMatching(/^\S+ is no staff: staff list shows who is\n$/),
    });
    const record = await ask('record verify');
    expect(record).toMatchObject({ entries: expect.any(Number), hash: expect.stringMatching(/^\w{64}$/) });
    expect(record).not.toHaveProperty('brokenAt');

    const { token, ...facts } = await ask('registration-token create', '--name', 'CI', '--preset', 'native');
    expect(token).toMatch(/^[\w-]{43}$/);
    answers.splice(-1);
    expect(await ask('registration-token list')).toEqual([facts]);
    expect(await ask('registration-token revoke', facts.id)).toEqual({ id: facts.id });

    await connection.db
      .insertInto('signal_stream')
      .values({
        id: 'stream',
        brand: 'aurelia',
        client_id: 'hub',
        delivery_method: 'webhook',
        events_requested: [],
      })
      .execute();
    expect(await ask('stream list')).toMatchObject([{ id: 'stream', clientId: 'hub', waiting: 0 }]);
    expect(await ask('stream test', 'stream')).toEqual({ id: 'stream' });
    expect(await ask('stream pause', 'stream', '--reason work')).toMatchObject({ statusReason: 'work' });
    expect(await ask('stream resume', 'stream')).toMatchObject({ status: 'enabled' });
    expect(await ask('stream show', 'stream')).toMatchObject({
      deliveries: [{ event: 'stream-updated' }, { event: 'stream-updated' }, { event: 'verification' }],
    });
    expect(await ask('stream replay', 'stream', '--since 2026-01-01')).toEqual({ id: 'stream', count: 0 });
    const webhook = await ask('stream secret', 'stream');
    expect(webhook.secret).toMatch(/^whsec_/);
    answers.splice(-1);
    expect(await ask('stream delete', 'stream', '--yes')).toEqual({ id: 'stream' });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const account = await fileOf('account.json', {
      client_email: 'hub@our-lights.example',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: 'https://oauth2.googleapis.com/token',
    });
    const home = await answer(
      'client create --preset google-home --name Google --set project_id=our-lights-1a2b3',
    );
    const toGoogle = ['stream google', home.client_id, `--service-account ${account}`] as const;
    expect(await ask(...toGoogle)).toMatchObject({ deliveryMethod: 'google', events: ['link-ended'] });

    // Nothing serves here; tests/platforms/link-check.test.ts plays against a server.
    asked.add('link check');
    const checked = await run('--json', 'link', 'check', home.client_id);
    expect([checked.status, JSON.parse(checked.out)]).toMatchObject([
      1,
      { platform: 'google-home', passed: false },
    ]);
    const keys = await ask('keys rotate');
    expect(keys).toEqual(await ask('keys list'));
    const { kid } = keys.find(({ status }: { status: string }) => status === 'next');
    expect(await ask('keys revoke', '--', kid)).toEqual({ kid });
    expect(await ask('secrets rotate')).toEqual({ sealedAnew: 0 });
    const backup = await ask('backup', 'all.backup');
    expect(backup).toMatchObject({ path: join(directory, 'all.backup'), rows: { account: 1 } });
    // Into the database that it was made of, which serves nobody.
    asked.add('restore');
    expect(await answer('restore all.backup --replace --yes')).toMatchObject({ at: backup.at, migrated: [] });
    const restored = await run('restore', 'all.backup', '--replace', '--yes');
    expect(restored.out).toContain('an app that has refreshed since has to be linked again');
    expect(await ask('sweep')).toEqual({ deleted: expect.any(Number) });
    const onDatabase = commands.filter(({ needs }) => needs !== 'environment').map(({ name }) => name);
    expect([...asked].toSorted()).toEqual(onDatabase.toSorted());
    const told = JSON.stringify(answers);
    for (const value of [
      'a-long-random-secret-of-the-app-alone',
      client_secret,
      secret,
      token,
      webhook.secret,
    ])
      expect(told).not.toContain(value);
    expect(told).not.toContain('"client_secret":"');
  });

  test('that is refused changes nothing, and names what would be right', async () => {
    const { client_id: id } = await answer('client create --preset machine --name Timer');
    const before = await answer('client list');
    const unknown = 'no client has the id "nobody"; client list shows them\n';
    const refused: [words: string, status: number, error: string][] = [
      [`update ${id} --set grant_types=["password"]`, 1, 'grant_types must not have "password" with preset'],
      [`update ${id} --set redirect_uri=x`, 2, '--set redirect_uri: there is no such field'],
      [`update ${id} --set brand=lamps`, 1, 'brand "lamps" is not served: served are aurelia'],
      ['update nobody --set brand=', 1, unknown],
      ['create --preset web', 2, 'client create needs --name NAME\nusage: '],
      ['create --preset www --name Hub', 1, 'preset must be one of alexa, google-home, '],
      ['create --preset alexa --name Alexa', 1, 'vendor_id is missing: preset alexa takes it'],
      ['create --preset web --name Hub --set name=Lamp', 2, '--set name: --name, --brand and'],
      ['create --preset web --name Hub --redirect-uri javascript:alert(1)', 1, 'redirect_uris[0] '],
      ['create --preset web --name Hub --owner bob@example.com', 1, 'no allowed developer has that phone'],
      ['show nobody', 1, unknown],
      ['history nobody', 1, unknown],
      ['disable nobody', 1, unknown],
      ['delete nobody --yes', 1, unknown],
      [`delete ${id}`, 2, `client delete ${id} needs --yes. "Timer" would end for good`],
      [`add-secret ${id} --name a/b`, 1, 'the name of a secret must be 1 to 40 '],
      [`add-secret ${id} --name registered`, 1, 'the client has a secret of that name'],
      [`add-secret ${id} --name a --expires-in P9Y`, 1, 'a secret must end in the future, within five years'],
      [`add-secret ${id} --name a --expires-in soon`, 2, '--expires-in must be a duration such as 12h'],
      [`remove-secret ${id} other`, 1, `client "${id}" has no secret "other": it has "registered"`],
    ];
    for (const [words, status, error] of refused)
      expect(await run('client', ...words.split(' ')), words).toEqual({
        status,
        out: '',
        error: expect.stringContaining(error),
      });
    for (const words of ['developer allow bob@example.com', 'developer revoke ada@example.com'])
      expect(await run(...split(words)), words).toMatchObject({ status: 1, out: '' });
    expect(await answer('client list')).toEqual(before);
  });

  test('that disables a client says how many links it ended', async () => {
    const { client_id: id } = await answer(
      'client create --preset alexa --name Alexa --set vendor_id=M2EXAMPLE1234',
    );
    const line = { client_id: id, account: 'ada@example.com', refresh_token: 'old', scope: 'openid' };
    await answer(`link import ${await fileOf('links-to-end.jsonl', JSON.stringify(line))}`);
    expect(await run('client', 'disable', id)).toMatchObject({
      status: 0,
      error: expect.stringContaining(`1 link of "${id}" ended for good`),
    });
    expect(await answer(`client show ${id}`)).toMatchObject({ disabled: true, links: 0 });
  });

  test('that names a scope which nobody has is obeyed, with a warning', async () => {
    const made = await run(
      'client',
      ...split('create --preset machine --name Typist --set scope=light:swich'),
    );
    const warning =
      /^warning: client "\S+" \.scope has "light:swich", which is no scope of the account or of an API$/m;
    expect(made).toMatchObject({ status: 0, error: expect.stringMatching(warning) });
    const [, id = ''] = /^client_id: (\S+)/.exec(made.out) ?? [];
    const update = (scope: string) => run('client', 'update', id, '--set', `scope=${scope}`);
    expect(await update('light:dimm')).toMatchObject({
      status: 0,
      error: expect.stringContaining('has "light:dimm", which is no scope'),
    });
    expect((await update('clients')).error).not.toContain('warning');
  });

  test('that shows contacts of people leaves an entry in the record', async () => {
    const entries = async () => {
      const asked = connection.db.selectFrom('staff_record').select('subject').orderBy('entry');
      return (await asked.where('action', '=', 'command').execute()).map(({ subject }) => subject);
    };
    const before = (await entries()).length;
    const shown = ['account show ada@example.com', 'developer list', 'developer requests', 'staff list'];
    for (const words of shown) await answer(words);
    expect((await entries()).slice(before)).toEqual([
      expect.stringMatching(/^account show a\S*@example\.com$/),
      ...shown.slice(1),
    ]);
  });

  test('whose file is not to be read or written says so in words, and the server logs no fault', async () => {
    logger.warn.mockClear();
    const there = await fileOf('there.txt', 'of another');
    const missing = join(directory, 'missing', 'x');
    const noDirectory = `${missing}.part: there is no directory ${join(directory, 'missing')}`;
    const exists = `${join(directory, there)} exists already, and nothing is overwritten: name another file, or move it away`;
    const refused: [words: string, error: string][] = [
      ['backup missing/x', noDirectory],
      ['record verify --export there.txt', exists],
      ['account export ada@example.com --out there.txt', exists],
      ['account import missing/x', `${missing}: there is no directory`],
      ['account import none', `${join(directory, 'none')} does not exist\n`],
      ['account import .', `${directory} is a directory: name a file\n`],
      ['account import there.txt/x', `${join(directory, 'there.txt/x')}: what stands in the place of one`],
      ['restore none', `${join(directory, 'none')} does not exist\n`],
      ['restore .', `${directory} is a directory: name a file\n`],
    ];
    for (const [words, error] of refused) {
      const answered = await run(...split(words));
      expect(answered, words).toMatchObject({ status: 1, out: '' });
      expect(answered.error, words).toContain(error);
      expect(answered.error, words).not.toMatch(/E[A-Z]{4,}|\bat /);
    }
    expect(logger.warn).not.toHaveBeenCalled();
    expect(readFileSync(join(directory, there), 'utf8')).toBe('of another');
  });

  test('link import without a file begins nothing, and one that does not complete says what to do next', async () => {
    const begun = () => connection.db.selectFrom('lease').where('name', '=', 'links').selectAll().execute();
    for (const [words, why] of [
      ['link import nowhere.jsonl', `${join(directory, 'nowhere.jsonl')} does not exist\n`],
      ['link import .', `${directory} is a directory: name a file\n`],
    ] as const) {
      const error = `the import did not begin, and refresh tokens are answered as before\n${why}`;
      expect(await run(...split(words))).toEqual({ status: 1, out: '', error });
    }
    expect(await begun()).toEqual([]);

    const links = await fileOf('links.jsonl', '');
    // Where the report of refused lines would be.
    mkdirSync(join(directory, `${links}.refused.jsonl`));
    const { status, error } = await run('link', 'import', links);
    expect(status).toBe(1);
    expect(error).toContain('the import did not complete: start it again within an hour.');
    expect(await begun()).toHaveLength(1);
    rmSync(join(directory, `${links}.refused.jsonl`), { recursive: true });
    expect(await answer(`link import ${links}`)).toMatchObject({ imported: 0 });
    expect(await begun()).toEqual([]);
  });
});
