import { firstRequests } from '@candela/contract';
import { type PagePath, pagePaths } from '@candela/contract/pages';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStage, openSignedIn, type Stage } from './stage.ts';

let stage: Stage;
let client: string;
beforeAll(async () => {
  stage = await createStage();
  await stage.world.developers.allow(stage.identifier);
  await stage.world.allowStaff(stage.identifier, 'operator');
  const metadata = { preset: 'web', name: 'Lamp Studio', redirect_uris: ['https://app.example/callback'] };
  client = (await stage.person.post('/api/clients', metadata)).json().client.client_id;
});
afterAll(() => stage.world.close());

let page: Page;
afterEach(async () => {
  await page.context().close();
  // Nor any of the Content Security Policy.
  expect(stage.world.takeFaults()).toEqual([]);
});

const isOfInteraction = (path: PagePath) => firstRequests[path]?.includes(':uid');

/** The address of a page, in an interaction of this browser where the page has one. */
const addressOf = async (path: PagePath): Promise<string> => {
  const { origin } = stage.world;
  if (!isOfInteraction(path)) return `${origin}${path.replace(':id', client)}`;
  const prompt = path === '/consent' ? 'consent' : 'login';
  await page.goto((await stage.newApp.authorizationUrl({ prompt })).url.href);
  return `${origin}${path}${new URL(page.url()).search}`;
};

/** One of the pages that share a part and its request: the desk is one, and so are the pages of a client. */
const visited = pagePaths.filter(
  (path) => firstRequests[path] && !/^\/(?:desk|developers\/:id)\//.test(path),
);

/** The API's path that a page asks for first, as a pattern of addresses. */
const firstOf = (path: PagePath): RegExp =>
  new RegExp(`${firstRequests[path]?.replace('GET ', '').replaceAll(/:\w+/g, '[^/]+')}$`);

describe('before its scripts have loaded', () => {
  test.each(visited)('%s asks for its data, which its scripts take and ask for no more', async (path) => {
    page = await openSignedIn(stage);
    const address = await addressOf(path);
    const first = firstOf(path);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (first.test(request.url()) && page.url() === address) asked.push(request.url());
    });
    const answered = page.waitForResponse(first);
    await page.route(/\/shell-[^/]*\.js$/, async (route) => {
      await answered;
      await route.continue();
    });
    await page.goto(address);
    await page.waitForFunction(() => !('candelaFirst' in window && window.candelaFirst));
    await page.locator('main h1').first().waitFor();
    expect(asked).toHaveLength(1);
  });

  test('a fresh browser asks for nothing else, and gets one id', async () => {
    page = await stage.world.openPage();
    const ids: string[] = [];
    page.on('response', async (response) => {
      const cookies = (await response.headerValue('set-cookie')) ?? '';
      if (/^_device=/m.test(cookies)) ids.push(new URL(response.url()).pathname);
    });
    await page.goto(`${stage.world.origin}/login`);
    await page.locator('#identifier').waitFor();
    await page.waitForLoadState('networkidle');
    expect(ids).toEqual([expect.stringMatching(/^\/interaction\/[^/]+\/details$/)]);
  });
});

test('a page whose first request failed asks again by its scripts', async () => {
  page = await stage.world.openPage();
  let asked = 0;
  await page.route(firstOf('/login'), (route) => {
    asked += 1;
    return asked === 1 ? route.abort() : route.continue();
  });
  await page.goto(`${stage.world.origin}/login`);
  await page.locator('#identifier').waitFor();
  expect(asked).toBe(2);
});

test('a page that is loaded again has what is true now', async () => {
  page = await openSignedIn(stage);
  await page.goto(`${stage.world.origin}/index`);
  await page.locator('main h1').waitFor();
  await stage.person.patch('/api/account', { nickname: 'Lena Lampe' });
  await page.reload();
  await page.locator('main h1').getByText('Lena Lampe').waitFor();
});
