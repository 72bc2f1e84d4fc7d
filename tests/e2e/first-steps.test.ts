import { openPglite } from '@candela/server/testing/databases';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { PASSWORD } from '../support/world.ts';
import { signInAs } from './stage.ts';

describe('a person and a third-party app, in Chromium', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    // PGlite, the database of a first start.
    world = await createBrowserWorld({ connection: await openPglite() });
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const signInLink = (page: Page) => page.getByTestId('sign-in');
  const atApp = (page: Page) => page.waitForURL(`${world.playground.url}/**`);
  const textOf = (page: Page, id: string) => page.getByTestId(id).textContent();

  /** Follows the app's link to sign in. */
  const comeFromApp = async (page: Page) => {
    await page.goto(world.playground.url);
    await signInLink(page).click();
  };

  /** Creates an account, and a page that is signed in to it. */
  const enter = async () => {
    const { agent, identifier } = await world.signUp();
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    return { page, identifier };
  };

  /** Creates an account that has approved the app, and a page of the app. */
  const enterApp = async () => {
    const { page, identifier } = await enter();
    await comeFromApp(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByTestId('claims').waitFor();
    return { page, identifier };
  };

  const typeEmail = async (page: Page, email: string) => {
    const toEmail = page.getByRole('button', { name: 'Use e-mail' });
    if (await toEmail.isVisible()) await toEmail.click();
    await page.getByLabel('E-mail', { exact: true }).fill(email);
  };

  const signInWithPassword = async (page: Page, email: string) => {
    await page.getByRole('tab', { name: 'Password' }).click();
    await typeEmail(page, email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  const registerByEmail = async (page: Page, email: string) => {
    // The sign-in has the same field, and stays until the next page renders.
    await page.getByRole('tab').first().waitFor({ state: 'detached' });
    await typeEmail(page, email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Verification code').fill(await world.codeFor(email, page));
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Agree and Register' }).click();
  };

  test('two tabs of a browser that was never at the app sign in at once, and neither is refused', async () => {
    const { page } = await enter();
    const tabs = [page, await page.context().newPage()];
    await Promise.all(tabs.map((tab) => tab.goto(world.playground.url)));
    await Promise.all(tabs.map((tab) => signInLink(tab).click()));
    for (const tab of tabs) {
      await tab.getByRole('button', { name: 'Allow' }).click();
      await tab.getByTestId('claims').waitFor();
    }
    await page.context().close();
  });

  test('registers by e-mail from the app and reads what the app asks for', async () => {
    const page = await world.openPage();
    await comeFromApp(page);
    await page.getByRole('link', { name: 'Register' }).click();
    await registerByEmail(page, 'lena@example.com');
    await page.waitForURL('**/consent?**');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const text = await page.locator('main').textContent();
    expect(text).toContain('Playground');
    expect(text).toContain(new URL(world.playground.url).host);
    expect(text).toContain('access your personal information');
    expect(text).toContain('stay connected until you remove it');
    expect(text).toContain('lena@example.com');
    expect(await page.title()).toBe('Authorize the account - Aurelia');
    await page.context().close();
  });

  test('approves, and the app shows verified claims, refreshes and introspects', async () => {
    const { page } = await enter();
    await comeFromApp(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await atApp(page);
    const claims = JSON.parse((await textOf(page, 'claims')) ?? '');
    expect(claims.iss).toBe(world.origin);
    const steps = await page.getByTestId('exchange').locator('summary').allTextContents();
    expect(steps).toEqual(
      expect.arrayContaining(['Authorization answer', 'Token request 200', 'Userinfo 200']),
    );
    const course = (await textOf(page, 'course')) ?? '';
    expect(course).toContain('grant_type');
    for (const credential of ['access_token', 'refresh_token', 'id_token'])
      expect(course).toMatch(new RegExp(`"${credential}": ".{6}… \\(\\d+ characters\\)"`));
    await page.getByTestId('refresh').click();
    await page.getByTestId('refreshed').waitFor();
    await page.getByTestId('introspect').click();
    expect(JSON.parse((await textOf(page, 'introspection')) ?? '')).toMatchObject({ active: true });
    await page.context().close();
  });

  test('finds account, browser and approval in the portal, withdraws, and the app is out at once', async () => {
    const { page, identifier } = await enterApp();
    const portal = await page.context().newPage();
    await portal.goto(world.origin);
    await portal.waitForURL('**/index');
    await portal.getByText(identifier).first().waitFor();
    await portal.goto(`${world.origin}/sessions`);
    await portal.getByText('You are signed in on this device only.').waitFor();
    expect(await portal.locator('main').textContent()).toMatch(/Chrome.* \d+ on Linux/);
    await portal.goto(`${world.origin}/tokens`);
    await portal.getByText('Details').click();
    await portal.getByText('Authorization Code Mode').waitFor();
    await portal
      .getByRole('button', { name: /Remove access/ })
      .first()
      .click();
    await portal.getByRole('alertdialog').getByRole('button', { name: 'Remove access' }).click();
    await portal.getByText('No apps are connected to your account.').waitFor();
    await portal.close();

    await page.getByTestId('userinfo-again').click();
    expect(await textOf(page, 'error')).toContain('invalid_token');
    await page.getByTestId('refresh').click();
    expect(await textOf(page, 'error')).toContain('invalid_grant');
    await page.context().close();
  });

  test('signs out of the app and the portal together', async () => {
    const { page } = await enterApp();
    await page.getByTestId('sign-out').click();
    await signInLink(page).waitFor();
    await page.goto(`${world.origin}/index`);
    await page.waitForURL('**/login?**');
    await page.context().close();
  });

  test('comes back with the password', async () => {
    const { identifier } = await world.signUp();
    const page = await world.openPage();
    await comeFromApp(page);
    await signInWithPassword(page, identifier);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByTestId('claims').waitFor();
    await page.context().close();
  });

  test('comes back as the account already signed in, without typing', async () => {
    const { page } = await enter();
    await page.goto(`${world.origin}/login`);
    await page.getByRole('button', { name: /Continue as/ }).click();
    await page.waitForURL('**/index');
    await page.context().close();
  });

  test('comes back as another account, under the real Content Security Policy', async () => {
    const { page } = await enter();
    const { identifier } = await world.signUp();
    await page.goto(`${world.origin}/login`);
    await page.getByRole('button', { name: 'Login with another account' }).click();
    await signInWithPassword(page, identifier);
    await page.waitForURL('**/index');
    await page.getByText(identifier).first().waitFor();
    await page.context().close();
  });

  test('changes the account on the way into an app, and the app gets the other one', async () => {
    const { page, identifier: lena } = await enterApp();
    const { agent: max } = await world.signUp();
    await signInAs(page.context(), max, world.origin);
    await page.getByTestId('sign-out').click();
    // The app signs Lena out, but Max is signed in now, so the page asks him.
    await page.getByRole('link', { name: 'Stay signed in' }).click();
    await signInLink(page).click();
    await page.getByRole('button', { name: 'Change account' }).click();
    await signInWithPassword(page, lena);
    // Lena approved before: nothing is asked again.
    await page.getByTestId('claims').waitFor();
    await page.context().close();
  });

  test('comes back with a code', async () => {
    const { identifier } = await world.signUp();
    const page = await world.openPage();
    await comeFromApp(page);
    await page.getByRole('tab', { name: 'Verification code' }).click();
    await typeEmail(page, identifier);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page
      .getByText(/Code sent to/)
      .first()
      .waitFor();
    await page.locator('input[autocomplete=one-time-code]').fill(await world.codeFor(identifier, page));
    await page.waitForURL('**/consent?**');
    await page.context().close();
  });

  test('declines, and the app gets access_denied', async () => {
    const { page } = await enter();
    await comeFromApp(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await atApp(page);
    expect(await textOf(page, 'error')).toContain('access_denied');
    await page.context().close();
  });

  test('registers by phone in a small Russian browser', async () => {
    const phone = await world.openPage({ locale: 'ru-RU', viewport: { width: 360, height: 640 } });
    await phone.goto(`${world.origin}/register`);
    await phone.locator('input[type=tel]').fill('+7 912 345-67-89');
    await phone.locator('form button[type=submit]').click();
    await phone.locator('input[autocomplete=one-time-code]').fill(await world.codeFor('+79123456789', phone));
    // The page shows the typed number in full.
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
