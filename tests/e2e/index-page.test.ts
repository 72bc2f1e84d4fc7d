import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { signInAs } from './stage.ts';

describe('the settings of the account, in Chromium', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await createBrowserWorld();
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const open = async (path: string): Promise<Page> => {
    const { agent, identifier } = await world.signUp();
    await world.signIn(identifier);
    const { rp } = await world.registerApp({ client_name: 'Home Hub' });
    await world.link(agent, rp, { prompt: 'consent' });
    await world.link(agent, rp, { prompt: 'consent' });
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}${path}`);
    return page;
  };

  test('have four parts, say how many devices and apps there are, and mark what is dangerous', async () => {
    const page = await open('/index');
    await page.getByRole('button', { name: 'Delete: Delete account' }).waitFor();
    const parts = ['Profile', 'Signing in and security', 'Devices and apps', 'Your data'];
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(parts);
    const inPart = (name: string) => page.getByRole('region', { name });
    for (const [part, label] of [
      ['Profile', 'Nickname'],
      ['Signing in and security', 'Phone number'],
      ['Signing in and security', 'Password'],
      ['Signing in and security', 'Passkeys'],
      ['Your data', 'Download your data'],
    ] as const)
      await inPart(part).getByRole('term').getByText(label, { exact: true }).waitFor();

    const link = (name: RegExp) => page.getByRole('link', { name });
    await link(/^Sessions ?, Where you are signed in ?, 2 devices$/).waitFor();
    // One app, however often it is linked.
    await link(/^Authorizations ?, Apps connected to your account ?, 1 app$/).waitFor();
    await inPart('Signing in and security')
      .getByRole('link', { name: /^Activity ?, / })
      .waitFor();

    const colourOf = (name: string) =>
      page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).color);
    expect(await colourOf('Delete: Delete account')).not.toBe(await colourOf('Change: Nickname'));
    await page.context().close();
  });

  test.each(['/index', '/sessions', '/activity'])(
    'the menu at the picture signs out from %s',
    async (path) => {
      const page = await open('/index');
      await page.getByRole('button', { name: 'Your account' }).waitFor();
      if (path !== '/index') await page.goto(`${world.origin}${path}`);
      const menu = page.getByRole('button', { name: 'Your account' });
      await menu.click();
      const out = page.locator('[popover]').getByRole('button', { name: 'Sign out' });
      await out.waitFor();
      await page.keyboard.press('Escape');
      await out.waitFor({ state: 'hidden' });
      expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);
      await menu.click();
      await out.click();
      await page.waitForURL('**/login?**');
      await page.locator('main').getByText('You are signed out.').waitFor();
      // It is told once.
      await page.reload();
      await page.locator('#identifier').waitFor();
      expect(await page.getByText('You are signed out.').count()).toBe(0);
      await page.context().close();
    },
  );

  test('a session that is gone is told of at the sign-in', async () => {
    const page = await open('/sessions');
    await page.locator('[data-record]').first().waitFor();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.waitForURL('**/login?**');
    await page
      .locator('main')
      .getByText('Your session has ended. Sign in to continue where you left off.')
      .waitFor();
    await page.context().close();
  });
});
