import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/databases.ts';
import { recordEvents } from '../../../testing/recorded-events.ts';
import type { Connection } from '../../ground/db/connect.ts';
import { readConfig } from '../config/config.ts';
import { wireRegistrations } from '../wiring/registrations.ts';
import { MisuseError } from './command.ts';
import { parseCommandLine } from './command-line.ts';
import { commands } from './commands.ts';

const config = readConfig({
  DATA_DIR: mkdtempSync(join(tmpdir(), 'candela-tokens-')),
  SECRET_KEY: 'k'.repeat(32),
  COOKIE_KEYS: 'c'.repeat(32),
});
let connection: Connection;
beforeAll(async () => {
  connection = await openTestDatabase();
});
afterAll(() => connection.close());

const run = async (...words: string[]) => {
  const call = parseCommandLine(['registration-token', ...words], commands);
  if (call.kind !== 'run') throw new Error(call.text);
  const { lines } = await call.command.run({
    config,
    connection,
    events: recordEvents(),
    args: call.args,
    options: call.options,
    note: () => undefined,
    say: () => undefined,
    progress: { isTTY: false, write: () => undefined },
    pathOf: (file) => file,
    signal: new AbortController().signal,
    prepare: async () => [],
    registrations: () => wireRegistrations({ config, connection, events: recordEvents() }),
  });
  return lines;
};
const create = (...more: string[]) => run('create', '--name', 'CI', ...more);

test.each([
  [[], '--redirect-host is missing: name the hosts of the apps'],
  [['--preset', 'spa'], '--redirect-host is missing'],
  [['--preset', 'alexa'], '--preset must be one of web, spa, native, device, machine, not "alexa"'],
  [['--redirect-host', '*.example.com'], 'without wildcards, or "any" alone; not "*.example.com"'],
  [['--redirect-host', 'https://app.example'], 'not "https://app.example"'],
  [['--redirect-host', 'any', '--redirect-host', 'app.example'], 'or "any" alone; not "any"'],
  [['--preset', 'native', '--uses', '0'], '--uses must be a whole number from 1 to 100000, not "0"'],
  [['--preset', 'native', '--uses', '1e3'], '--uses must be a whole number'],
  [['--preset', 'native', '--expires-in', 'soon'], '--expires-in must be a duration'],
  [['--preset', 'native', '--client-lifetime', '0'], '--client-lifetime must be a duration'],
  [['--preset', 'native', '--brand', 'nobody'], '--brand must be one of aurelia'],
])('create %j is misused, and makes no token', async (words, text) => {
  const made = create(...words);
  await expect(made).rejects.toThrow(text);
  await expect(made).rejects.toBeInstanceOf(MisuseError);
  expect(await run('list')).toEqual([]);
});

test('a token is printed once, and listed with what became of it', async () => {
  const [id = '', token = ''] = (
    await create('--redirect-host', 'App.Example:443', '--redirect-host', 'hub.example:8443', '--uses', '3')
  ).map((line) => line.replace(/^\w+: /, ''));
  expect(token).toMatch(/^[\w-]{43}$/);
  const listed = (await run('list')).join();
  expect(listed).toContain('web, spa, native\tapp.example, hub.example:8443\tevery brand');
  expect(listed).toContain(`${id}\tCI\tgood\t0 of 3 used\tends `);
  expect(listed).not.toContain(token);
  expect(await run('revoke', id)).toEqual([`revoked: ${id}`]);
  expect((await run('list')).join()).toContain('\trevoked\t');
  await expect(run('revoke', id)).rejects.toThrow(`no registration token "${id}" is there to revoke`);
});
