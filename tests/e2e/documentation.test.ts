import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { signInAs } from './stage.ts';

describe('the documentation for developers, in Chromium', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await createBrowserWorld();
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  /** Follows a link that opens the documentation beside the page; answers where it leads. */
  const follow = async (page: Page, name: RegExp | string): Promise<string> => {
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name }).first().click(),
    ]);
    await opened.locator('#document h1').waitFor();
    const { pathname, hash } = new URL(opened.url());
    if (hash) expect(await opened.locator(`#document ${hash}`).count()).toBe(1);
    await opened.close();
    return pathname + hash;
  };

  test('is complete without JavaScript and without a session', async () => {
    const page = await world.openPage({ javaScriptEnabled: false });
    await page.goto(`${world.origin}/developers/docs`);
    expect(await page.title()).toBe('Integrating an app - Aurelia');
    await page.locator('article').getByRole('link', { name: 'openid-client' }).click();
    expect(await page.title()).toBe('openid-client - Aurelia');
    await page.locator('article').getByRole('link', { name: 'in another way' }).click();
    expect(new URL(page.url()).pathname).toBe('/developers/docs/registering');
    expect(await page.locator(new URL(page.url()).hash).textContent()).toBe('How do I register a client?');
    await page.context().close();
  });

  test('stands in the portal’s frame: code is copied, links and headings lead on, the language is the reader’s', async () => {
    const page = await world.openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${world.origin}/developers/docs/openid-client`);
    const block = page.locator('.code').first();
    await block.getByRole('button', { name: 'Copy: sh' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      'candela client create --preset web',
    );
    expect(await page.locator('.code .copy').count()).toBe(await page.locator('.code').count());
    await page.locator('article nav').getByRole('link', { name: 'What do I write?' }).click();
    expect(new URL(page.url()).hash).toBe('#what-do-i-write');
    expect(await page.locator('.code .copy button').count()).toBe(await page.locator('.code').count());
    await page.locator('header select').selectOption({ label: 'Русский' });
    await page.getByText('Документация на английском языке.').waitFor();
    expect(await page.locator('article h1').textContent()).toBe('openid-client');
    await page.locator('main').getByRole('link', { name: 'Документация' }).click();
    await page.waitForURL(`${world.origin}/developers/docs`);
    await page.getByText('Документация на английском языке.').waitFor();
    await page.goto(`${world.origin}/developers/docs/nothing`);
    await page.locator('main h1').waitFor();
    expect(await page.locator('#document').count()).toBe(0);
    await page.context().close();
  });

  test('is a press away from the empty list, a registration, a snippet and an error', async () => {
    const { agent } = await world.signUpDeveloper();
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/developers`);
    await page.getByRole('heading', { name: 'Register your first app' }).waitFor();
    expect(await follow(page, 'Documentation')).toBe('/developers/docs');
    const presets = '/developers/docs/presets#which-preset-fits-my-app';
    expect(await follow(page, 'Which kind is mine?')).toBe(presets);
    await page.goto(`${world.origin}/developers/new`);
    expect(await follow(page, 'Which kind is mine?')).toBe(presets);
    const metadata = { preset: 'web', name: 'Sunrise', redirect_uris: ['https://sunrise.example/callback'] };
    const { client_id: id } = (await agent.post('/api/clients', metadata)).json().client;
    await page.goto(`${world.origin}/developers/${id}/code`);
    await page.getByRole('tab', { name: 'Spring' }).click();
    expect(await follow(page, /^Spring/)).toBe('/developers/docs/spring-security');
    await world
      .browser()
      .get(`/oauth/authorize?client_id=${id}&response_type=code&redirect_uri=https://a.example`);
    await world.flushRecords();
    await page.goto(`${world.origin}/developers/${id}#errors`);
    expect(await follow(page, 'What this error means')).toBe(
      '/developers/docs/errors#what-does-an-error-mean',
    );
    await page.context().close();
  });
});
