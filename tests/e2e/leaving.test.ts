import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStage, openSignedIn, type Stage, signInAs } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.world.close());

test('LV8: a person downloads everything about them, once', async () => {
  const page = await openSignedIn(stage, { acceptDownloads: true });
  await page.goto(`${stage.world.origin}/index`);
  await page.getByRole('button', { name: 'Request: Download your data' }).click();
  await page.getByText('preparing your file').waitFor();
  await stage.world.prepareExports();
  await page.reload();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download: Download your data' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe('account.zip');
  const entries = unzipSync(await readFile(await file.path()));
  expect(strFromU8(entries['account.html'] ?? new Uint8Array())).toContain(stage.identifier);
  await page.getByText('Already downloaded today').waitFor();
});

test('who leaves reads the name of every app, however many there are', async () => {
  const page = await openSignedIn(stage);
  await page.route('**/api/authorizations*', async (route) => {
    const answer = await route.fetch({ url: `${stage.world.origin}/api/authorizations` });
    const [item] = (await answer.json()).items;
    const named = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => {
        const number = first + index;
        return { ...item, id: `${number}`, client: { ...item.client, name: `App ${number}` } };
      });
    const isRest = new URL(route.request().url()).searchParams.has('after');
    await route.fulfill({
      json: isRest ? { items: named(21, 23) } : { items: named(1, 20), next: 'rest' },
    });
  });
  await page.goto(`${stage.world.origin}/index`);
  await page.getByRole('button', { name: 'Delete: Delete account' }).click();
  await page
    .getByRole('dialog')
    .getByText(/^App 1, App 2, .*App 20, App 21, App 22, and App 23$/)
    .waitFor();
  await page.context().close();
});

test('LV2: a person deletes the account, signs in again, is asked once and keeps it', async () => {
  const page = await openSignedIn(stage);
  await page.goto(`${stage.world.origin}/index`);
  await page.getByRole('button', { name: 'Delete: Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Home Hub').waitFor();
  await dialog.getByText(stage.identifier).waitFor();
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByText('Your account will be deleted').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.waitForURL('**/login**');

  const { agent } = await stage.world.signIn(stage.identifier);
  await signInAs(page.context(), agent, stage.world.origin);
  await page.goto(`${stage.world.origin}/sessions`);
  await page.waitForURL('**/leaving');
  await page.getByRole('button', { name: 'Keep the account' }).click();
  await page.waitForURL('**/index');
  await page.getByRole('heading', { name: 'Account settings' }).waitFor();
});
