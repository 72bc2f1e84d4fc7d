import * as OTPAuth from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { addAuthenticator } from '../support/virtual-authenticator.ts';
import { PASSWORD } from '../support/world.ts';
import { createSettingsVerbs, press, row, type SettingsVerbs } from './settings-verbs.ts';

const STEP_MS = 30_000;

describe('the ways to sign in, in Chromium', () => {
  let world: BrowserWorld;
  let verbs: SettingsVerbs;
  let aheadMs = 0;
  beforeAll(async () => {
    world = await createBrowserWorld({ now: () => new Date(Date.now() + aheadMs) });
    verbs = createSettingsVerbs(world);
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  /** A person with a passkey of the device, named by the person. */
  const withPasskey = async () => {
    const person = await verbs.signUp();
    const { page } = person;
    const authenticator = await addAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Name of the passkey' });
    await dialog.getByLabel('Name').fill('My phone');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page, 'My phone').waitFor();
    return { ...person, authenticator };
  };

  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.locator('#identifier').waitFor();
  };

  test('a passkey is offered, added, named, signs in by the button, and is removed', async () => {
    const { page, authenticator } = await withPasskey();
    expect(await authenticator.credentials()).toHaveLength(1);
    expect(await page.getByText('Sign in faster next time').count()).toBe(0);

    await authenticator.touches(false);
    await signOut(page);
    await page.getByRole('button', { name: /^Use a passkey/ }).click();
    await authenticator.touches(true);
    await page.waitForURL('**/index');
    await row(page, 'My phone').getByText('last used').waitFor();

    await press(page, 'Remove', 'My phone');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await row(page, 'My phone').count()).toBe(0);
    await page.context().close();
  });

  test('the field of the identifier offers it: whoever chooses it is signed in', async () => {
    const { page } = await withPasskey();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    // The authenticator of the test chooses at once, as a person would in the list of the browser.
    await page.waitForURL('**/index');
    await row(page, 'My phone').waitFor();
    await page.context().close();
  });

  test('a device that cannot verify its user makes none: as if the person had closed the dialog', async () => {
    const { agent, page } = await verbs.signUp();
    const authenticator = await addAuthenticator(page, 'without-verification');
    const answered = page.waitForResponse('**/api/passkeys/options');
    await press(page, 'Add', 'Passkeys');
    await answered;
    expect(await authenticator.credentials()).toHaveLength(0);
    expect((await agent.get('/api/passkeys')).json().items).toEqual([]);
    await page.context().close();
  });

  test('the offer takes no for an answer', async () => {
    const { page } = await verbs.signUp();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('Sign in faster next time').waitFor({ state: 'detached' });
    await page.reload();
    await row(page, 'Passkeys').waitFor();
    expect(await page.getByText('Sign in faster next time').count()).toBe(0);
    await page.context().close();
  });

  /** Sets up an authenticator app, and answers what the app shows. */
  const setUpApp = async (page: Page) => {
    await press(page, 'Turn on', 'Second step');
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    const secret = (await dialog.locator('code').textContent()) ?? '';
    const app = new OTPAuth.TOTP({ secret: OTPAuth.Secret.fromBase32(secret.replaceAll(' ', '')) });
    const shows = () => app.generate({ timestamp: Date.now() + aheadMs });
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await dialog.getByLabel('Verification code').fill(shows());
    const kept = page.getByRole('alertdialog', { name: 'Keep your recovery codes' }).locator('li');
    await kept.first().waitFor();
    const codes = await kept.allTextContents();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await row(page, 'Second step').getByText('Recovery codes left: 10').waitFor();
    return { shows, codes };
  };

  const typePassword = async (page: Page, identifier: string) => {
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
  };

  test('an authenticator app is asked for after the password; a recovery code stands for it; a trusted browser is not asked', async () => {
    const { page, identifier } = await verbs.signUp();
    const { shows, codes } = await setUpApp(page);
    expect(codes).toHaveLength(10);
    await signOut(page);

    await typePassword(page, identifier);
    await page.reload();
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    await page.getByLabel('Verification code').fill(shows());
    await page.getByText('The code is not right').waitFor();
    aheadMs += STEP_MS;
    await page.getByLabel('Verification code').fill(shows());
    await page.waitForURL('**/index');
    await row(page, 'Second step').waitFor();
    await signOut(page);

    await typePassword(page, identifier);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill((codes[0] ?? '').toLowerCase());
    await page.getByLabel('Do not ask on this browser').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await row(page, 'Browser that is not asked').waitFor();
    await row(page, 'Second step').getByText('Recovery codes left: 9').waitFor();
    await signOut(page);

    await page.getByRole('tab', { name: 'Password' }).click();
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/index');

    await press(page, 'Ask again', 'Browser that is not asked');
    await row(page, 'Browser that is not asked').waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('an app is turned off by who has it; the password alone does not do', async () => {
    const { page } = await verbs.signUp();
    const { shows } = await setUpApp(page);
    aheadMs += 11 * 60_000;
    await press(page, 'Turn off', 'Second step');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await stepUp.getByRole('button', { name: 'Use the authenticator app' }).click();
    await stepUp.getByLabel('Verification code').fill(shows());
    await page.getByText('The second step is off').waitFor();
    await row(page, 'Second step').getByText('After the password or code').waitFor();
    await page.context().close();
  });
});
