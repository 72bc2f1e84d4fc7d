import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { PASSWORD } from '../support/world.ts';

const NEW_PASSWORD = 'sunrise2077';

describe('a forgotten password, in Chromium', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await createBrowserWorld();
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const prove = async (page: Page, identifier: string, canonical = identifier) => {
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page
      .getByText(/belongs to an account, a code is on its way/)
      .first()
      .waitFor();
    await page.getByLabel('Verification code').fill(await world.codeFor(canonical, page));
    await page.getByLabel('New password', { exact: true }).waitFor();
  };

  const choose = async (page: Page, password: string, repeated = password) => {
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('Repeat the new password').fill(repeated);
    await page.getByRole('button', { name: 'Change password' }).click();
  };

  test('by e-mail, from the address bar: ends at the sign-in with the e-mail filled in', async () => {
    const { agent, identifier } = await world.signUp();
    const page = await world.openPage();
    await page.goto(`${world.origin}/findbackPWD`);
    await prove(page, identifier);
    expect(await page.title()).toBe('Find back password - Aurelia');
    expect(await page.locator('main').textContent()).toContain('All your devices will be signed out');
    expect(await page.locator('input[autocomplete=username]').inputValue()).toBe(identifier);

    await choose(page, NEW_PASSWORD, 'sunrise2078');
    await page.getByRole('alert').getByText('Entered passwords differ').waitFor();
    expect(await page.title()).toBe('Error: Find back password - Aurelia');
    await choose(page, NEW_PASSWORD);

    await page.waitForURL('**/login?interaction=**');
    await page.getByText('Password changed. Sign in with the new one.').first().waitFor();
    expect(await page.locator('#identifier').inputValue()).toBe(identifier);
    await page.locator('#password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/index');
    // The former session has ended.
    expect((await agent.get('/api/account')).status).toBe(401);
    await page.context().close();
  });

  test('by phone, inside an app’s sign-in: it ends in the app, and withdraws the links asked for', async () => {
    const { agent } = await world.signUp('+8613800138000');
    const { rp } = await world.registerApp({ client_name: 'Home Hub' });
    await world.link(agent, rp);
    const page = await world.openPage();
    await page.goto(world.playground.url);
    await page.getByTestId('sign-in').click();
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByRole('heading', { name: 'Find back password' }).waitFor();
    // The app that asks is named here too.
    await page.locator('main').getByText('Playground').waitFor();
    await prove(page, '+86 138 0013 8000', '+8613800138000');
    const links = page.getByRole('region', { name: 'Connected apps' });
    expect(await links.textContent()).toMatch(/Home Hub.*app\.example.*last used/);
    await links.getByRole('checkbox').check();
    await choose(page, NEW_PASSWORD);

    await page.waitForURL('**/login?interaction=**');
    await page.getByText('Password changed. Sign in with the new one.').first().waitFor();
    expect(await page.locator('#identifier').inputValue()).toContain('138');
    await page.locator('#password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByTestId('claims').waitFor();

    await page.goto(`${world.origin}/tokens`);
    await page.locator('main time').first().waitFor();
    expect(await page.getByRole('button', { name: 'Remove access: Home Hub' }).count()).toBe(0);
    await page.context().close();
  });

  test('Back leads to the identifier and keeps the input', async () => {
    const { identifier } = await world.signUp();
    const page = await world.openPage();
    await page.goto(`${world.origin}/findbackPWD`);
    await prove(page, identifier);
    await page.goBack();
    await page.locator('#identifier').waitFor();
    expect(await page.locator('#identifier').inputValue()).toBe(identifier);
    await page.goForward();
    await page.getByLabel('New password', { exact: true }).waitFor();
    await page.reload();
    await choose(page, NEW_PASSWORD);
    await page.waitForURL('**/login?interaction=**');
    await page.context().close();
  });

  test('a ticket that is spent leads back to the code and says why', async () => {
    const { identifier } = await world.signUp();
    const page = await world.openPage();
    await page.goto(`${world.origin}/findbackPWD`);
    await prove(page, identifier);
    const { ticket } = await page.evaluate(() => history.state.usr);
    const spent = await page.evaluate(
      async (body) =>
        (
          await fetch('/api/recovery/password', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })
        ).status,
      { ticket, password: PASSWORD },
    );
    expect(spent).toBe(204);
    await choose(page, NEW_PASSWORD);
    await page.getByRole('alert').getByText('Request a new one').waitFor();
    await page.getByLabel('Verification code').waitFor();
    await page.context().close();
  });
});
