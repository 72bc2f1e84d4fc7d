import { openPglite } from '@candela/server/testing/databases';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { PASSWORD } from '../support/world.ts';

describe('a person and a third-party app, in Chromium', () => {
  let world: BrowserWorld;
  let page: Page;
  beforeAll(async () => {
    // The database of whoever starts it for the first time.
    world = await createBrowserWorld({ connection: await openPglite() });
    page = await world.openPage();
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const app = () => page.getByTestId('sign-in');
  const atApp = () => page.waitForURL(`${world.playground.url}/**`);

  const typeEmail = async (email: string) => {
    const toEmail = page.getByRole('button', { name: 'Use e-mail' });
    if (await toEmail.isVisible()) await toEmail.click();
    await page.getByLabel('E-mail', { exact: true }).fill(email);
  };

  const signInWithPassword = async (email: string) => {
    await page.getByRole('tab', { name: 'Password' }).click();
    await typeEmail(email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  const registerByEmail = async (email: string) => {
    // The sign-in, which has the same field, is still there until the next page is.
    await page.getByRole('tab').first().waitFor({ state: 'detached' });
    await typeEmail(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Verification code').fill(await world.codeFor(email, page));
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Agree and Register' }).click();
  };

  test('registers by e-mail from the app and reads what the app asks for', async () => {
    await page.goto(world.playground.url);
    await app().click();
    await page.getByRole('link', { name: 'Register' }).click();
    await registerByEmail('lena@example.com');
    await page.waitForURL('**/consent?**');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const text = await page.locator('main').textContent();
    expect(text).toContain('Playground');
    expect(text).toContain(new URL(world.playground.url).host);
    expect(text).toContain('access your personal information');
    expect(text).toContain('stay connected until you remove it');
    expect(text).toContain('lena@example.com');
    expect(await page.title()).toBe('Authorize the account - Aurelia');
  });

  test('approves, and the app shows verified claims, refreshes and introspects', async () => {
    await page.getByRole('button', { name: 'Allow' }).click();
    await atApp();
    const claims = JSON.parse((await page.getByTestId('claims').textContent()) ?? '');
    expect(claims.iss).toBe(world.origin);
    await page.getByTestId('refresh').click();
    await page.getByTestId('refreshed').waitFor();
    await page.getByTestId('introspect').click();
    expect(JSON.parse((await page.getByTestId('introspection').textContent()) ?? '')).toMatchObject({
      active: true,
    });
  });

  test('finds account, browser and approval in the portal, withdraws, and the app is out at once', async () => {
    const portal = await page.context().newPage();
    await portal.goto(world.origin);
    await portal.waitForURL('**/index');
    await portal.getByText('lena@example.com').first().waitFor();
    await portal.goto(`${world.origin}/sessions`);
    await portal.getByText('You are signed in on this device only.').waitFor();
    expect(await portal.locator('main').textContent()).toMatch(/Chrome.* \d+ on Linux/);
    await portal.goto(`${world.origin}/tokens`);
    await portal.getByText('Authorization Code Mode').waitFor();
    await portal
      .getByRole('button', { name: /Remove access/ })
      .first()
      .click();
    await portal.getByRole('alertdialog').getByRole('button', { name: 'Remove access' }).click();
    await portal.getByText('No apps are connected to your account.').waitFor();
    await portal.close();

    await page.getByTestId('userinfo-again').click();
    expect(await page.getByTestId('error').textContent()).toContain('invalid_token');
    await page.getByTestId('refresh').click();
    expect(await page.getByTestId('error').textContent()).toContain('invalid_grant');
  });

  test('signs out of the app and the portal together', async () => {
    await page.getByTestId('sign-out').click();
    await app().waitFor();
    await page.goto(`${world.origin}/index`);
    await page.waitForURL('**/login?**');
  });

  test('comes back with the password', async () => {
    await page.goto(world.playground.url);
    await app().click();
    await signInWithPassword('lena@example.com');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByTestId('claims').waitFor();
  });

  test('comes back as the account already signed in, without typing', async () => {
    await page.goto(`${world.origin}/login`);
    await page.getByRole('button', { name: /Continue as/ }).click();
    await page.waitForURL('**/index');
  });

  test('comes back as another account, under the real Content Security Policy', async () => {
    const { identifier } = await world.signUp('max@example.com');
    await page.goto(`${world.origin}/login`);
    await page.getByRole('button', { name: 'Login with another account' }).click();
    await signInWithPassword(identifier);
    await page.waitForURL('**/index');
    await page.getByText('max@example.com').first().waitFor();
  });

  test('changes the account on the way into an app, and the app gets the other one', async () => {
    await page.goto(world.playground.url);
    await page.getByTestId('sign-out').click();
    // The app signs Lena out, but Max is signed in now: he is asked.
    await page.getByRole('link', { name: 'Stay signed in' }).click();
    await app().click();
    await page.getByRole('button', { name: 'Change account' }).click();
    await signInWithPassword('lena@example.com');
    // Lena approved before: nothing is asked again.
    await page.getByTestId('claims').waitFor();
  });

  test('comes back with a code', async () => {
    await page.getByTestId('sign-out').click();
    await app().click();
    await page.getByRole('tab', { name: 'Verification code' }).click();
    await typeEmail('max@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page
      .getByText(/Code sent to/)
      .first()
      .waitFor();
    await page
      .locator('input[autocomplete=one-time-code]')
      .fill(await world.codeFor('max@example.com', page));
    await page.waitForURL('**/consent?**');
  });

  test('declines, and the app is told access_denied', async () => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await atApp();
    expect(await page.getByTestId('error').textContent()).toContain('access_denied');
  });

  test('registers by phone in a small Russian browser', async () => {
    const phone = await world.openPage({ locale: 'ru-RU', viewport: { width: 360, height: 640 } });
    await phone.goto(`${world.origin}/register`);
    await phone.locator('input[type=tel]').fill('+7 912 345-67-89');
    await phone.locator('form button[type=submit]').click();
    await phone.locator('input[autocomplete=one-time-code]').fill(await world.codeFor('+79123456789', phone));
    // What was typed is there to be checked, whole.
    await phone.getByText('Для аккаунта +7 912 345 6789.').waitFor();
    await phone.locator('input[type=password]').fill('лампа77');
    await phone.locator('form button[type=submit]').click();
    await phone.getByText('только латинские буквы (A–Z)').waitFor();
    await phone.locator('input[type=password]').fill(PASSWORD);
    await phone.locator('form button[type=submit]').click();
    const dialog = phone.getByRole('dialog');
    // In Russia consent to the privacy policy is a box of its own.
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Принять и зарегистрироваться' }).click();
    await phone.waitForURL('**/index');
    expect(await phone.locator('html').getAttribute('lang')).toBe('ru');
    expect(await phone.locator('html').evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(360);
    await phone.context().close();
  });
});
