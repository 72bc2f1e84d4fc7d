import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { otherCode } from '../api/settings.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';

const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);

/** Types a key the moment the heading of a step appears, as somebody does who has the code before their eyes. */
const typeAtOnce = (page: Page, heading: string) =>
  page.evaluate((wanted) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('h1')?.textContent !== wanted) return;
      observer.disconnect();
      document.documentElement.dataset.atOnce = document.activeElement?.id ?? '';
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  }, heading);

/** Presses Enter the moment the field appears, as somebody does for whom the last digit of a code did not end its step. */
const enterAtOnce = (page: Page, id: string) =>
  page.evaluate((wanted) => {
    const observer = new MutationObserver(() => {
      const field = document.getElementById(wanted);
      if (!(field instanceof HTMLInputElement) || document.activeElement !== field) return;
      observer.disconnect();
      field.form?.requestSubmit();
      document.documentElement.dataset.entered = 'yes';
    });
    observer.observe(document.body, { childList: true, subtree: true });
  }, id);

describe('a step with one field has the focus in it, in Chromium', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await createBrowserWorld({ env: { CODE_RESEND_SECONDS: '1' } });
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  const sendCode = async (path: string, identifier: string): Promise<Page> => {
    const page = await world.openPage();
    await page.goto(`${world.origin}${path}`);
    await page.locator('#identifier').waitFor();
    await page.locator('#identifier').fill(identifier);
    await typeAtOnce(page, 'Enter the code');
    await page.getByRole('button', { name: 'Send code' }).click();
    await heading(page, 'Enter the code');
    return page;
  };

  test('the code has it before the step is painted, after a wrong code, after another is sent, after a reload', async () => {
    const page = await sendCode('/register', 'focus@example.com');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.atOnce)).toBe('code');
    expect(await focusedId(page)).toBe('code');

    const wrong = otherCode(await world.codeFor('focus@example.com', page));
    let sent = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes(wrong)) sent += 1;
    });
    await page.keyboard.type(wrong);
    await page.getByRole('alert').getByText('incorrect').waitFor();
    expect(await focusedId(page)).toBe('code');
    // The wrong code is selected: the next digits take its place.
    await page.keyboard.type('12');
    expect(await page.locator('#code').inputValue()).toBe('12');
    expect(await page.getByText('Verification code you entered is incorrect').count()).toBe(0);
    await page.locator('#code').fill(wrong);

    await page.getByRole('button', { name: 'Resend', exact: true }).click();
    await expect.poll(() => focusedId(page)).toBe('code');

    await page.reload();
    await heading(page, 'Enter the code');
    expect(await focusedId(page)).toBe('code');
    expect(sent).toBe(1);
    await page.context().close();
  });

  test('the password of a registration and of a recovery has it, without a ring around the title', async () => {
    const { identifier } = await world.signUp();
    for (const [path, address, title] of [
      ['/register', 'fresh@example.com', 'Choose a password'],
      ['/findbackPWD', identifier, 'Choose a new password'],
    ] as const) {
      const page = await sendCode(path, address);
      await enterAtOnce(page, 'password');
      await page.keyboard.type(await world.codeFor(address, page));
      await heading(page, title);
      expect(await focusedId(page)).toBe('password');
      // That Enter was for the code.
      expect(await page.evaluate(() => document.documentElement.dataset.entered)).toBe('yes');
      expect(await page.locator('[aria-invalid=true], [role=alert]').allTextContents()).toEqual([]);
      await page.keyboard.type('sun');
      expect(await page.locator('#password').inputValue()).toBe('sun');
      await page.locator('#password').fill('');
      await page.locator('form [type=submit]').last().click();
      await page.getByText('Password cannot be blank').first().waitFor();

      await page.keyboard.press('Shift+Tab');
      const ring = await page.evaluate(() => {
        const title = document.querySelector('h1');
        title?.focus();
        const { outlineStyle, boxShadow } = getComputedStyle(title as Element);
        return { outlineStyle, boxShadow };
      });
      expect(ring).toEqual({ outlineStyle: 'none', boxShadow: 'none' });
      await page.context().close();
    }
  });

  test('a refusal of the whole form takes it, and so does the next one, also from behind a dialog', async () => {
    const error = { code: 'unavailable', requestId: 'r' };
    const refuse = (page: Page, path: string) =>
      page.route(path, (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 503, json: { error } })
          : route.fallback(),
      );
    const summary = (page: Page) => page.locator('[role=alert]:focus').getByText('not available').waitFor();
    const page = await sendCode('/register', 'refused@example.com');
    await refuse(page, '**/api/codes');
    await page.getByRole('button', { name: 'Change' }).click();
    await page.locator('#identifier').fill('other@example.com');
    for (const _ of ['once', 'again']) {
      await page.locator('#identifier').press('Enter');
      await summary(page);
    }
    await page.unroute('**/api/codes');
    await page.locator('#identifier').fill('refused@example.com');
    await page.keyboard.press('Enter');
    await page.locator('#code').fill(await world.codeFor('refused@example.com', page));
    await refuse(page, '**/interaction/*/register');
    for (const _ of ['once', 'again']) {
      await page.locator('#password').fill('starlight88');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Agree and Register' }).click();
      await summary(page);
    }
    await page.context().close();
  });

  test('on a phone, a page that was just opened takes no focus: a keyboard would cover it', async () => {
    const page = await world.openPage({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 360, height: 640 },
    });
    await page.goto(`${world.origin}/login`);
    await page.locator('#identifier').waitFor();
    expect(await focusedId(page)).toBe('');
    await page.context().close();
  });

  test('at a sign-in it is in the first field that is empty', async () => {
    const { identifier } = await world.signUp();
    const page = await world.openPage();
    await page.goto(`${world.origin}/login`);
    await page.locator('#identifier').waitFor();
    expect(await focusedId(page)).toBe('identifier');
    await page.keyboard.type(identifier);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await heading(page, 'Find back password');
    expect(await focusedId(page)).toBe('identifier');
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await heading(page, 'Sign in');
    expect(await focusedId(page)).toBe('code');
    await page.context().close();
  });
});
