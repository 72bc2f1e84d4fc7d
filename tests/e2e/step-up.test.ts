import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { PASSWORD } from '../support/world.ts';
import {
  accountOf,
  createSettingsVerbs,
  done,
  focusedName,
  press,
  row,
  type SettingsVerbs,
} from './settings-verbs.ts';

const NEW_PASSWORD = 'sunrise2077';
const STEP_UP_MS = 11 * 60_000;

describe('a step-up, in Chromium', () => {
  let world: BrowserWorld;
  let verbs: SettingsVerbs;
  /** The lead of the server's clock. With it, a sign-in no longer counts as a step-up. */
  let aheadMs = 0;
  beforeAll(async () => {
    world = await createBrowserWorld({ now: () => new Date(Date.now() + aheadMs) });
    verbs = createSettingsVerbs(world);
  });
  afterAll(() => world.close());
  beforeEach(() => {
    aheadMs = 0;
  });
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const stepUp = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' });

  test('by password, after a wrong password, continues the action', async () => {
    const { agent, page } = await verbs.signUp();
    aheadMs = STEP_UP_MS;
    await press(page, 'Bind', 'Phone number');
    await verbs.sendCodeTo(page, 'Phone number', '+86 138 0013 8333');
    await page
      .getByRole('dialog')
      .getByLabel('Verification code')
      .fill(await world.codeFor('+8613800138333', page));
    const password = stepUp(page).getByLabel('Password', { exact: true });
    await password.fill('wrong7777');
    await page.keyboard.press('Enter');
    await stepUp(page).getByText('The password is wrong').waitFor();
    await password.fill(PASSWORD);
    await page.keyboard.press('Enter');
    await done(page);
    expect((await accountOf(agent)).phone).toBe('+8613800138333');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe('Change: Phone number');

    // A step-up lasts for a while.
    await press(page, 'Unbind', 'Phone number');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unbind' }).click();
    await row(page, 'Phone number').getByText('Not bound').waitFor();
    await page.context().close();
  });

  test('is given up by leaving the page, and no dialog is open after coming back', async () => {
    const { page } = await verbs.signUp();
    await page.getByRole('link', { name: /^Sessions/ }).click();
    await page.waitForURL('**/sessions');
    await page.goBack();
    aheadMs = STEP_UP_MS;
    await press(page, 'Change', 'Password');
    await verbs.typeNewPassword(page, NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await stepUp(page).waitFor();
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Session management' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goBack();
    await row(page, 'Nickname').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.context().close();
  });

  test('by a code to the chosen contact; given up, leaves the form as it was', async () => {
    const { agent, identifier, page } = await verbs.signUp();
    await press(page, 'Bind', 'Phone number');
    await verbs.bind(page, 'Phone number', '+86 138 0013 8444', '+8613800138444');
    aheadMs = STEP_UP_MS;
    await press(page, 'Change', 'Password');
    await verbs.typeNewPassword(page, NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await stepUp(page).waitFor();
    await page.keyboard.press('Escape');
    await stepUp(page).waitFor({ state: 'detached' });
    const field = page.getByRole('dialog').getByLabel('New password', { exact: true });
    expect(await field.inputValue()).toBe(NEW_PASSWORD);
    expect(await page.getByRole('alert').count()).toBe(0);

    await page.getByRole('button', { name: 'Save password' }).click();
    await stepUp(page).getByRole('button', { name: 'Use a verification code' }).click();
    await stepUp(page)
      .getByRole('radio', { name: /@example\.com/ })
      .check();
    await stepUp(page).getByRole('button', { name: 'Send code' }).click();
    await stepUp(page).getByText('Valid for').waitFor();
    const right = await world.codeFor(identifier, page);
    await stepUp(page)
      .getByLabel('Verification code')
      .fill(right === '000000' ? '000001' : '000000');
    await stepUp(page).getByText('Verification code you entered is incorrect').waitFor();
    // It submits by itself.
    await stepUp(page).getByLabel('Verification code').fill(right);
    // The notice on screen may still be about the phone.
    await expect.poll(() => page.getByRole('dialog').count(), { timeout: 60_000 }).toBe(0);
    await world.signIn(identifier, world.browser()).then(
      () => expect.fail('the old password still works'),
      () => undefined,
    );
    expect((await agent.get('/api/account')).status).toBe(200);
    await page.context().close();
  });

  test('without a password, a code to the account’s own contact permits to set the first', async () => {
    const { agent, identifier, page } = await verbs.signUp();
    await world.db.deleteFrom('password').execute();
    await page.reload();
    await row(page, 'Password').getByText('Not set').waitFor();
    aheadMs = STEP_UP_MS;
    await press(page, 'Set', 'Password');
    await verbs.typeNewPassword(page, NEW_PASSWORD);
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await question.getByText(`${identifier.charAt(0)}•••@example.com`).waitFor();
    expect(await question.getByText('Use the password').count()).toBe(0);
    await question.getByRole('button', { name: 'Send code' }).click();
    // From here on, the latest message is the code of the step-up.
    await question.getByText('Valid for').waitFor();
    await question.getByLabel('Verification code').fill(await world.codeFor(identifier, page));
    await done(page);
    expect((await accountOf(agent)).hasPassword).toBe(true);
    await row(page, 'Password').getByText('Changed').waitFor();
    await page.context().close();
  });

  test('of who has one contact and cannot receive codes there says to bind another before', async () => {
    const { identifier } = await world.signUp();
    const page = await verbs.openSettings((await world.signIn(identifier)).agent);
    await page.getByRole('button', { name: 'Delete: Delete account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
    await stepUp(page).getByText('first bind another phone number or e-mail address').waitFor();
    await page.keyboard.press('Escape');
    await stepUp(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press(page, 'Bind', 'Phone number');
    await verbs.bind(page, 'Phone number', '+86 138 0013 8555', '+8613800138555');
    await page.getByRole('button', { name: 'Delete: Delete account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
    await stepUp(page).getByText('unbind it first').waitFor();
    await page.context().close();
  });
});
