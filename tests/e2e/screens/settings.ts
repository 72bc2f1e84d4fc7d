import type { Page } from 'playwright-core';
import { drawPhoto } from '../photo.ts';
import { closeDialogs, dialogs, goTo, type Journey, refuse } from './journey.ts';

const submit = (page: Page) => dialogs(page).locator('form button[type=submit]').last().click();
const refusal = (page: Page) => dialogs(page).locator('[role=alert], [id$=-error]').first().waitFor();

/** Opens a dialog of the settings by its row and the place of its button there. */
const open = async (page: Page, id: string, button = 0): Promise<void> => {
  await closeDialogs(page);
  await page.locator(`[data-setting=${id}] button`).nth(button).click();
  await dialogs(page).waitFor();
};

/** Adds a phone to the account that the page fetches. The stage's person has no phone. */
const withPhone = (page: Page): Promise<unknown> =>
  page.route('**/api/account', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), phone: '+8613800138000' } });
  });

const profile: Journey = {
  name: 'the settings of nickname, language and picture',
  signedIn: true,
  visit: async function* (page, stage) {
    await goTo(page, stage, '/index');
    await open(page, 'nickname');
    yield 'settings-nickname';
    await page.locator('#nickname').fill(' ');
    await submit(page);
    await refusal(page);
    yield 'settings-nickname-blank';
    await open(page, 'language');
    yield 'settings-language';
    await open(page, 'avatar');
    yield 'settings-avatar';
    const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') };
    await page.locator('input[type=file]').setInputFiles(file);
    await refusal(page);
    yield 'settings-avatar-refused';
    const buffer = await drawPhoto(page, { width: 1200, height: 800, halves: ['#ffb454', '#3a2712'] });
    await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('application').waitFor();
    yield 'settings-avatar-crop';
    // The request stays without an answer, so that the screen stays busy.
    await page.route('**/api/account/avatar', () => undefined);
    await submit(page);
    await dialogs(page).locator('[aria-busy]').waitFor();
    yield 'settings-avatar-saving';
  },
};

let phones = 100;

const contacts: Journey = {
  name: 'the settings of phone and e-mail',
  signedIn: true,
  visit: async function* (page, stage) {
    await goTo(page, stage, '/index');
    await open(page, 'phone');
    yield 'settings-phone';
    await submit(page);
    await refusal(page);
    yield 'settings-phone-blank';
    phones += 1;
    await page.locator('#contact').fill(`+86 138 0013 8${phones}`);
    await submit(page);
    await page.locator('#contact-code').waitFor();
    yield 'settings-phone-code';
    await refuse(page, '/api/account/phone', 401, 'code_incorrect');
    await page.locator('#contact-code').fill('123456');
    await refusal(page);
    yield 'settings-phone-wrong-code';
    await refuse(page, '/api/account/phone', 409, 'identifier_taken');
    await submit(page);
    await page.locator('#contact-error').waitFor();
    yield 'settings-phone-taken';
    await open(page, 'email');
    yield 'settings-email-change';
    await open(page, 'email', 1);
    yield 'settings-unbind-only';
    await withPhone(page);
    await goTo(page, stage, '/index');
    await open(page, 'email', 1);
    yield 'settings-unbind';
  },
};

const password: Journey = {
  name: 'the settings of the password, and the step-up',
  signedIn: true,
  visit: async function* (page, stage) {
    await withPhone(page);
    await goTo(page, stage, '/index');
    await open(page, 'password');
    yield 'settings-password';
    await page.locator('#new-password').fill('abc');
    await submit(page);
    await refusal(page);
    yield 'settings-password-short';
    await refuse(page, '/api/account/password', 403, 'step_up_required');
    await page.locator('#new-password').fill('sunrise2077');
    await page.locator('#repeated').fill('sunrise2077');
    await submit(page);
    await page.locator('#step-up-password').waitFor();
    yield 'step-up-password';
    await refuse(page, '/api/step-up', 401, 'invalid_credentials');
    await page.locator('#step-up-password').fill('wrong7777');
    await submit(page);
    await page.locator('#step-up-password-error').waitFor();
    yield 'step-up-wrong';
    // The two answers come last.
    await dialogs(page).last().getByRole('button').nth(-3).click();
    await page.locator('#step-up-code').waitFor();
    yield 'step-up-code';
  },
};

/** The dialogs of the settings, each empty, refused, at work. */
export const settingsJourneys: readonly Journey[] = [profile, contacts, password];
