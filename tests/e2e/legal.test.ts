import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { PASSWORD } from '../support/world.ts';

const documents = [
  { path: '/license', title: 'User agreement', sections: 11, other: '/privacy' },
  { path: '/privacy', title: 'Privacy policy', sections: 14, other: '/license' },
];
const languages = ['en', 'zh-Hant', 'zh-Hans', 'ru'];

describe('the legal documents, in Chromium', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await createBrowserWorld();
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  test.each(documents)('$path is complete without JavaScript and without a session', async (document) => {
    const page = await world.openPage({ javaScriptEnabled: false });
    await page.goto(world.origin + document.path);
    expect(await page.title()).toBe(`${document.title} - Aurelia`);
    expect(await page.locator('h1').textContent()).toBe(document.title);
    expect(await page.locator('article section > h2[id]').count()).toBe(document.sections);
    expect(await page.locator('article').textContent()).not.toMatch(/[{}]/);
    expect(await page.locator('article').textContent()).toContain('Version 2026-11-01');
    for (const link of await page.locator('article nav a').all()) {
      const anchor = await link.getAttribute('href');
      expect(await page.locator(`h2${anchor}`).textContent()).toBe(await link.textContent());
    }
    const { width } = (await page.locator('article section p').first().boundingBox()) ?? { width: 0 };
    expect(width).toBeLessThan(720);
    await page.context().close();
  });

  test('without JavaScript the language is a link away', async () => {
    const page = await world.openPage({ javaScriptEnabled: false });
    await page.goto(`${world.origin}/privacy`);
    for (const lang of languages) {
      await page.locator(`header a[lang="${lang}"]`).click();
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
      expect(await page.locator('article').getAttribute('lang')).toBe(lang);
    }
    expect(await page.locator('h1').textContent()).toBe('Политика конфиденциальности');
    await page.context().close();
  });

  test('with JavaScript it is the same article, and the language follows the choice', async () => {
    const page = await world.openPage();
    await page.goto(`${world.origin}/license?version=1999-01-01`);
    await page.locator('header select').waitFor();
    expect(await page.locator('article section').count()).toBe(11);
    expect(await page.locator('article').textContent()).toContain('Version 2026-11-01');
    await page.locator('header select').selectOption('ru');
    await page.locator('article[lang=ru]').waitFor();
    expect(await page.title()).toBe('Пользовательское соглашение - Aurelia');
    await page.locator('article nav a').last().click();
    expect(new URL(page.url()).hash).toBe('#contact');
    await page.locator('article footer a').last().click();
    await page.waitForURL('**/privacy');
    expect(await page.locator('article').getAttribute('lang')).toBe('ru');
    await page.context().close();
  });

  test('an address with a section leads to that section', async () => {
    const page = await world.openPage();
    await page.goto(`${world.origin}/privacy#rights`);
    await page.locator('header select').waitFor();
    // The frame keeps the served document.
    expect(await page.locator('article section').count()).toBe(14);
    await page.waitForFunction(() => {
      const top = document.getElementById('rights')?.getBoundingClientRect().top ?? -1;
      return top >= 0 && top < innerHeight / 2;
    });
    await page.context().close();
  });

  test('a person whose page has editions of before is shown the new ones and asked again, and types nothing anew', async () => {
    const page = await world.openPage({ locale: 'ru-RU', viewport: { width: 360, height: 740 } });
    let isOld = true;
    await page.route('**/details', async (route) => {
      const answer = await route.fetch();
      const details = await answer.json();
      const agreements = details.agreements.map((one: object) => ({ ...one, version: '1999-01-01' }));
      await route.fulfill({ response: answer, json: isOld ? { ...details, agreements } : details });
    });
    await page.goto(`${world.origin}/register`);
    await page.locator('input[type=tel]').fill('+7 912 345-67-80');
    await page.locator('form button[type=submit]').click();
    await page.locator('input[autocomplete=one-time-code]').fill(await world.codeFor('+79123456780', page));
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.locator('form button[type=submit]').click();
    const dialog = page.getByRole('dialog');
    const agree = dialog.getByRole('button', { name: 'Принять и зарегистрироваться' });
    await dialog.getByRole('checkbox').check();
    isOld = false;
    await agree.click();
    await dialog.getByText('Документы только что изменились').waitFor();
    const links = await dialog
      .locator('a')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    expect(links.join()).not.toContain('1999-01-01');
    // A tick was for the edition of before.
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(false);
    await dialog.getByRole('checkbox').check();
    await agree.click();
    await page.waitForURL('**/index');
    await page.context().close();
  });

  test('a tick outlives a refused password, and no answer that takes it back', async () => {
    const page = await world.openPage({ locale: 'ru-RU' });
    await page.goto(`${world.origin}/register`);
    await page.locator('#identifier').fill('tick@example.com');
    await page.locator('form button[type=submit]').click();
    await page.locator('#code').fill(await world.codeFor('tick@example.com', page));
    const dialog = page.getByRole('dialog');
    const tick = dialog.getByRole('checkbox');
    const choose = async (password: string) => {
      await page.locator('#password').fill(password);
      await page.keyboard.press('Enter');
      await dialog.waitFor();
    };
    await choose('password');
    await tick.check();
    await dialog.getByRole('button', { name: 'Принять и зарегистрироваться' }).click();
    await page.locator('#password-error').waitFor();
    await choose(PASSWORD);
    expect(await tick.isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Не принимаю' }).click();
    await dialog.waitFor({ state: 'detached' });
    await choose(PASSWORD);
    expect(await tick.isChecked()).toBe(false);
    await page.context().close();
  });
});
