import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Chromium, openChromium } from '../support/chromium.ts';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { freePort, PASSWORD } from '../support/world.ts';
import { readDocumented } from './documented.ts';
import { createRunningApps } from './running-apps.ts';

const NAME = 'Lena Moroz';

let world: SecureWorld;
let browser: Chromium;
let apps: Awaited<ReturnType<typeof createRunningApps>>;
let page: Page;
let identifier: string;
const faults: string[] = [];

const typePassword = async () => {
  await page.waitForURL(`${world.origin}/login?**`);
  await page.getByRole('tab', { name: 'Password' }).click();
  const toEmail = page.getByRole('button', { name: 'Use e-mail' });
  if (await toEmail.isVisible()) await toEmail.click();
  await page.getByLabel('E-mail', { exact: true }).fill(identifier);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

beforeAll(async () => {
  world = await createSecureWorld();
  [browser, apps] = await Promise.all([openChromium(), createRunningApps(world.certificate)]);
  const person = await world.signUp();
  identifier = person.identifier;
  await person.agent.request('PATCH', '/api/account', { json: { nickname: NAME } });
  // The certificate of the tests is self-signed.
  const context = await browser.newContext({ locale: 'en-US', ignoreHTTPSErrors: true });
  context.setDefaultTimeout(15_000);
  page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  await page.goto(`${world.origin}/login`);
  await typePassword();
  await page.waitForURL('**/index');
});
afterAll(async () => {
  await browser?.close();
  await apps?.close();
  await world?.close();
});
beforeEach(() => faults.splice(0));
afterEach(() => expect(faults).toEqual([]));

/** Registers the client of that page, and returns its program with the names of this world. */
const prepare = async (name: string) => {
  const port = await freePort();
  const app = `http://localhost:${port}`;
  const clientSecret = randomBytes(32).toString('hex');
  const { registration, program } = readDocumented(name, { issuer: world.origin, app, clientSecret });
  await world.registerClients([registration]);
  const environment = {
    ISSUER: world.origin,
    CLIENT_ID: registration.client_id,
    CLIENT_SECRET: clientSecret,
    SESSION_SECRET: randomBytes(32).toString('hex'),
  };
  return { app, port, program: program.replace('listen(8080)', `listen(${port})`), environment };
};

const allow = async () => {
  await page.waitForURL(`${world.origin}/consent?**`);
  await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).click();
};

const greeting = () => page.getByText(`Hello, ${NAME}`);

test.each([
  { name: 'openid-client', press: ['Sign in'] },
  { name: 'oauth4webapi', press: ['Sign in'] },
  { name: 'Auth.js', press: ['Sign in', 'Sign in with Candela'] },
  { name: 'passport-openidconnect', press: ['Sign in'] },
])('$name, as documented, signs a person in and shows their name', async ({ name, press }) => {
  const { app, program, environment } = await prepare(name);
  await apps.runProgram(name, program, environment);
  await page.goto(app);
  for (const label of press)
    await page
      .getByRole('link', { name: label, exact: true })
      .or(page.getByRole('button', { name: label }))
      .click();
  await allow();
  await page.waitForURL(`${app}/**`);
  await greeting().waitFor();
});

test('a home hub without PKCE, as documented, signs a person in and refreshes, and a restart keeps its link', async () => {
  const name = 'A home hub without PKCE';
  const { app, program, environment } = await prepare(name);
  const stop = await apps.runProgram('hub', program, environment);
  await page.goto(app);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await allow();
  await greeting().waitFor();
  await stop();
  await apps.runProgram('hub', program, environment);
  const refreshed = page.waitForResponse(`${app}/refresh`);
  await page.getByRole('link', { name: 'Refresh' }).click();
  expect((await refreshed).status()).toBe(303);
  await greeting().waitFor();
});

test('express-openid-connect, as documented, signs a person in, out and in again', async () => {
  const { app, program, environment } = await prepare('express-openid-connect');
  await apps.runProgram('express-openid-connect', program, environment);
  await page.goto(app);
  await allow();
  await greeting().waitFor();
  // The app requires a session; the portal asks for the password only if its own session is over too.
  await page.goto(`${app}/logout`);
  await typePassword();
  await greeting().waitFor();
});

test('next-auth, as documented, signs a person in and shows their name', async () => {
  const { app, port, program, environment } = await prepare('next-auth');
  await apps.runPage('next-auth', program, port, { ...environment, NEXTAUTH_URL: app });
  await page.goto(`${app}/api/auth/signin?callbackUrl=/api/auth/session`);
  await page.getByRole('button', { name: 'Sign in with Candela' }).click();
  await allow();
  await page.waitForURL(`${app}/api/auth/session`);
  expect(JSON.parse((await page.textContent('body')) ?? '')).toMatchObject({ user: { name: NAME } });
});

test('oidc-client-ts, as documented, signs a person in, refreshes, disconnects and signs out', async () => {
  const { app, port, program } = await prepare('oidc-client-ts');
  await apps.serveScript(program, ['oidc-client-ts', 'jwt-decode'], port);
  await page.goto(app);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await allow();
  await greeting().waitFor();
  const refreshed = page.waitForResponse(`${world.origin}/oauth/token`);
  await page.getByRole('button', { name: 'Refresh' }).click();
  expect((await refreshed).status()).toBe(200);
  await greeting().waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('Nobody is here').waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await allow();
  await greeting().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Nobody is here').waitFor();
  await page.goto(`${world.origin}/index`);
  await page.waitForURL(`${world.origin}/login?**`);
});
