import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { freePort, PASSWORD } from '../support/world.ts';
import { openPage } from './pages.ts';
import { openTerminal, type Terminal } from './shell.ts';

const EMAIL = 'first@example.com';
const LIBRARY = 'docs/integrating/openid-client.md';

const root = join(import.meta.dirname, '../..');

let folder: string;
let clone: string;
let browser: Browser;
const terminals: Terminal[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'candela-first-hour-'));
  clone = join(folder, 'candela');
  execFileSync('git', ['clone', '--quiet', root, clone]);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  for (const terminal of terminals) await terminal.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail')
    for (const terminal of terminals) process.stdout.write(terminal.output());
});

const type = (commands: string, at: string, settings?: Record<string, string>): Terminal => {
  // The README: without a terminal write `npx -y`.
  const terminal = openTerminal(commands.replaceAll('npx pnpm@12', 'npx -y pnpm@12'), at, settings);
  terminals.push(terminal);
  return terminal;
};

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
  const [port, playground, appPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const issuer = `http://localhost:${port}`;
  /** Puts in the ports of this machine and what the registration printed; all else stays as it is written. */
  const fill = (text: string, printed: Record<string, string> = {}) =>
    Object.entries(printed)
      .reduce((filled, [name, value]) => filled.replace(`${name}=...`, `${name}=${value}`), text)
      .replaceAll('http://localhost:3000', issuer)
      .replaceAll('localhost:8080', `localhost:${appPort}`)
      .replaceAll('listen(8080)', `listen(${appPort})`);
  const readme = openPage(clone, 'README.md');
  const page = openPage(clone, LIBRARY);
  const startedAt = performance.now();

  const start = readme.block('How do I get a first token?', 'sh');
  const server = type(start, clone, { PORT: String(port), PLAYGROUND_PORT: String(playground) });
  await server.read(/Ready in/);
  const readySeconds = (performance.now() - startedAt) / 1000;

  const CLIENT_ID = 'openid-client';
  const CLIENT_SECRET = randomBytes(32).toString('hex');
  const entry = fill(page.block('How do I register it?', 'json')).replace(
    '"..."',
    JSON.stringify(CLIENT_SECRET),
  );
  writeFileSync(join(clone, 'clients.json'), `[${entry}]`);
  await type('npx pnpm@12 candela client apply clients.json', clone).ended();

  const mine = join(folder, 'my-website');
  mkdirSync(mine);
  writeFileSync(join(mine, 'app.mjs'), fill(page.block('What do I write?', 'js')));
  const run = fill(page.block('How do I run it?', 'sh'), { CLIENT_ID, CLIENT_SECRET });
  const app = type(run, mine);
  await app.read(/added \d+ packages/);

  const tab = await browser.newPage({ locale: 'en-US' });
  tab.setDefaultTimeout(20_000);
  await expect
    .poll(() =>
      fetch(`http://localhost:${appPort}`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true);
  await tab.goto(`http://localhost:${appPort}`);
  await tab.getByRole('link', { name: 'Sign in' }).click();
  await signUp(tab);
  await tab.getByText('Hello, Lamplighter').waitFor();
  const [, email] = await app.read(/email: '([^']+)'/, 5);
  expect(email).toBe(EMAIL);

  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    `first hour: ${seconds.toFixed(1)} s from npx pnpm@12 start to the first token, ${readySeconds.toFixed(1)} s of them until the server was ready\n`,
  );
}, 180_000);
