import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Stage } from './screens.ts';
import { createStage, openSignedIn } from './stage.ts';

declare global {
  interface Window {
    onCandelaWebViewClose?: () => void;
  }
}

let stage: Stage;
let page: Page;
beforeAll(async () => {
  stage = await createStage();
});
afterEach(async () => {
  await page.context().close();
  stage.world.takeFaults();
});
afterAll(() => stage.world.close());

const open = async (path: string, options: Parameters<typeof openSignedIn>[1] = {}) => {
  page = await openSignedIn(stage, options);
  await page.goto(`${stage.world.origin}${path}`);
  await page.locator('main h1').first().waitFor();
};
const openLogin = async (options: Parameters<typeof openSignedIn>[1] = {}) => {
  page = await stage.world.openPage(options);
  await page.goto(`${stage.world.origin}/login`);
  await page.locator('#identifier').waitFor();
};
const focusedId = () => page.evaluate(() => document.activeElement?.id);
const isMobile = () => page.evaluate(() => document.documentElement.hasAttribute('data-mobile'));

describe('what holds on every page', () => {
  test('a press outside takes the focus from a field, one on its label or its buttons does not', async () => {
    await openLogin();
    const identifier = page.locator('#identifier');
    await identifier.click();
    await page.locator('label[for=identifier]').click();
    expect(await focusedId()).toBe('identifier');
    await page.getByRole('heading', { level: 1 }).click();
    expect(await focusedId()).not.toBe('identifier');
    // A selection that begins in the field may end outside it.
    await identifier.fill('lena@example.com');
    const box = await identifier.boundingBox();
    if (!box) throw new Error('the field is not drawn');
    await page.mouse.move(box.x + 60, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y - 120, { steps: 4 });
    await page.mouse.up();
    expect(await focusedId()).toBe('identifier');
  });

  test('Enter in a field is no press outside it', async () => {
    await openLogin();
    await page.getByRole('heading', { level: 1 }).click();
    await page.locator('#code').focus();
    await page.evaluate(() => {
      // Whatever the form does with it, the field is where the person left it.
      document.addEventListener('submit', (event) => event.stopPropagation(), true);
      document.addEventListener('submit', (event) => event.preventDefault(), true);
    });
    await page.keyboard.press('Enter');
    expect(await focusedId()).toBe('code');
  });

  test('the mobile flag follows the width of the window, at once', async () => {
    await openLogin();
    expect(await isMobile()).toBe(false);
    await page.setViewportSize({ width: 600, height: 800 });
    await expect.poll(isMobile).toBe(true);
    await page.setViewportSize({ width: 601, height: 800 });
    await expect.poll(isMobile).toBe(false);
  });

  test('a mobile user agent is mobile, however wide', async () => {
    const userAgent =
      'Mozilla/5.0 (Linux; Android 14; Pixel) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36';
    await openLogin({ userAgent });
    expect(await isMobile()).toBe(true);
    const target = await page.locator('footer button').first().boundingBox();
    expect(target?.height).toBeGreaterThanOrEqual(44);
  });

  test('the language changes on the spot: lang, title and the form as it was typed', async () => {
    await openLogin();
    await page.locator('#identifier').fill('lena@example.com');
    for (const [name, lang] of [
      ['Русский', 'ru'],
      ['简体中文', 'zh-Hans'],
      ['繁體中文', 'zh-Hant'],
      ['English', 'en'],
    ] as const) {
      const before = await page.title();
      await page.getByRole('button', { name }).click();
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(lang);
      await expect.poll(() => page.title()).not.toBe(before);
      expect(await page.locator('#identifier').inputValue()).toBe('lena@example.com');
    }
  });

  test('an empty field for a phone follows the language; a country that was picked stays', async () => {
    await openLogin();
    const speak = async (name: string, country: string) => {
      await page.getByRole('button', { name }).click();
      await expect.poll(() => page.locator('form select').inputValue()).toBe(country);
    };
    await speak('Русский', 'RU');
    await speak('繁體中文', 'TW');
    await page.locator('#identifier').fill('0912');
    await speak('English', 'TW');
    await page.locator('#identifier').fill('');
    await page.locator('form select').selectOption('RU');
    await speak('Русский', 'RU');
    await speak('简体中文', 'RU');
  });

  test('each screen of a sign-in says what it is for, and names the app', async () => {
    await openLogin();
    await page.getByText('Sign in to continue to your Aurelia account', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByText('Create your Aurelia account', { exact: true }).waitFor();
    await page.goto((await stage.newApp.authorizationUrl({})).url.href);
    const main = page.locator('main');
    await main.getByText('Sign in to continue to Lamp Studio', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Register' }).click();
    await main.getByText('Create your Aurelia account', { exact: true }).waitFor();
    await page.locator('#identifier').fill('screens@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('heading', { level: 1, name: 'Enter the code' }).waitFor();
    await main.getByText('Lamp Studio', { exact: true }).waitFor();
    expect(await main.textContent()).not.toContain('continue');
    await page.locator('#code').fill(await stage.world.codeFor('screens@example.com', page));
    await page.getByRole('heading', { level: 1, name: 'Choose a password' }).waitFor();
    await main.getByText('Lamp Studio', { exact: true }).waitFor();
    expect(await main.textContent()).not.toContain('continue');
  });

  test('the hook of a closing web view logs, and does nothing else', async () => {
    await open('/tokens');
    // Who is signed in comes in an answer of its own.
    await page.locator('header').getByRole('link', { name: 'Account settings' }).waitFor();
    const before = await page.content();
    const logged = page.waitForEvent('console');
    expect(await page.evaluate(() => window.onCandelaWebViewClose?.())).toBeUndefined();
    expect((await logged).type()).toBe('info');
    expect((await logged).text()).toContain('/tokens');
    expect(await page.content()).toBe(before);
  });

  test('without a network every page says so, and keeps what was typed', async () => {
    await openLogin();
    await page.locator('#identifier').fill('lena@example.com');
    await page.context().setOffline(true);
    await page.getByRole('status').getByText('You are offline').waitFor();
    expect(await page.locator('#identifier').inputValue()).toBe('lena@example.com');
    await page.context().setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'hidden' });
  });

  test('a page that comes back from the back-forward cache asks the server who is signed in', async () => {
    await open('/index');
    await page.context().clearCookies();
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    });
    expect(await page.locator('main h1').isVisible()).toBe(false);
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await page.waitForURL('**/login?**');
  });
});

describe('a chunk that is gone from the server', () => {
  const chunk = '**/sessions-page-*.js';
  const lose = () => page.route(chunk, (route) => route.fulfill({ status: 404 }));
  const notice = () => page.getByRole('alert').getByText('A new version is available');
  const loads = () => {
    let count = 0;
    page.on('load', () => {
      count += 1;
    });
    return () => count;
  };

  test('reloads the page once for a build, then says that there is a new version', async () => {
    await open('/index');
    await lose();
    const count = loads();
    const reloaded = page.waitForEvent('load');
    await page.locator('main a[href="/sessions"]').click();
    await reloaded;
    await notice().waitFor();
    expect(count()).toBe(1);
    await page.unroute(chunk);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'Session management' }).waitFor();
    expect(count()).toBe(2);
  });

  test('does not reload over something typed, which is there on Back', async () => {
    await open('/index');
    await lose();
    const count = loads();
    await page.evaluate(() => {
      const field = document.createElement('input');
      field.id = 'typed';
      field.value = 'a new nickname';
      document.querySelector('main')?.append(field);
    });
    await page.locator('main a[href="/sessions"]').click();
    await notice().waitFor();
    expect(count()).toBe(0);
    await page.goBack();
    await page.locator('main a[href="/sessions"]').waitFor();
    expect(await page.locator('#typed').inputValue()).toBe('a new nickname');
  });
});
