import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Chromium, openChromium } from '../support/chromium.ts';
import { freePort, PASSWORD } from '../support/world.ts';
import { openPage } from './pages.ts';
import { openTerminal, type Terminal } from './shell.ts';

const EMAIL = 'first@example.com';
const LIBRARY = 'docs/integrating/openid-client.md';
const REGISTERING = 'docs/integrating/registering.md';

const root = join(import.meta.dirname, '../..');

let folder: string;
let clone: string;
let browser: Chromium;
let ports: { server: number; playground: number; app: number };
let startedAt: number;
let readySeconds: number;
const terminals: Terminal[] = [];

const secondsSinceStart = () => (performance.now() - startedAt) / 1000;

const type = (commands: string, at: string, settings?: Record<string, string>): Terminal => {
  // The README: without a terminal write `npx -y`.
  const terminal = openTerminal(commands.replaceAll('npx pnpm@12', 'npx -y pnpm@12'), at, settings);
  terminals.push(terminal);
  return terminal;
};

/** Puts in the ports of this machine and what a registration printed; all else stays as it is written. */
const fill = (text: string, printed: Record<string, string> = {}) =>
  Object.entries(printed)
    .reduce((filled, [name, value]) => filled.replace(`${name}=...`, `${name}=${value}`), text)
    .replaceAll('http://localhost:3000', `http://localhost:${ports.server}`)
    .replaceAll('localhost:8080', `localhost:${ports.app}`)
    .replaceAll('listen(8080)', `listen(${ports.app})`);

/** The first block of a language below a heading, filled in. */
const copy = (path: string, heading: string, language: string, printed?: Record<string, string>) =>
  fill(openPage(clone, path).blocks(heading, language)[0] ?? '', printed);

/** Registers a client by a command, and reads what it prints. */
const register = async (command: string) => {
  const registration = type(command, clone);
  await registration.ended();
  const [, CLIENT_ID = ''] = await registration.read(/client_id: (\S+)/);
  const [, CLIENT_SECRET = ''] = await registration.read(/client_secret: (\S+)/);
  return { CLIENT_ID, CLIENT_SECRET };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candela-first-hour-'));
  clone = join(folder, 'candela');
  execFileSync('git', ['clone', '--quiet', root, clone]);
  browser = await openChromium();
  ports = { server: await freePort(), playground: await freePort(), app: await freePort() };
  startedAt = performance.now();
  const server = type(copy('README.md', 'How do I get a first token?', 'sh'), clone, {
    PORT: String(ports.server),
    PLAYGROUND_PORT: String(ports.playground),
  });
  await server.read(/Ready in/, 300);
  readySeconds = secondsSinceStart();
}, 360_000);
afterAll(async () => {
  await browser?.close();
  for (const terminal of terminals) await terminal.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail')
    for (const terminal of terminals) process.stdout.write(terminal.output());
});

/** The code of the message that the person waits for, which arrives while this is asked. */
const readCode = async (page: Page): Promise<string> => {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const lines = readFileSync(join(clone, 'data/outbox.jsonl'), { encoding: 'utf8', flag: 'a+' });
    const message = lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .findLast(({ to }) => to === EMAIL);
    if (message) return message.code;
    await page.waitForTimeout(50);
  }
  throw new Error(`no code came to ${EMAIL}`);
};

/** Signs up in the portal, and approves the app. */
const signUp = async (page: Page) => {
  await page.getByRole('link', { name: 'Register' }).click();
  await page.getByRole('tab').first().waitFor({ state: 'detached' });
  const toEmail = page.getByRole('button', { name: 'Use e-mail' });
  if (await toEmail.isVisible()) await toEmail.click();
  await page.getByLabel('E-mail', { exact: true }).fill(EMAIL);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill(await readCode(page));
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Agree and Register' }).click();
  await page.waitForURL('**/consent?**');
  await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).click();
};

test('who follows README and the page of openid-client from a bare clone has a token in an app of their own', async () => {
  const printed = await register(copy(LIBRARY, 'How do I register it?', 'sh'));
  const mine = join(folder, 'my-website');
  mkdirSync(mine);
  writeFileSync(join(mine, 'app.mjs'), copy(LIBRARY, 'What do I write?', 'js'));
  const app = type(copy(LIBRARY, 'How do I run it?', 'sh', printed), mine);
  await app.read(/added \d+ packages/);
  const address = `http://localhost:${ports.app}`;
  const listens = async () => (await fetch(address).catch(() => undefined))?.ok;
  await expect.poll(listens, { timeout: 30_000 }).toBe(true);

  const tab = await (await browser.newContext({ locale: 'en-US' })).newPage();
  tab.setDefaultTimeout(20_000);
  await tab.goto(address);
  await tab.getByRole('link', { name: 'Sign in' }).click();
  await signUp(tab);
  await tab.getByText('Hello, Lamplighter').waitFor();
  const [, email] = await app.read(/email: '([^']+)'/, 5);
  expect(email).toBe(EMAIL);
  process.stdout.write(
    `first hour: ${secondsSinceStart().toFixed(1)} s from npx pnpm@12 start to the first token, ${readySeconds.toFixed(1)} s of them until the server was ready\n`,
  );
}, 180_000);

test('a machine that follows the page about registering makes, changes and deletes a client', async () => {
  const [command = '', script = ''] = openPage(clone, REGISTERING).blocks(
    'How does a machine register clients?',
    'sh',
  );
  const machine = type(fill(script, await register(command)), folder);
  await machine.ended();
  const { client, secret } = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8'));
  expect(client).toMatchObject({ client_name: 'My website', source: 'machine' });
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(machine.output()).toContain('"name":"2027"');
  expect(machine.output()).not.toContain('"error"');
  const list = type('npx pnpm@12 candela client list', clone);
  await list.ended();
  expect(list.output()).toContain('Terraform');
  expect(list.output()).not.toContain(client.client_id);
}, 60_000);
