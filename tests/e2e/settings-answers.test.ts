import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import {
  accountOf,
  createSettingsVerbs,
  done,
  focusedName,
  press,
  type SettingsVerbs,
} from './settings-verbs.ts';

/** Holds requests back until the test lets them go on. */
const hold = async (page: Page, url: string, method: string) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return release;
};

/** The texts of the live regions that assistive technology can reach behind an open dialog. */
const heard = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[aria-live], output, [role=status], [role=alert]')]
      .filter((region) => !region.closest('[inert], [aria-hidden=true]'))
      .map((region) => region.textContent.replaceAll('\u00a0', ' '))
      .join('\n'),
  );

let world: BrowserWorld;
let verbs: SettingsVerbs;
let page: Page;
beforeAll(async () => {
  world = await createBrowserWorld();
  verbs = createSettingsVerbs(world);
});
afterAll(() => world.close());
afterEach(async () => {
  await page.context().close();
  expect(world.takeFaults()).toEqual([]);
});

const dialog = () => page.getByRole('dialog');

describe('while a dialog is open', () => {
  test('on a phone no message lies over its buttons', async () => {
    ({ page } = await verbs.signUp());
    await page.setViewportSize({ width: 360, height: 640 });
    await press(page, 'Change', 'Nickname');
    await dialog().getByLabel('Nickname').fill('Lamp of the hall');
    await page.keyboard.press('Enter');
    await done(page);
    await press(page, 'Change', 'Nickname');
    await dialog().getByLabel('Nickname').waitFor();
    await page.getByRole('status').getByText('Operation Successful').waitFor();
    // A notice lets presses through, so it must not hide a button.
    await page.evaluate(() => {
      const messages = document.querySelectorAll<HTMLElement>('output, output *');
      for (const part of messages) part.style.pointerEvents = 'auto';
    });
    for (const button of await dialog().getByRole('button').all()) {
      const isOnTop = await button.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return element.contains(shown);
      });
      expect([await button.textContent(), isOnTop]).toEqual([expect.any(String), true]);
    }
  });

  test('a press beside it takes the focus from its field, and leaves it open', async () => {
    ({ page } = await verbs.signUp());
    await press(page, 'Change', 'Nickname');
    const field = dialog().getByLabel('Nickname');
    const isFocused = () => field.evaluate((input) => input === document.activeElement);
    await expect.poll(isFocused).toBe(true);
    await page.mouse.click(8, 400);
    await expect.poll(isFocused).toBe(false);
    // The focus is still inside: Tab goes on there.
    await page.keyboard.press('Tab');
    expect(await dialog().evaluate((shown) => shown.contains(document.activeElement))).toBe(true);
    expect(await field.isVisible()).toBe(true);
    // A dialog may open before the click of the press that opens it: its field keeps the focus.
    await dialog().getByRole('button').last().focus();
    await field.evaluate((input) => {
      document.body.dispatchEvent(new PointerEvent('pointerdown'));
      input.focus();
      document.body.dispatchEvent(new MouseEvent('click', { detail: 1 }));
    });
    expect(await isFocused()).toBe(true);
  });

  test('screen readers announce that a code was sent, and its error', async () => {
    ({ page } = await verbs.signUp());
    await press(page, 'Bind', 'Phone number');
    await dialog().getByRole('button', { name: 'Send code' }).click();
    await expect.poll(() => heard(page)).toContain('Phone cannot be blank');
    await verbs.sendCodeTo(page, 'Phone number', '+86 138 0013 8501');
    expect(await page.locator('[inert]').count()).toBeGreaterThan(0);
    await expect.poll(() => heard(page)).toContain('Code sent to +86 138 0013 8501');
    await page.keyboard.press('Enter');
    await expect.poll(() => heard(page)).toContain('Verification code cannot be blank');
    const field = dialog().getByLabel('Verification code');
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
  });

  test('a refused value keeps its error until the field changes', async () => {
    ({ page } = await verbs.signUp());
    await press(page, 'Change', 'Nickname');
    const field = dialog().getByLabel('Nickname');
    const error = dialog().getByText('Nickname cannot be blank');
    await field.fill(' ');
    await page.keyboard.press('Enter');
    await expect.poll(() => heard(page)).toContain('Nickname cannot be blank');
    await page.keyboard.press('Tab');
    expect(await error.isVisible()).toBe(true);
    await field.fill('Lena');
    await page.keyboard.press('Tab');
    await error.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');

    await press(page, 'Bind', 'Phone number');
    await verbs.sendCodeTo(page, 'Phone number', '+86 138 0013 8502');
    const code = dialog().getByLabel('Verification code');
    const incorrect = dialog().getByText('Verification code you entered is incorrect');
    const right = await world.codeFor('+8613800138502', page);
    await code.fill(right === '000000' ? '000001' : '000000');
    await incorrect.waitFor();
    await page.keyboard.press('Tab');
    expect(await incorrect.isVisible()).toBe(true);
    await code.fill(right.slice(0, 5));
    await incorrect.waitFor({ state: 'detached' });
  });
});

describe('an answer that comes when another dialog is open', () => {
  test('leaves the other dialog and its input', async () => {
    ({ page } = await verbs.signUp());
    const release = await hold(page, '**/api/account/password', 'PUT');
    await press(page, 'Change', 'Password');
    await verbs.typeNewPassword(page, 'sunrise2077');
    await page.keyboard.press('Enter');
    await dialog().locator('[aria-busy]').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await press(page, 'Change', 'Nickname');
    await dialog().getByLabel('Nickname').fill('Lamp of the hall');
    release();
    await done(page);
    await expect.poll(() => heard(page)).toContain('Operation Successful');
    expect(await dialog().getByLabel('Nickname').inputValue()).toBe('Lamp of the hall');
  });

  test('and a refused nickname waits until the other dialog closes', async () => {
    ({ page } = await verbs.signUp());
    const release = await hold(page, '**/api/account', 'PATCH');
    await press(page, 'Change', 'Nickname');
    await dialog().getByLabel('Nickname').fill('Hall\u2800');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await press(page, 'Change', 'Password');
    await dialog().getByLabel('New password', { exact: true }).fill('sunrise2077');
    const answer = page.waitForResponse((response) => response.request().method() === 'PATCH');
    release();
    await (await answer).finished();
    await page
      .getByRole('heading', { level: 1 })
      .filter({ hasNotText: 'Hall' })
      .waitFor({ state: 'attached' });
    expect(await dialog().getByLabel('New password', { exact: true }).inputValue()).toBe('sunrise2077');
    await page.keyboard.press('Escape');
    await dialog()
      .getByText(/This nickname cannot be used/)
      .waitFor();
    expect(await dialog().getByLabel('Nickname').inputValue()).toBe('Hall\u2800');
  });
});

describe('a new password', () => {
  test('is one press away from an unrecognised device, and the focus is on its row afterwards', async () => {
    const { agent, identifier } = await world.signUp();
    await world.signIn(identifier);
    page = await verbs.openSettings(agent);
    await page.locator('main a[href="/sessions"]').click();
    await page.getByRole('link', { name: 'change your password' }).click();
    await dialog().getByLabel('New password', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe('Change: Password');
    // The entry of the history does not ask again.
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Session management' }).waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Change: Password' }).waitFor();
    expect(await dialog().count()).toBe(0);
  });

  test('mentions apps only where the account has linked apps', async () => {
    ({ page } = await verbs.signUp());
    const release = await hold(page, '**/api/authorizations', 'GET');
    const answer = page.waitForResponse('**/api/authorizations');
    await press(page, 'Change', 'Password');
    await dialog().getByLabel('New password', { exact: true }).waitFor();
    expect(await dialog().getByRole('checkbox').count()).toBe(0);
    release();
    await (await answer).finished();
    expect(await dialog().getByRole('checkbox').count()).toBe(0);
  });
});

describe('the pages of the account', () => {
  test('a language picked in the bar becomes the language of the account and of its row', async () => {
    const { agent, identifier } = await world.signUp();
    page = await verbs.openSettings(agent);
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ru');
    await page.locator('[data-setting=language]').getByText('Русский').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('ru');
    expect(await accountOf(agent)).toMatchObject({ email: identifier, locale: 'ru' });
  });

  test('are announced by their title alone, and their places have names', async () => {
    ({ page } = await verbs.signUp());
    await page.getByRole('navigation', { name: 'Devices and apps' }).getByRole('link').first().click();
    await expect.poll(() => heard(page)).toContain('Session management');
    await page.locator('header a[href="/index"]').first().click();
    await expect.poll(async () => (await heard(page)).trim()).toBe('Account settings');
  });

  test('on a phone, every button is tall enough for a finger', async () => {
    const { agent } = await world.signUp();
    page = await verbs.openSettings(agent);
    await page.setViewportSize({ width: 360, height: 700 });
    await page.locator('html[data-mobile]').waitFor();
    const heights = await page
      .locator('[data-setting] button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await page.locator('main a[href="/sessions"]').click();
    const back = page.locator('main a[href="/index"]').first();
    expect((await back.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  test('an account that cannot be loaded is not called a list', async () => {
    const { agent } = await world.signUp();
    page = await verbs.openSettings(agent);
    await page.route('**/api/account', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'busy', requestId: 'r' } } }),
    );
    await page.reload();
    await page.getByText('Your account could not be loaded').waitFor();
    await page.getByText('The service is busy right now. Try again in a few seconds.').waitFor();
  });

  test('an approval names the exact data that it shows', async () => {
    const { agent } = await world.signUp();
    const some = await world.registerApp({ client_name: 'Home Hub' });
    await world.link(agent, some.rp);
    page = await verbs.openSettings(agent);
    await page.goto(`${world.origin}/tokens`);
    const told = page.locator('main li li').filter({ hasText: 'personal information' }).first();
    expect(await told.textContent()).toMatch(/e-mail address|phone number|your account ID, nothing else/);
  });
});
