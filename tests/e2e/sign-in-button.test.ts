import { locales } from '@candela/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';

let world: BrowserWorld;
beforeAll(async () => {
  world = await createBrowserWorld();
});
afterAll(() => world.close());

test('the text of the button "Sign in with" fits into it, in each language', async () => {
  const page = await world.openPage();
  for (const locale of locales) {
    await page.goto(`${world.origin}/sign-in-button/light/${locale}.svg`);
    const { free, used } = await page.evaluate(() => {
      const text = document.querySelector('text');
      const { x = 0, width = 0 } = text?.getBBox() ?? {};
      const all = Number(document.documentElement.getAttribute('width'));
      return { free: { left: x - 40, right: all - x - width }, used: width / all };
    });
    expect([locale, free.left >= 8, free.right >= 12, used > 0.45]).toEqual([locale, true, true, true]);
  }
});
