import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { catalogs } from '../../apps/web/src/i18n/catalogs.ts';
import { type AtDesk, hireStaff } from '../desk/staff.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { violationsOf } from './accessibility.ts';
import { layoutFaults } from './layout-faults.ts';
import { signInAs } from './stage.ts';

let world: BrowserWorld;
let operator: AtDesk;
beforeAll(async () => {
  world = await createBrowserWorld();
  operator = await hireStaff(world, 'operator');
});
afterAll(() => world.close());
afterEach(() => expect(world.takeFaults()).toEqual([]));

const isGood = async (page: Page) => {
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
};

const giveReason = async (page: Page, reason: string) => {
  await page.getByRole('dialog').locator('#reason').fill(reason);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

test.each([
  { lang: 'en', width: 1280 },
  { lang: 'ru', width: 360 },
  { lang: 'zh-Hans', width: 360 },
  { lang: 'zh-Hant', width: 1280 },
] as const)(
  'a text is found, changed by keyboard with a preview, and taken back: $lang at $width pixels',
  async ({ lang, width }) => {
    const say = (key: string, values: Record<string, string> = {}) =>
      Object.entries(values).reduce(
        (text, [name, value]) => text.replace(`{{${name}}}`, value),
        catalogs[lang][`desk.words.${key}`] ?? key,
      );
    const page = await world.openPage({ viewport: { width, height: width === 360 ? 640 : 800 } });
    await signInAs(page.context(), operator.agent, world.origin);
    await page.context().addCookies([{ name: 'locale', value: lang, url: world.origin }]);
    await page.goto(`${world.origin}/desk`);
    await page.getByRole('link', { name: say('title'), exact: true }).click();

    await page.getByLabel(say('find'), { exact: true }).fill('messages.code.subject');
    await page.getByRole('button', { name: 'messages.code.subject' }).press('Enter');
    const text = page.locator('[data-section=word] textarea');
    await text.fill('{{code}}');
    await page.getByRole('button', { name: say('save'), exact: true }).press('Enter');
    await giveReason(page, 'A try');
    await page.getByText(catalogs[lang]['errors.word_placeholder_unknown'] ?? '').waitFor();

    await text.fill(`${lang}: {{purpose}}, {{brand}}`);
    const purpose = await page.locator('[data-preview]').textContent();
    expect(purpose).toMatch(new RegExp(`^${lang}: .+, Aurelia$`));
    await page.getByRole('button', { name: say('save'), exact: true }).press('Enter');
    await giveReason(page, 'Shorter');
    const history = page.locator('[data-section=history]');
    await history.getByText(say('inForce'), { exact: true }).waitFor();
    await history.getByText('Shorter').first().waitFor();
    await isGood(page);

    const visitor = world.browser({ language: lang });
    await visitor.navigate('/login');
    const to = `words-${lang.toLowerCase()}@example.com`;
    await world.receiveCode(visitor, to, 'login');
    expect(await world.lastMessageTo(to)).toMatchObject({ subject: expect.stringMatching(`^${lang}: `) });

    await page.getByRole('button', { name: say('toFile'), exact: true }).press('Enter');
    await giveReason(page, 'Back again');
    await history.getByText('Back again').first().waitFor();
    await page.context().close();
  },
);
