import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { layoutFaults } from './layout-faults.ts';
import type { Stage } from './stage.ts';
import { createStage, openSignedIn, signInAs } from './stage.ts';

let stage: Stage;
let page: Page;
beforeAll(async () => {
  stage = await createStage();
  await stage.world.developers.allow(stage.identifier);
});
afterEach(async () => {
  expect(await layoutFaults(page)).toEqual([]);
  await page.context().close();
  stage.world.takeFaults();
});
afterAll(() => stage.world.close());

const phone: BrowserContextOptions = { viewport: { width: 320, height: 568 } };
const busy = { error: { code: 'unavailable', requestId: 'r' } };

/** The pages of an account, and the request of each. */
const pages = [
  { path: '/index', api: '**/api/account', done: 'main a[href="/sessions"]' },
  { path: '/sessions', api: '**/api/sessions*', done: '[data-record]' },
  { path: '/tokens', api: '**/api/authorizations*', done: '[data-record]' },
  { path: '/developers', api: '**/api/clients*', done: 'main h3' },
] as const;

describe.each(pages)('$path', ({ path, api, done }) => {
  test('shows that it loads after a moment, and keeps its title and its position', async () => {
    page = await openSignedIn(stage, phone);
    let answer = () => {};
    const released = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(api, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${stage.world.origin}${path}`);
    await page.locator('main h1').waitFor();
    await page.getByText('Loading').first().waitFor({ state: 'attached' });
    expect(await page.title()).toMatch(/.+ - Aurelia$/);
    expect(await layoutFaults(page)).toEqual([]);
    answer();
    await page.locator(done).first().waitFor();
  });

  test('shows a failure, and tries again when asked', async () => {
    page = await openSignedIn(stage, phone);
    await page.route(api, (route) => route.fulfill({ status: 503, json: busy }));
    await page.goto(`${stage.world.origin}${path}`);
    const failure = page.locator('main [role=alert]');
    await failure.getByText('not available right now').waitFor();
    expect(await layoutFaults(page)).toEqual([]);
    await page.unroute(api);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.locator(done).first().waitFor();
  });

  test('says that there is no network, and is there when it is back', async () => {
    page = await openSignedIn(stage, phone);
    await page.route(api, (route) => route.abort());
    await page.goto(`${stage.world.origin}${path}`);
    await page.locator('main [role=alert]').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('status').getByText('You are offline').waitFor();
    expect(await layoutFaults(page)).toEqual([]);
    await page.unroute(api);
    await page.context().setOffline(false);
    await page.locator(done).first().waitFor();
  });
});

test('a request that an approval in another tab overtook is sent again, and the page stays', async () => {
  const { world } = stage;
  const { agent } = await world.signUp();
  const { rp } = await world.registerApp({ client_name: 'Lamp Garden' });
  page = await world.openPage(phone);
  await signInAs(page.context(), agent, world.origin);
  const statuses: number[] = [];
  const visits: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) visits.push(new URL(request.url()).pathname);
  });
  await page.route('**/api/sessions*', async (route) => {
    const cookie = await agent.jar.getCookieString(world.origin);
    if (statuses.length === 0) {
      await world.link(agent, rp);
      await signInAs(page.context(), agent, world.origin);
    }
    const answer = await fetch(route.request().url(), { headers: { cookie } });
    statuses.push(answer.status);
    await route.fulfill({
      status: answer.status,
      contentType: 'application/json',
      body: await answer.text(),
    });
  });
  await page.goto(`${world.origin}/sessions`);
  await page.getByText('You are signed in on this device only.').waitFor();
  expect(statuses).toEqual([401, 200]);
  // The sign-in would return a browser that has the new cookie, but without what was on the page.
  expect(visits).toEqual(['/sessions']);
});

test('empty lists say which records they would show', async () => {
  const { agent } = await stage.world.signUp();
  page = await stage.world.openPage(phone);
  await signInAs(page.context(), agent, stage.world.origin);
  await page.goto(`${stage.world.origin}/tokens`);
  await page.getByText('No apps are connected to your account.').waitFor();
  await page.goto(`${stage.world.origin}/sessions`);
  await page.getByText('You are signed in on this device only.').waitFor();
});

test('a sign-in that does not load says so, and tries again when asked', async () => {
  page = await stage.world.openPage(phone);
  const api = '**/interaction/*/details';
  await page.route(api, (route) => route.fulfill({ status: 503, json: busy }));
  await page.goto(`${stage.world.origin}/login`);
  await page.getByText('not available right now').waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  await page.unroute(api);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('#identifier').waitFor();
});

describe('the settings of the operating system', () => {
  const paths = ['/index', '/sessions', '/tokens', '/license', '/error'] as const;

  test('dark: the pages are dark, by the brand', async () => {
    page = await openSignedIn(stage, { colorScheme: 'dark' });
    for (const path of paths) {
      await page.goto(`${stage.world.origin}${path}`);
      await page.locator('main h1').first().waitFor();
      const colours = await page.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.documentElement);
        return { backgroundColor, color };
      });
      expect(colours).toEqual({ backgroundColor: 'rgb(20, 16, 12)', color: 'rgb(246, 237, 226)' });
    }
  });

  test('less motion: nothing moves', async () => {
    page = await openSignedIn(stage, { reducedMotion: 'reduce' });
    const moving = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter((animation) => Number(animation.effect?.getComputedTiming().duration ?? 0) > 0)
          .map((animation) => (animation as CSSAnimation).animationName ?? 'a transition'),
      );
    for (const { path, api, done } of pages) {
      await page.goto(`${stage.world.origin}${path}`);
      await page.locator(done).first().waitFor();
      expect([path, await moving()]).toEqual([path, []]);
      // The same holds while the page loads.
      await page.route(api, () => undefined);
      await page.reload();
      await page.getByText('Loading').first().waitFor({ state: 'attached' });
      expect([path, await moving()]).toEqual([path, []]);
      await page.unroute(api);
    }
    for (const path of ['/middle', '/error'] as const) {
      await page.goto(`${stage.world.origin}${path}`);
      await page.locator('main h1').first().waitFor();
      expect([path, await moving()]).toEqual([path, []]);
    }
  });

  test('forced colours: controls keep an outline, and the focus is seen', async () => {
    page = await openSignedIn(stage, { forcedColors: 'active' });
    for (const path of ['/index', '/sessions', '/tokens'] as const) {
      await page.goto(`${stage.world.origin}${path}`);
      const button = page.locator('main button').last();
      await button.waitFor();
      const name = page.locator('main button, main a, header a, header select');
      for (const control of await name.all()) {
        if (!(await control.isVisible())) continue;
        await control.focus();
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Tab');
        const outline = await page.evaluate(() => {
          const active = document.activeElement ?? document.body;
          const box = getComputedStyle(active);
          return box.outlineStyle !== 'none' && Number.parseFloat(box.outlineWidth) >= 1;
        });
        expect([path, await control.textContent(), outline]).toEqual([path, expect.anything(), true]);
      }
    }
  });
});
