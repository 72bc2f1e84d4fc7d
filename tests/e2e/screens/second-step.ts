import type { Page } from 'playwright-core';
import { turnOnTotp } from '../../support/totp.ts';
import { PASSWORD } from '../../support/world.ts';
import type { Stage } from '../stage.ts';
import {
  ask,
  closeDialogs,
  codeField,
  dialogs,
  goTo,
  type Journey,
  refuse,
  submit,
  typeEmail,
} from './journey.ts';

/** A person with an authenticator app. */
const createPerson = async ({ world }: Stage): Promise<string> => {
  const { agent, identifier } = await world.signUp();
  await turnOnTotp(agent);
  return identifier;
};

const factor = (page: Page) => page.locator('#second-factor');
/** The buttons of the other ways, and then the one for who has none. */
const way = (page: Page, place: number) =>
  page.locator('div:has(> button[aria-expanded])').locator('button').nth(place);

const signIn: Journey = {
  name: 'the second step of a sign-in',
  signedIn: false,
  visit: async function* (page, stage) {
    await ask(page, stage.newApp, { acr_values: 'mfa' });
    await page.locator('form button[type=submit]').waitFor();
    yield 'login-insists';
    const identifier = await createPerson(stage);
    await page.getByRole('tab').nth(1).click();
    await typeEmail(page, identifier);
    await page.locator('#password').fill(PASSWORD);
    await submit(page);
    await factor(page).waitFor();
    yield 'second-step';
    await factor(page).fill('000000');
    await page.locator('#second-factor-error').waitFor();
    yield 'second-step-wrong';
    await way(page, 0).click();
    await page.locator('#second-factor[autocomplete=off]').waitFor();
    await way(page, 1).click();
    await page.locator('a[href*=findbackPWD]').waitFor();
    yield 'second-step-lost';
  },
};

const recovery: Journey = {
  name: 'a recovery under a second step',
  signedIn: false,
  visit: async function* (page, stage) {
    const identifier = await createPerson(stage);
    await goTo(page, stage, '/findbackPWD');
    await typeEmail(page, identifier);
    await submit(page);
    await codeField(page).waitFor();
    await codeField(page).fill(await stage.world.codeFor(identifier, page));
    await factor(page).waitFor();
    yield 'recovery-second-step';
    await way(page, 1).click();
    const wait = page.locator('button[aria-expanded=true] + div button');
    await wait.waitFor();
    yield 'recovery-lost';
    await wait.click();
    await page.locator('main [role=status]').first().waitFor();
    yield 'recovery-waits';
  },
};

const stepUp: Journey = {
  name: 'a step-up by an app or a passkey',
  signedIn: true,
  visit: async function* (page, stage) {
    await page.route('**/api/account', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), ways: { passkey: true, totp: true } } });
    });
    await refuse(page, '/api/account/password', 403, 'step_up_required');
    await goTo(page, stage, '/index');
    await page.locator('[data-setting=password] button').first().click();
    await page.locator('#new-password').fill('sunrise2077');
    await page.locator('#repeated').fill('sunrise2077');
    await dialogs(page).last().locator('button[type=submit]').click();
    await page.locator('#step-up-password').waitFor();
    yield 'step-up-ways';
    const others = dialogs(page).last().locator('button[class*=text]');
    await others.nth(1).click();
    await page.locator('#step-up-totp').waitFor();
    yield 'step-up-totp';
    await others.first().click();
    await page.locator('#step-up-totp').waitFor({ state: 'detached' });
    yield 'step-up-passkey';
    await closeDialogs(page);
  },
};

/** The second step: in a sign-in, in a recovery, and to confirm a change. */
export const secondStepJourneys: readonly Journey[] = [signIn, recovery, stepUp];
