import { locales } from '@candela/contract';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Stage } from './stage.ts';
import { createStage, openSignedIn, signInAs } from './stage.ts';

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
      // The test is about the focus, so the form must not submit.
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

  test('the title is there before any script, and stays', async () => {
    page = await openSignedIn(stage);
    const { origin } = stage.world;
    const consent = await stage.newApp.authorizationUrl({ prompt: 'consent' });
    const flow = [consent.url.href, '/login', '/register', '/findbackPWD', '/undo'];
    const paths = [...flow, '/index', '/tokens', '/sessions', '/middle', '/error', '/device'];
    for (const [index, path] of paths.entries()) {
      await page.context().addCookies([{ name: 'locale', value: locales[index % 4] ?? '', url: origin }]);
      const served = page.waitForResponse(
        (response) => response.status() === 200 && response.request().isNavigationRequest(),
      );
      await page.goto(new URL(path, origin).href);
      const [, title] = /<title>(.*)<\/title>/.exec(await (await served).text()) ?? [];
      await page.locator('main h1').first().waitFor();
      expect(title).toMatch(/.+ - Aurelia$/);
      // An invalid link changes the title to that of an error.
      if (path === '/undo') expect(await page.title()).toContain(title);
      else expect([path, await page.title()]).toEqual([path, title]);
    }
  });

  test('the hook of a closing web view logs, and does nothing else', async () => {
    await open('/tokens');
    // The account and the list load by requests of their own.
    await page.locator('header').getByRole('button', { name: 'Your account' }).waitFor();
    await page.locator('[data-record] time').first().waitFor();
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

const lose = (chunk: RegExp) => page.route(chunk, (route) => route.fulfill({ status: 404 }));
const loads = () => {
  let count = 0;
  page.on('load', () => {
    count += 1;
  });
  return () => count;
};
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

describe('a chunk that is gone from a server that answers', () => {
  const chunk = /\/sessions-page-.*\.js/;
  const typeSomething = () =>
    page.evaluate(() => {
      const field = document.createElement('input');
      field.id = 'typed';
      field.value = 'a new nickname';
      document.querySelector('main')?.append(field);
    });

  test('a link leads to the page of the new release; without the chunk it reloads once and says so', async () => {
    await open('/index');
    await lose(chunk);
    const count = loads();
    await page.locator('main a[href="/sessions"]').click();
    await page.getByRole('alert').getByText('A new version is available').waitFor();
    expect(count()).toBe(2);
    await page.unroute(chunk);
    await page.getByRole('button', { name: 'Reload' }).click();
    await heading('Session management');
    expect(count()).toBe(3);
  });

  test('a link keeps the input, and says that there is a new version', async () => {
    await open('/index');
    await lose(chunk);
    const count = loads();
    await typeSomething();
    await page.locator('main a[href="/sessions"]').click();
    await page.getByRole('status').getByText('A new version is available').waitFor();
    expect(await page.locator('#typed').inputValue()).toBe('a new nickname');
    expect(new URL(page.url()).pathname).toBe('/index');
    expect(count()).toBe(0);
    await page.unroute(chunk);
    await page.getByRole('button', { name: 'Reload' }).click();
    await heading('Session management');
  });

  test('a dialog does not reload over input either', async () => {
    await open('/index');
    await page.locator('main a[href="/sessions"]').waitFor();
    await lose(/\/setting-dialog-.*\.js/);
    const count = loads();
    await typeSomething();
    await page.getByRole('button', { name: 'Change: Nickname' }).click();
    await page.getByRole('status').getByText('A new version is available').waitFor();
    expect(await page.locator('#typed').inputValue()).toBe('a new nickname');
    expect(count()).toBe(0);
  });

  test('a late chunk loads at the second try', async () => {
    await open('/index');
    const count = loads();
    await page.route(/\/sessions-page-[^?]*\.js$/, (route) => route.abort());
    await page.locator('main a[href="/sessions"]').click();
    await heading('Session management');
    expect(count()).toBe(0);
  });
});

test('a late stylesheet loads at the second try', async () => {
  await openLogin();
  await page.route(/\/use-registration-[^?]*\.css$/, (route) => route.abort());
  await page.getByRole('link', { name: 'Register' }).click();
  await heading('Register');
  const styles = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? ''));
  expect(styles.filter((href) => /\/use-registration-.*\.css\?again=/.test(href))).toHaveLength(1);
});

describe('Back', () => {
  test('from a forgotten password or the registration finds the input of the sign-in', async () => {
    await openLogin();
    await page.getByRole('tab', { name: 'Password' }).click();
    for (const name of ['Forgot password?', 'Register']) {
      await page.locator('#identifier').fill(`${name.length}@example.com`);
      await page.getByRole('link', { name }).click();
      await page.getByRole('tab').first().waitFor({ state: 'detached' });
      await page.goBack();
      await page.getByRole('tab', { name: 'Password', selected: true }).waitFor();
      expect(await page.locator('#identifier').inputValue()).toBe(`${name.length}@example.com`);
    }
  });

  test('from the sign-in of another account finds the offer to continue as the signed-in account', async () => {
    // To continue gives the session another cookie.
    const { agent } = await stage.world.signUp();
    page = await stage.world.openPage();
    await signInAs(page.context(), agent, stage.world.origin);
    await page.goto(`${stage.world.origin}/login`);
    const another = page.getByRole('button', { name: 'Login with another account' });
    await another.click();
    await page.locator('#identifier').fill('max@example.com');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await heading('Find back password');
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('tab').first().waitFor();
    for (let step = 0; step < 2; step += 1) await page.goBack();
    await page.getByRole('tab').first().waitFor();
    expect(await page.locator('#identifier').inputValue()).toBe('max@example.com');
    await page.reload();
    expect(await page.locator('#identifier').inputValue()).toBe('max@example.com');
    await page.goBack();
    await another.waitFor();
    await page.getByRole('button', { name: /Continue as/ }).click();
    await page.waitForURL('**/index');
  });
});

describe('without a network', () => {
  const offline = () => page.getByRole('status').getByText('You are offline');

  test('a link leaves the page as it is, and leads on when the network is back', async () => {
    await openLogin();
    await page.locator('#identifier').fill('lena@example.com');
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.locator('#password').fill('moonlight77');
    await page.context().setOffline(true);
    const count = loads();
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await offline().waitFor();
    await again.click();
    expect(await page.locator('#identifier').inputValue()).toBe('lena@example.com');
    expect(await page.locator('#password').inputValue()).toBe('moonlight77');
    await page.context().setOffline(false);
    await heading('Find back password');
    expect(await page.locator('#identifier').inputValue()).toBe('lena@example.com');
    expect(await again.count()).toBe(0);
    expect(count()).toBe(0);
  });

  test('a dialog that cannot open says so, and opens when the network is back', async () => {
    await open('/index');
    await page.locator('main a[href="/sessions"]').waitFor();
    await page.context().setOffline(true);
    const count = loads();
    await page.getByRole('button', { name: 'Change: Nickname' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('dialog').waitFor();
    expect(count()).toBe(0);
  });

  test('a page from the back-forward cache waits, and shows nothing of the session meanwhile', async () => {
    await open('/index');
    await page.locator('main a[href="/sessions"]').waitFor();
    await page.context().setOffline(true);
    const count = loads();
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.locator('main h1').isVisible()).toBe(false);
    expect(count()).toBe(0);
    await Promise.all([page.waitForEvent('load'), page.context().setOffline(false)]);
    await heading('Account settings');
  });
});

describe('a language whose texts cannot be loaded', () => {
  const russian = /\/ru-.*\.js/;
  const langOf = () => page.locator('html').getAttribute('lang');
  const cookieOf = async () => (await page.context().cookies()).find(({ name }) => name === 'locale')?.value;

  test.each(['/login', '/index', '/license'])('at the start of %s gives way to English', async (path) => {
    page = path === '/login' ? await stage.world.openPage() : await openSignedIn(stage);
    await page.context().addCookies([{ name: 'locale', value: 'ru', url: stage.world.origin }]);
    await lose(russian);
    const count = loads();
    await page.goto(`${stage.world.origin}${path}`);
    await page.locator(path === '/login' ? '#identifier' : 'header select').waitFor();
    expect(await langOf()).toBe('en');
    if (path === '/login') await heading('Sign in');
    expect(count()).toBe(1);
    if (path !== '/login') return;
    await page.unroute(russian);
    await page.getByRole('button', { name: 'Русский' }).click();
    await expect.poll(langOf).toBe('ru');
  });

  test('that of a later page gives way too', async () => {
    await openLogin({ locale: 'ru-RU' });
    await lose(/\/ru-account-.*\.js/);
    await page.locator('main a[href*=findbackPWD]').click();
    await heading('Find back password');
    expect(await langOf()).toBe('en');
  });

  test('is not switched to: the cookie and the account keep theirs, and it comes at the next try', async () => {
    await openLogin();
    await page.locator('#identifier').fill('lena@example.com');
    await lose(russian);
    await page.getByRole('button', { name: 'Русский' }).click();
    await page.getByRole('status').getByText('The language could not be changed').waitFor();
    expect([await langOf(), await cookieOf()]).toEqual(['en', undefined]);
    expect(await page.locator('#identifier').inputValue()).toBe('lena@example.com');
    await page.unroute(russian);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(langOf).toBe('ru');
    expect(await cookieOf()).toBe('ru');
    expect(await page.locator('#identifier').inputValue()).toBe('lena@example.com');
  });

  test('is not saved with the account either', async () => {
    await open('/index');
    const saved: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') saved.push(request.postData() ?? '');
    });
    await lose(russian);
    await page.locator('header select').selectOption('ru');
    await page.getByRole('status').getByText('The language could not be changed').waitFor();
    expect(await page.locator('header select').inputValue()).toBe('en');
    await page.getByRole('button', { name: 'Change: Language' }).click();
    await page.getByRole('dialog').getByText('Русский').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('We cannot be reached').waitFor();
    expect([await langOf(), await cookieOf(), saved]).toEqual(['en', undefined, []]);
  });
});

describe('a page that cannot be drawn at all', () => {
  test.each([/\/(?:ru|en)-.*\.js/, /\/index-.*\.js/, /\/shell-.*\.js/])(
    'without %s says so in the reader’s language, and is there at a second try',
    async (scripts) => {
      page = await stage.world.openPage({ locale: 'ru-RU', viewport: { width: 360, height: 640 } });
      await page.route(scripts, (route) => route.abort());
      await page.goto(`${stage.world.origin}/login`);
      await page.getByRole('alert').getByText('Страница не загрузилась').waitFor();
      await page.unroute(scripts);
      await page.getByRole('button', { name: 'Повторить' }).click();
      await page.locator('#identifier').waitFor();
    },
  );
});
