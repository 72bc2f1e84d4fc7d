import { openPglite } from '@candela/server/testing/databases';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createBreakable } from '../support/breakable.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { PASSWORD } from '../support/world.ts';

let world: BrowserWorld;
let breakable: ReturnType<typeof createBreakable>;
beforeAll(async () => {
  breakable = createBreakable(await openPglite());
  world = await createBrowserWorld({ connection: breakable.connection, env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => world.close());
afterEach(() => expect(world.takeFaults()).toEqual([]));

/** Cuts the database off at the commit of `work`, and until `work` ends: the result of the commit is unknown. */
const loseCommit = async (work: () => Promise<unknown>) => {
  const lose = async () => {
    breakable.setAway(true);
    throw new Error('Connection terminated unexpectedly');
  };
  const place = { statement: 1, when: 'after', of: /^commit$/, meanwhile: lose } as const;
  const { broke } = await breakable.during(place, work);
  breakable.setAway(false);
  expect(broke).toBe(true);
};

const unavailable = (page: Page) =>
  page.getByText('The service is not available right now', { exact: false }).first().waitFor();
const codesTo = async (email: string) => (await world.messages()).filter(({ to }) => to === email).length;

test('a person who registers while the database is away presses again, and needs no second code', async () => {
  const email = 'mila@example.com';
  const page = await world.openPage();
  await page.goto(`${world.origin}/register`);
  await page.locator('#identifier').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  const code = await world.codeFor(email, page);
  // The refusal has the ticket that replaces the code.
  await loseCommit(async () => {
    await page.getByLabel('Verification code').fill(code);
    await page.locator('input[type=password]').waitFor();
  });
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const agree = page.getByRole('dialog').getByRole('button', { name: 'Agree and Register' });
  await loseCommit(async () => {
    await agree.click();
    await unavailable(page);
  });
  const again = page.getByRole('button', { name: 'Register', exact: true });
  if (!(await agree.isVisible())) await again.click();
  await agree.click();
  await page.waitForURL('**/index');
  expect(await codesTo(email)).toBe(1);
  await page.context().close();
});

test('a person who signs in by a code while the database is away presses again, and needs no second code', async () => {
  const { identifier } = await world.signUp();
  const before = await codesTo(identifier);
  const page = await world.openPage();
  await page.goto(`${world.origin}/login`);
  await page.locator('#identifier').fill(identifier);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect.poll(() => codesTo(identifier)).toBe(before + 1);
  const { code = '' } = await world.lastMessageTo(identifier);
  await loseCommit(async () => {
    await page.locator('#code').fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await unavailable(page);
  });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/index');
  expect(await codesTo(identifier)).toBe(before + 1);
  await page.context().close();
});
