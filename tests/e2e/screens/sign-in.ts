import type { Page } from 'playwright-core';
import {
  ask,
  closeDialogs,
  codeField,
  dialogs,
  goTo,
  type Journey,
  newAddress,
  refuse,
  submit,
  typeEmail,
} from './journey.ts';

const sendCode = (page: Page) => codeField(page).locator('xpath=..').getByRole('button').click();

const signIn: Journey = {
  name: 'the sign-in',
  signedIn: false,
  visit: async function* (page, stage) {
    await goTo(page, stage, '/login');
    await page.locator('form button[type=submit]').waitFor();
    yield 'login-code';
    await submit(page);
    await page.getByRole('alert').first().waitFor();
    yield 'login-blank';
    await refuse(page, '/api/codes', 503, 'unavailable');
    await typeEmail(page, newAddress());
    await sendCode(page);
    await page.locator('[data-field] [role=alert]').waitFor();
    yield 'login-unsent';
    await page.unrouteAll();
    const stranger = newAddress();
    await typeEmail(page, stranger);
    await sendCode(page);
    await codeField(page).fill(await stage.world.codeFor(stranger, page));
    await dialogs(page).waitFor();
    yield 'login-unknown-account';
    await closeDialogs(page);
    const { identifier } = await stage.world.signUp();
    await page.getByRole('tab').nth(1).click();
    await typeEmail(page, identifier);
    await page.locator('input[type=password]').fill('wrong-password');
    await submit(page);
    await page.getByRole('alert').first().waitFor();
    yield 'login-refused';
  },
};

const signInAgain: Journey = {
  name: 'the sign-in of a browser that is known',
  signedIn: true,
  visit: async function* (page, stage) {
    await ask(page, stage.newApp, { prompt: 'login' });
    await page.locator('[data-account]').waitFor();
    yield 'login-remembered';
    await goTo(page, stage, '/login');
    await page.locator('main button').first().waitFor();
    yield 'login-quick';
  },
};

const register: Journey = {
  name: 'registering',
  signedIn: false,
  visit: async function* (page, stage) {
    await goTo(page, stage, '/register');
    await page.locator('form button[type=submit]').waitFor();
    yield 'register-identifier';
    const address = newAddress();
    await typeEmail(page, address);
    await submit(page);
    await codeField(page).waitFor();
    yield 'register-code';
    await codeField(page).fill(await stage.world.codeFor(address, page));
    await page.locator('input[type=password]').waitFor();
    yield 'register-password';
    await page.locator('input[type=password]').fill('moonlight77');
    await submit(page);
    await dialogs(page).waitFor();
    yield 'register-terms';
  },
};

const repeat = async (page: Page, password: string, repeated: string) => {
  await page.locator('#password').fill(password);
  await page.locator('#repeated').fill(repeated);
  await submit(page);
};

const recover: Journey = {
  name: 'a forgotten password',
  signedIn: false,
  visit: async function* (page, stage) {
    await goTo(page, stage, '/findbackPWD');
    await page.locator('form button[type=submit]').waitFor();
    yield 'recovery-identifier';
    await typeEmail(page, newAddress());
    await submit(page);
    await codeField(page).waitFor();
    yield 'recovery-code';

    // A person with a linked app, so that the screen lists an app to review.
    const { agent, identifier } = await stage.world.signUp();
    await stage.world.link(agent, stage.linkedApp);
    await ask(page, stage.newApp);
    await page.getByRole('tab').nth(1).click();
    await page.locator('input[type=password]').waitFor();
    yield 'login-password';
    await page.locator('a[href*=findbackPWD]').click();
    // The sign-in has the same field, and stays until the next page renders.
    await page.getByRole('tab').first().waitFor({ state: 'detached' });
    await typeEmail(page, identifier);
    await submit(page);
    // From here on, the latest message is the code of the recovery.
    await codeField(page).waitFor();
    await codeField(page).fill(await stage.world.codeFor(identifier, page));
    await page.locator('#repeated').waitFor();
    yield 'recovery-password';
    await repeat(page, 'sunrise2077', 'sunrise2078');
    await page.getByRole('alert').first().waitFor();
    yield 'recovery-differ';
    await repeat(page, 'sunrise2077', 'sunrise2077');
    await page.waitForURL('**/login?**');
    await page.locator('#sign-in').waitFor();
    yield 'login-changed';
  },
};

/** Signing in, registering, and choosing a new password. */
export const signInJourneys: readonly Journey[] = [signIn, signInAgain, register, recover];
