import type { Page } from 'playwright-core';
import { dialogs, goTo, type Journey, refuse } from './journey.ts';

const ENDS = '2026-12-24T12:00:00.000Z';

const answerExport = (page: Page, state: object): Promise<unknown> =>
  page.route('**/api/export', (route) => route.fulfill({ json: state }));

/** Fails what the page fetches: `refuse` leaves reads alone. */
const failRead = (page: Page, path: string): Promise<unknown> =>
  page.route(`**${path}`, (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable', requestId: 'r' } } }),
  );

const row = (page: Page, id: string) => page.locator(`[data-setting=${id}]`);

const rows: Journey = {
  name: 'a copy of the data, and the end of the account',
  signedIn: true,
  visit: async function* (page, stage) {
    await answerExport(page, { state: 'preparing', requestedAt: ENDS });
    await goTo(page, stage, '/index');
    await row(page, 'data').getByRole('status').waitFor();
    yield 'export-preparing';
    await page.unroute('**/api/export');
    await answerExport(page, { state: 'ready', requestedAt: ENDS, expiresAt: ENDS });
    await goTo(page, stage, '/index');
    await row(page, 'data').locator('time').waitFor();
    yield 'export-ready';
    await failRead(page, '/api/export/file');
    await row(page, 'data').getByRole('button').click();
    await row(page, 'data').getByRole('alert').waitFor();
    yield 'export-failed';
    await row(page, 'delete').getByRole('button').click();
    await dialogs(page).locator('li').nth(2).waitFor();
    yield 'leave-question';
    await page.route('**/api/account', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ json: { endsAt: ENDS } }) : route.fallback(),
    );
    await dialogs(page).getByRole('button').last().click();
    await dialogs(page).locator('time').waitFor();
    yield 'leave-done';
  },
};

const question: Journey = {
  name: 'the question whether to keep an account',
  signedIn: true,
  visit: async function* (page, stage) {
    await page.route('**/api/account', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), leavingAt: ENDS } });
    });
    await goTo(page, stage, '/leaving');
    await page.locator('main time').waitFor();
    yield 'leaving';
    await refuse(page, '/api/account/keep', 503, 'unavailable');
    await page.locator('main button').last().click();
    await page.getByRole('alert').waitFor();
    yield 'leaving-refused';
    await page.unroute('**/api/account');
    await failRead(page, '/api/account');
    await goTo(page, stage, '/leaving');
    await page.getByRole('alert').waitFor();
    yield 'leaving-failed';
  },
};

/** How a person takes their data and leaves. */
export const leavingJourneys: readonly Journey[] = [rows, question];
