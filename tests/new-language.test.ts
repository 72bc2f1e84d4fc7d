import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { placePglite } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Chromium, openChromium } from './support/chromium.ts';
import { embeddedArgs } from './support/programs.ts';
import { accent, addPseudoLanguage, copyRepository, pseudo } from './support/pseudo-language.ts';
import { createVerbs, freePort } from './support/world.ts';

const run = promisify(execFile);
const redirectUri = 'https://app.example/callback';

let copy: string;
beforeAll(async () => {
  copy = await copyRepository();
  await addPseudoLanguage(copy);
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** What the compiler says of both apps of the copy, fault by fault. It checks all that they import, in one program. */
const compile = async (): Promise<string[]> => {
  const project = join(copy, 'tsconfig.apps.json');
  await writeFile(
    project,
    JSON.stringify({
      extends: './apps/web/tsconfig.json',
      compilerOptions: { types: ['node', 'vite/client'] },
      files: ['apps/server/src/main.ts', 'apps/server/src/cli.ts', 'apps/web/src/main.tsx'],
      include: ['apps/*/src/**/*.table.ts', ...folders.map(({ folder }) => `${folder}/**/*.ts`)],
    }),
  );
  // One checker: several of them check what they share several times.
  const args = ['--noEmit', '--pretty', 'false', '--checkers', '1', '-p', project];
  return run(join(copy, 'node_modules/.bin/tsc'), args, { cwd: copy }).then(
    () => [],
    ({ stdout }: { stdout: string }) => stdout.trim().split(/\n(?=\S)/),
  );
};

const folders = [
  { folder: 'apps/server/src/branding/texts', group: 'codes', key: 'subject' },
  { folder: 'apps/web/src/i18n', group: 'account', key: 'noPassword' },
];

test('a language of one row, and one folder in each app, compiles but for the texts that it lacks', async () => {
  const lacking = folders.map(({ folder, group, key }) => ({
    path: `${folder}/${pseudo.tag}/${group}.ts`,
    line: new RegExp(`^ *"${key}": .*\n`, 'm'),
    key,
  }));
  const whole = await Promise.all(lacking.map(({ path }) => readFile(join(copy, path), 'utf8')));
  for (const [index, { path, line }] of lacking.entries()) {
    expect(whole[index]).toMatch(line);
    await writeFile(join(copy, path), (whole[index] ?? '').replace(line, ''));
  }
  const said = await compile();
  for (const [index, { path }] of lacking.entries()) await writeFile(join(copy, path), whole[index] ?? '');
  expect(said).toEqual(
    lacking.map(({ path, key }) => expect.stringMatching(new RegExp(`^${path}[^]*'${key}'`))),
  );
});

describe('a person who speaks it', () => {
  let server: ChildProcess;
  let world: ReturnType<typeof createVerbs>;
  let chromium: Chromium;

  beforeAll(async () => {
    const port = await freePort();
    const dataDir = join(copy, 'data');
    await placePglite(dataDir);
    const clients = [{ client_id: 'app', client_secret: 's'.repeat(40), redirect_uris: [redirectUri] }];
    await writeFile(join(copy, 'clients.json'), JSON.stringify(clients));
    await run(process.execPath, [join(copy, 'apps/web/build-if-stale.ts')], { cwd: copy });
    server = spawn(process.execPath, [...embeddedArgs, join(copy, 'apps/server/src/main.ts')], {
      env: {
        PATH: process.env.PATH ?? '',
        PORT: String(port),
        DATA_DIR: dataDir,
        CLIENTS_FILE: join(copy, 'clients.json'),
        PLAYGROUND_PORT: '0',
      },
    });
    await new Promise<void>((resolve, reject) => {
      let output = '';
      for (const stream of [server.stdout, server.stderr])
        stream?.on('data', (chunk) => {
          output += chunk;
          if (output.includes('Ready in')) resolve();
        });
      server.once('exit', () => reject(new Error(output)));
    });
    const registerClients = () => Promise.reject(new Error('they are in a file'));
    world = createVerbs({
      origin: `http://localhost:${port}`,
      ports: [port],
      dataDirs: [dataDir],
      registerClients,
    });
    chromium = await openChromium();
  });
  afterAll(async () => {
    await chromium.close();
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  });

  test('is served pages in it', async () => {
    const { answer } = await world.browser({ language: pseudo.tag }).navigate('/register');
    expect(answer?.body).toContain(`<html lang="${pseudo.tag}"`);
    expect(answer?.body).toContain(`<title>${accent('Register')} - Aurelia</title>`);
    expect(answer?.body).toContain(String(accent('This page did not load')));
  });

  test('reads the documents in it, whatever the browser asks for', async () => {
    const { body } = await world.browser({ language: 'ru' }).get(`/license?lang=${pseudo.tag}`);
    expect(body).toContain(`<h1>${accent('User agreement')}</h1>`);
    expect(body).toContain(`lang="${pseudo.tag}" aria-current="true">${pseudo.name}</a>`);
  });

  test('is led there by an app', async () => {
    const request = new URLSearchParams({
      client_id: 'app',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      nonce: 'n-0S6_WzA2Mj',
      ui_locales: `xx ${pseudo.tag} ru`,
    });
    const agent = world.browser();
    const { url } = await agent.navigate(`/oauth/authorize?${request}`);
    expect((await world.details(agent, world.interactionOf(url))).locale).toBe(pseudo.tag);
    const discovery = await agent.get('/.well-known/openid-configuration');
    expect(discovery.json().ui_locales_supported).toContain(pseudo.tag);
  });

  test('registers in it, and keeps it', async () => {
    const { agent, identifier } = await world.signUp(undefined, world.browser({ language: pseudo.tag }));
    const message = await world.lastMessageTo(identifier);
    expect(message.locale).toBe(pseudo.tag);
    expect(message.text).toContain(accent('Hello,'));
    const { locale, nickname } = (await agent.get('/api/account')).json();
    expect([locale, nickname]).toEqual([pseudo.tag, expect.stringContaining(String(accent('Lamplighter')))]);
  });

  test('chooses it on a page, and the next page has its texts too', async () => {
    const page = await (await chromium.newContext({ locale: 'ru-RU' })).newPage();
    await page.goto(`${world.origin}/login`);
    await page.getByRole('button', { name: pseudo.name }).click();
    await page.getByRole('heading', { name: String(accent('Sign in')), exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(pseudo.tag);
    await page.locator('main a[href*=findbackPWD]').click();
    await page.getByRole('heading', { name: String(accent('Find back password')), exact: true }).waitFor();
  });
});
