import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { PASSWORD } from '../support/world.ts';

let world: BrowserWorld;
beforeAll(async () => {
  world = await createBrowserWorld();
});
afterAll(() => world.close());

test('the first sign-in in a real browser records its full version already', async () => {
  const { identifier } = await world.signUp();
  const page = await world.openPage();
  await page.goto(`${world.origin}/login`);
  await page.getByRole('tab', { name: 'Password' }).click();
  await page.getByRole('button', { name: 'Use e-mail' }).click();
  await page.getByLabel('E-mail', { exact: true }).fill(identifier);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/index');
  const { client_hints } = await world.db
    .selectFrom('session')
    .select('client_hints')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  expect(client_hints).toMatchObject({ mobile: false, platform: 'Linux' });
  const versions = client_hints?.brands?.map(([, version]) => version) ?? [];
  expect(versions).toContainEqual(expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/));
});
