import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { freePort, PASSWORD } from '../support/world.ts';
import { signInAs } from './stage.ts';

const ownWords = {
  tagline: { en: 'Light, always', 'zh-Hant': '光', 'zh-Hans': '光', ru: 'Всегда свет' },
  texts: {
    en: { 'login.forgot': 'No <b>key</b>?', 'recovery.title': 'Lost your key?' },
    ru: { 'login.forgot': 'Нет <img src=x> ключа?', 'recovery.title': 'Потеряли ключ?' },
  },
};

describe('two brands, each at a host of its own, in Chromium', () => {
  const file = join(tmpdir(), `brands-e2e-${process.pid}.json`);
  const origins: Record<string, string> = {};
  const support: Record<string, string> = {
    aurelia: 'help@aurelia.example',
    borealis: 'https://borealis.example/help',
  };
  let world: BrowserWorld;
  beforeAll(async () => {
    const port = await freePort();
    origins.aurelia = `http://localhost:${port}`;
    origins.borealis = `http://borealis.localhost:${port}`;
    const brands = [
      { id: 'aurelia', origin: origins.aurelia, support: support.aurelia },
      { id: 'borealis', origin: origins.borealis, support: support.borealis, ...ownWords },
    ];
    await writeFile(file, JSON.stringify(brands));
    world = await createBrowserWorld({
      env: { PORT: String(port), PUBLIC_URL: origins.aurelia ?? '', BRANDS_FILE: file },
    });
  });
  afterAll(async () => {
    await world.close();
    await rm(file, { force: true });
  });

  const look = async (id: string, path: string) => {
    const page = await world.openPage();
    await page.goto(`${origins[id]}${path}`);
    await page.locator('main h1').first().waitFor();
    const seen = await page.evaluate(() => ({
      origin: location.origin,
      title: document.title,
      text: document.querySelector('#root')?.textContent,
      accent: getComputedStyle(document.documentElement).getPropertyValue('--accent').trim(),
      theme: document.querySelector<HTMLMetaElement>('meta[name=theme-color]')?.content,
      icon: document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href,
    }));
    await page.context().close();
    return seen;
  };

  test('have their own title, name, colours and icon on every page, and nothing of the other', async () => {
    for (const path of ['/login', '/register', '/findbackPWD', '/license', '/privacy', '/middle', '/error']) {
      const aurelia = await look('aurelia', path);
      const borealis = await look('borealis', path);
      expect([path, aurelia.title]).toEqual([path, expect.stringMatching(/.+ - Aurelia$/)]);
      expect([path, borealis.title]).toEqual([path, expect.stringMatching(/.+ - Borealis$/)]);
      expect(borealis.text).toContain('Borealis');
      expect(`${borealis.text} ${borealis.title}`).not.toContain('Aurelia');
      expect(`${aurelia.text} ${aurelia.title}`).not.toContain('Borealis');
      expect([aurelia.accent, borealis.accent]).toEqual(['#9A4B00', '#006A72']);
      expect([aurelia.theme, borealis.theme]).toEqual(['#FBF7F1', '#F3F8F8']);
      expect(borealis.icon).not.toBe(aurelia.icon);
      expect(borealis.origin).toBe(origins.borealis);
    }
    expect(world.takeFaults()).toEqual([]);
  });

  const linksAtFoot = (page: Page) =>
    page
      .locator('footer')
      .last()
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));

  test('lead from the foot of every page to their documents and their own support', async () => {
    const { agent } = await world.signUp();
    for (const javaScriptEnabled of [true, false]) {
      const page = await world.openPage({ javaScriptEnabled });
      await signInAs(page.context(), agent, origins.aurelia ?? '');
      const paths = ['/index', '/sessions', '/tokens', '/findbackPWD', '/error', '/nothing', '/oauth/logout'];
      for (const path of paths) {
        await page.goto(`${origins.aurelia}${path}`);
        await page.locator('footer').waitFor();
        expect([path, await linksAtFoot(page)]).toEqual([
          path,
          ['/license', '/privacy', `mailto:${support.aurelia}`],
        ]);
      }
      await page.goto(`${origins.borealis}/login`);
      await page.locator('footer').waitFor();
      expect(await linksAtFoot(page)).toEqual(['/license', '/privacy', support.borealis]);
      await page.context().close();
    }
    const page = await world.openPage();
    await page.goto(`${origins.borealis}/license`);
    await page.locator('header select').waitFor();
    expect(await linksAtFoot(page)).toEqual(['/license', '/privacy', support.borealis]);
    await page.context().close();
    expect(world.takeFaults()).toEqual([]);
  });

  test('a brand’s own words replace texts in each language, and are shown as text', async () => {
    const page = await world.openPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.json')) asked.push(new URL(request.url()).pathname);
    });
    const heading = page.locator('main h1').first();
    await page.goto(`${origins.borealis}/login`);
    await page.getByRole('link', { name: 'No <b>key</b>?', exact: true }).waitFor();
    await page.getByText('Light, always').waitFor();
    expect(asked).toEqual([]);

    await page.getByRole('button', { name: 'Русский' }).click();
    await page.getByRole('link', { name: 'Нет <img src=x> ключа?', exact: true }).waitFor();
    await page.getByText('Всегда свет').waitFor();
    await page.locator(':root[lang=ru]').waitFor();
    expect(asked).toHaveLength(1);
    await page.goto(`${origins.borealis}/findbackPWD`);
    await heading.waitFor();
    expect(await heading.textContent()).toBe('Потеряли ключ?');
    expect(await page.title()).toBe('Потеряли ключ? - Borealis');
    await page.getByRole('button', { name: '简体中文' }).click();
    await page.locator(':root[lang=zh-Hans]').waitFor();
    expect(await heading.textContent()).not.toMatch(/ключ|key/);
    await page.goto(`${origins.aurelia}/findbackPWD`);
    expect(await page.locator('main h1').textContent()).not.toMatch(/ключ|key/);
    await page.context().close();
    expect(world.takeFaults()).toEqual([]);
  });

  test('an account of one brand signs in to the other by itself, under the other’s issuer', async () => {
    const { identifier } = await world.signUp();
    const page = await world.openPage();
    for (const id of ['aurelia', 'borealis']) {
      await page.goto(`${origins[id]}/index`);
      await page.waitForURL(`${origins[id]}/login?**`);
      await page.locator('#identifier').fill(identifier);
      await page.getByRole('tab', { name: 'Password' }).click();
      await page.locator('#password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL(`${origins[id]}/index`);
      await page.getByText(identifier).first().waitFor();
      const discovery = await page.evaluate(async () =>
        (await fetch('/.well-known/openid-configuration')).json(),
      );
      expect(discovery.issuer).toBe(origins[id]);
    }
    await page.context().close();
    expect(world.takeFaults()).toEqual([]);
  });

  test('any other host is refused', async () => {
    const page = await world.openPage();
    const { port } = new URL(world.origin);
    for (const host of ['aurelia.localhost', 'corealis.localhost', '127.0.0.1']) {
      expect((await page.goto(`http://${host}:${port}/login`))?.status()).toBe(421);
    }
    await page.context().close();
  });
});
