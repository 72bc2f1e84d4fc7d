import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Stage } from './stage.ts';
import { createStage, openSignedIn, signInAs } from './stage.ts';

let stage: Stage;
let page: Page;
beforeAll(async () => {
  stage = await createStage();
});
afterEach(async () => {
  await page.context().close();
  expect(stage.world.takeFaults()).toEqual([]);
});
afterAll(() => stage.world.close());

/** Navigates within the application, as its links do. */
const go = (path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const scrollY = () => page.evaluate(() => window.scrollY);
const countKept = () => page.evaluate(() => document.querySelectorAll('main h1').length);

const openSessions = async (viewport = { width: 500, height: 400 }) => {
  page = await openSignedIn(stage, { viewport });
  await page.goto(`${stage.world.origin}/index`);
  await page.locator('main a[href="/sessions"]').click();
  await page.locator('[data-record] time').first().waitFor();
};

describe('pages that are kept', () => {
  test('Back finds a page as it was left: scrolled, titled, with the focus on its heading', async () => {
    await openSessions();
    await page.evaluate(() => {
      document.querySelector('main [data-record]')?.setAttribute('data-seen', '');
      scrollTo(0, 240);
    });
    await expect.poll(scrollY).toBe(240);
    await page.evaluate(() => document.querySelector<HTMLElement>('main a[href="/index"]')?.click());
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    expect(await scrollY()).toBe(0);
    expect(await page.title()).toMatch(/^(?!Session)/);

    await page.goBack();
    await heading('Session management').waitFor();
    expect(await page.locator('main [data-seen]').isVisible()).toBe(true);
    await expect.poll(scrollY).toBe(240);
    await expect.poll(() => page.title()).toBe('Session management - Aurelia');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Session management');
  });

  test('a page that is shown again asks for its list again', async () => {
    await openSessions();
    await page.goBack();
    await page.locator('main a[href="/sessions"]').waitFor();
    const asked = page.waitForRequest('**/api/sessions');
    await page.goForward();
    await asked;
    expect(await page.locator('[data-record] time').first().isVisible()).toBe(true);
  });

  test('a dialog does not outlive the visit of its page', async () => {
    await openSessions();
    await page.locator('[data-record] button').first().click();
    await page.getByRole('alertdialog').waitFor();
    const left = await scrollY();
    await page.goBack();
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    await expect.poll(() => page.locator('[role=alertdialog]').count()).toBe(0);
    expect(await page.locator('[inert], [aria-hidden] main').count()).toBe(0);
    await page.goForward();
    await heading('Session management').waitFor();
    await expect.poll(() => page.locator('[role=alertdialog]').count()).toBe(0);
    expect(await page.locator('[inert], [aria-hidden] main').count()).toBe(0);
    await expect.poll(scrollY).toBe(left);
    await page.mouse.move(250, 200);
    await page.mouse.wheel(0, -left / 2);
    await expect.poll(scrollY).toBeLessThan(left);
    await page.locator('[data-record] button').first().click();
    await page.getByRole('alertdialog').waitFor();
  });

  test('the five used last are kept, each by its full path', async () => {
    await openSessions();
    for (const n of [1, 2, 3, 4, 5, 6]) {
      await go(`/sessions?n=${n}`);
      await expect.poll(countKept).toBe(Math.min(n + 2, 5));
    }
    await page.evaluate(() => document.querySelector('main h1')?.setAttribute('data-oldest', ''));
    await go('/tokens');
    await heading('Authorization management').waitFor();
    await expect.poll(() => page.locator('[data-oldest]').count()).toBe(0);
    expect(await countKept()).toBe(5);
  });

  test.each(['/login', '/register', '/findbackPWD', '/consent', '/middle', '/error', '/nowhere'])(
    '%s is never kept, and leaves the kept ones alone',
    async (path) => {
      await openSessions();
      const api = new RegExp(`${stage.world.origin}/(?:sign-in|interaction)`);
      await page.route(api, (route) => route.abort());
      await go(path);
      await heading('Session management').waitFor({ state: 'hidden' });
      await page.locator('main h1:visible').waitFor();
      expect(await page.locator('[id=main]:visible').count()).toBe(1);
      const kept = await countKept();
      await go('/sessions');
      await heading('Session management').waitFor();
      await expect.poll(countKept).toBe(kept - 1);
      expect(stage.world.takeFaults().filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
    },
  );

  test('nothing of an account is left when another one has signed in beside it', async () => {
    const { world } = stage;
    const { agent, identifier } = await world.signUp();
    page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/index`);
    await page.getByText(identifier).first().waitFor();
    await go('/tokens');
    await heading('Authorization management').waitFor();
    await signInAs(page.context(), stage.person, world.origin);
    const reloaded = page.waitForEvent('load');
    // The data of an account stay fresh for ten seconds.
    await page.clock.install();
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    await page.clock.fastForward(11_000);
    await go('/sessions');
    await reloaded;
    await page.locator('[data-record] time').first().waitFor();
    expect(await page.content()).not.toContain(identifier);
  });
});
