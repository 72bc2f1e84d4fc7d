import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { violationsOf } from './accessibility.ts';
import { signInAs } from './stage.ts';

const looks = [
  [1280, 'light', 'en', 'API reference - Aurelia'],
  [1280, 'dark', 'zh-TW', 'API 參考 - Aurelia'],
  [360, 'light', 'zh-CN', 'API 参考 - Aurelia'],
  [360, 'dark', 'ru', 'Справочник API - Aurelia'],
] as const;

let world: BrowserWorld;
beforeAll(async () => {
  world = await createBrowserWorld();
});
afterAll(() => world.close());

describe('/reference, in Chromium', () => {
  test.each(process.env.FULL ? looks : [looks[1], looks[2]])(
    'shows the API at %i pixels in %s, under the policy of the page',
    async (width, colorScheme, locale, title) => {
      const page = await world.openPage({ viewport: { width, height: 900 }, colorScheme, locale });
      const strangers: string[] = [];
      page.on('request', (request) => {
        if (!/^data:/.test(request.url()) && !request.url().startsWith(world.origin))
          strangers.push(request.url());
      });
      await page.goto(`${world.origin}/reference`);
      const operation = page.locator('#operations-Clients-createClient');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.highlight-code').first().waitFor();
      expect(await page.title()).toBe(title);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const [back = 0, front = 0] = await operation
        .locator('.opblock-description p')
        .evaluate((text) =>
          [getComputedStyle(document.body).backgroundColor, getComputedStyle(text).color].map((color) =>
            Number(color.match(/\d+/)?.[0]),
          ),
        );
      expect(Math.abs(back - front)).toBeGreaterThan(120);
      expect(back < front).toBe(colorScheme === 'dark');
      expect(await violationsOf(page)).toEqual([]);
      expect(new URL(page.url()).hash).toBe('#/Clients/createClient');
      expect(await page.locator('header a').getAttribute('href')).toBe('/index');
      expect([strangers, world.takeFaults()]).toEqual([[], []]);
      await page.context().close();
    },
  );

  test('a developer tries an operation with the session of the browser', async () => {
    const { agent } = await world.signUpDeveloper();
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/reference#/Clients/createClient`);
    const operation = page.locator('#operations-Clients-createClient');
    await operation.locator('.try-out__btn').click();
    await operation
      .locator('textarea')
      .fill('{"preset":"web","name":"Sunrise","redirect_uris":["https://sunrise.example/callback"]}');
    await operation.locator('.execute').click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '201' }).waitFor();
    expect((await agent.get('/api/clients')).json().items).toHaveLength(1);
    expect(world.takeFaults()).toEqual([]);
    await page.context().close();
  });
});
