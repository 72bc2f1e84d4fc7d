import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { violationsOf } from './accessibility.ts';
import { layoutFaults } from './layout-faults.ts';
import { signInAs } from './stage.ts';

let world: BrowserWorld;
beforeAll(async () => {
  world = await createBrowserWorld();
});
afterAll(async () => {
  expect(world.takeFaults()).toEqual([]);
  await world.close();
});

test('a developer checks a link by keyboard, reads what would not work, and is led to the field', async () => {
  const { agent, identifier } = await world.signUpDeveloper();
  await world.registerClients([
    {
      client_id: 'google',
      client_secret: 'a secret of the platform, long enough',
      client_name: 'Google Home',
      preset: 'google-home',
      redirect_uris: ['https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3'],
    },
  ]);
  await world.inviteDeveloper('google', identifier);
  const page = await world.openPage({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' });
  await signInAs(page.context(), agent, world.origin);
  await page.goto(`${world.origin}/developers/google#linkCheck`);
  const section = page.locator('[data-section=linkCheck]');
  await section.getByRole('heading', { level: 2 }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await section.getByRole('status').getByText('Something would not work. See what to change.').waitFor();
  expect(await section.getByRole('button').evaluate((button) => button === document.activeElement)).toBe(
    true,
  );

  const steps = section.locator('h3');
  expect(await steps.first().textContent()).toMatch(/^Passed\s+The server answers at its address$/);
  const failed = section.locator('li[data-outcome=failed]');
  expect(await failed.locator('h3').textContent()).toMatch(/^Failed\s/);
  await failed
    .getByText(
      'https://oauth-redirect-sandbox.googleusercontent.com/r/our-lights-1a2b3, https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast',
    )
    .waitFor();
  await failed.getByText('What was sent and came back').click();
  await failed.getByText('GET /oauth/authorize').first().waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);

  await failed.getByRole('link', { name: 'Go to the return addresses' }).click();
  await page.waitForURL('**/developers/google/settings#addresses');
  await page.context().close();
});
