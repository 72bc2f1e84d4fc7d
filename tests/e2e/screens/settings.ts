import type { Page } from 'playwright-core';
import { drawPhoto } from '../photo.ts';
import type { Screen, Stage } from './screens.ts';

const dialog = (page: Page) => page.locator('[role=dialog], [role=alertdialog]');
const submit = (page: Page) => dialog(page).locator('form button[type=submit]').last().click();
const refusal = (page: Page) => dialog(page).locator('[role=alert], [id$=-error]').first().waitFor();

const refuse = (page: Page, path: string, status: number, code: string) =>
  page.route(`**${path}`, (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status, json: { error: { code, requestId: 'r' } } }),
  );

/** Opens a dialog of the settings by its row and the place of its button there. */
const setting =
  (id: string, button: number, then?: (page: Page) => Promise<unknown>): Screen['open'] =>
  async (page, { world }: Stage) => {
    await page.goto(`${world.origin}/index`);
    await page.locator(`[data-setting=${id}] button`).nth(button).click();
    await dialog(page).waitFor();
    await then?.(page);
  };

const screen = (name: string, open: Screen['open']): Screen => ({ name, signedIn: true, open });

/** The person of the stage has no phone: here it looks as if. */
const withPhone = async (page: Page) => {
  await page.route('**/api/account', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), phone: '+8613800138000' } });
  });
};

const choosePhoto = async (page: Page) => {
  const buffer = await drawPhoto(page, { width: 1200, height: 800, halves: ['#ffb454', '#3a2712'] });
  await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByRole('application').waitFor();
};

let phones = 100;
const sendCode = async (page: Page) => {
  phones += 1;
  await page.locator('#contact').fill(`+86 138 0013 8${phones}`);
  await submit(page);
  await page.locator('#contact-code').waitFor();
};

const askStepUp = async (page: Page) => {
  await refuse(page, '/api/account/password', 403, 'step_up_required');
  await page.locator('#new-password').fill('sunrise2077');
  await page.locator('#repeated').fill('sunrise2077');
  await submit(page);
  await page.locator('#step-up-password').waitFor();
};

/** The dialogs of the settings, each empty, refused, at work. */
export const settingsScreens: readonly Screen[] = [
  screen('settings-nickname', setting('nickname', 0)),
  screen(
    'settings-nickname-blank',
    setting('nickname', 0, async (page) => {
      await page.locator('#nickname').fill(' ');
      await submit(page);
      await refusal(page);
    }),
  ),
  screen('settings-language', setting('language', 0)),
  screen('settings-avatar', setting('avatar', 0)),
  screen(
    'settings-avatar-refused',
    setting('avatar', 0, async (page) => {
      const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') };
      await page.locator('input[type=file]').setInputFiles(file);
      await refusal(page);
    }),
  ),
  screen('settings-avatar-crop', setting('avatar', 0, choosePhoto)),
  screen(
    'settings-avatar-saving',
    setting('avatar', 0, async (page) => {
      await choosePhoto(page);
      // No answer comes while the screen is looked at.
      await page.route('**/api/account/avatar', () => undefined);
      await submit(page);
      await dialog(page).locator('[aria-busy]').waitFor();
    }),
  ),
  screen('settings-phone', setting('phone', 0)),
  screen(
    'settings-phone-blank',
    setting('phone', 0, async (page) => {
      await submit(page);
      await refusal(page);
    }),
  ),
  screen('settings-phone-code', setting('phone', 0, sendCode)),
  screen(
    'settings-phone-wrong-code',
    setting('phone', 0, async (page) => {
      await refuse(page, '/api/account/phone', 401, 'code_incorrect');
      await sendCode(page);
      await page.locator('#contact-code').fill('123456');
      await refusal(page);
    }),
  ),
  screen(
    'settings-phone-taken',
    setting('phone', 0, async (page) => {
      await refuse(page, '/api/account/phone', 409, 'identifier_taken');
      await sendCode(page);
      await page.locator('#contact-code').fill('123456');
      await page.locator('#contact-error').waitFor();
    }),
  ),
  screen('settings-email-change', setting('email', 0)),
  screen('settings-unbind-only', setting('email', 1)),
  screen('settings-unbind', async (page, stage) => {
    await withPhone(page);
    await setting('email', 1)(page, stage);
  }),
  screen('settings-password', setting('password', 0)),
  screen(
    'settings-password-short',
    setting('password', 0, async (page) => {
      await page.locator('#new-password').fill('abc');
      await submit(page);
      await refusal(page);
    }),
  ),
  screen('step-up-password', setting('password', 0, askStepUp)),
  screen(
    'step-up-wrong',
    setting('password', 0, async (page) => {
      await refuse(page, '/api/step-up', 401, 'invalid_credentials');
      await askStepUp(page);
      await page.locator('#step-up-password').fill('wrong7777');
      await submit(page);
      await page.locator('#step-up-password-error').waitFor();
    }),
  ),
  screen('step-up-code', async (page, stage) => {
    await withPhone(page);
    await setting('password', 0, async () => {
      await askStepUp(page);
      // The two answers come last.
      await dialog(page).last().getByRole('button').nth(-3).click();
      await page.locator('#step-up-code').waitFor();
    })(page, stage);
  }),
];
