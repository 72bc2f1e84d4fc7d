import type { Page } from 'playwright-core';
import type { BrowserWorld } from '../../support/browser-world.ts';
import type { RelyingParty } from '../../support/relying-party.ts';
import type { UserAgent } from '../../support/user-agent.ts';
import { accountBackScreens } from './account-back.ts';
import { deviceScreens } from './device.ts';
import { listScreens } from './lists.ts';
import { settingsScreens } from './settings.ts';

/** What the screens show: a person with a session elsewhere and an app that is linked, and an app that is not. */
export interface Stage {
  world: BrowserWorld;
  person: UserAgent;
  linkedApp: RelyingParty;
  newApp: RelyingParty;
}

export interface Screen {
  name: string;
  /** Whether the browser is signed in as the stage's person. */
  signedIn: boolean;
  /** Brings the page there, by structure and not by words: it runs in every language. */
  open(page: Page, stage: Stage): Promise<void>;
}

const submit = (page: Page) => page.locator('form button[type=submit]').click();
const origin = ({ world }: Stage) => world.origin;

const ask = async (page: Page, app: RelyingParty, parameters: Record<string, string> = {}) => {
  const { url } = await app.authorizationUrl(parameters);
  await page.goto(url.href);
};

const toEmail = async (page: Page, address: string) => {
  await page.locator('input[type=tel]').waitFor();
  await page.getByRole('button', { name: /e-mail|email|電子|电子|邮|почт/i }).click();
  await page.locator('input[type=email]').fill(address);
};

let people = 0;
const newAddress = () => {
  people += 1;
  return `person-${people}@example.com`;
};

const registerUntilCode = async (page: Page, stage: Stage) => {
  const address = newAddress();
  await page.goto(`${origin(stage)}/register`);
  await toEmail(page, address);
  await submit(page);
  await page.locator('input[autocomplete=one-time-code]').waitFor();
  return address;
};

const registerUntilPassword = async (page: Page, stage: Stage) => {
  const address = await registerUntilCode(page, stage);
  await page.locator('input[autocomplete=one-time-code]').fill(await stage.world.codeFor(address, page));
  await page.locator('input[type=password]').waitFor();
};

/** Somebody whose account an app is linked to, so that there is something to review. */
const recoverUntilPassword = async (page: Page, stage: Stage) => {
  const { agent, identifier } = await stage.world.signUp();
  await stage.world.link(agent, stage.linkedApp);
  await ask(page, stage.newApp);
  await page.locator('a[href*=findbackPWD]').click();
  // The sign-in, which has the same field, is still there until the next page is.
  await page.getByRole('tab').first().waitFor({ state: 'detached' });
  await toEmail(page, identifier);
  await submit(page);
  const code = page.locator('input[autocomplete=one-time-code]');
  // Only now is the latest message the one of the recovery.
  await code.waitFor();
  await code.fill(await stage.world.codeFor(identifier, page));
  await page.locator('#repeated').waitFor();
};

const repeat = async (page: Page, password: string, repeated: string) => {
  await page.locator('#password').fill(password);
  await page.locator('#repeated').fill(repeated);
  await submit(page);
};

const heading = (page: Page) => page.locator('h1').first().waitFor();

const at = (
  name: string,
  signedIn: boolean,
  path: string,
  ready: (page: Page) => Promise<unknown> = heading,
): Screen => ({
  name,
  signedIn,
  open: async (page, stage) => {
    await page.goto(`${origin(stage)}${path}`);
    await ready(page);
  },
});

/** The portal's own frame around what the server has served. */
const served = async (page: Page) => {
  await page.locator('header select').waitFor();
  await heading(page);
};

const form = (page: Page) => page.locator('form button[type=submit]').waitFor();

export const screens: readonly Screen[] = [
  at('login-code', false, '/login', form),
  {
    name: 'login-password',
    signedIn: false,
    open: async (page, stage) => {
      await ask(page, stage.newApp);
      await page.getByRole('tab').nth(1).click();
      await page.locator('input[type=password]').waitFor();
    },
  },
  {
    name: 'login-blank',
    signedIn: false,
    open: async (page, stage) => {
      await page.goto(`${origin(stage)}/login`);
      await submit(page);
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'login-refused',
    signedIn: false,
    open: async (page, stage) => {
      const { identifier } = await stage.world.signUp();
      await page.goto(`${origin(stage)}/login`);
      await page.getByRole('tab').nth(1).click();
      await toEmail(page, identifier);
      await page.locator('input[type=password]').fill('wrong-password');
      await submit(page);
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'login-unknown-account',
    signedIn: false,
    open: async (page, stage) => {
      const address = newAddress();
      await page.goto(`${origin(stage)}/login`);
      await toEmail(page, address);
      await page.locator('input[autocomplete=one-time-code]').locator('xpath=..').getByRole('button').click();
      await page.locator('input[autocomplete=one-time-code]').fill(await stage.world.codeFor(address, page));
      await page.locator('[role=dialog], [role=alertdialog]').waitFor();
    },
  },
  {
    name: 'login-unsent',
    signedIn: false,
    open: async (page, stage) => {
      const error = { code: 'unavailable', requestId: 'r' };
      await page.route('**/api/codes', (route) => route.fulfill({ status: 503, json: { error } }));
      await page.goto(`${origin(stage)}/login`);
      await toEmail(page, newAddress());
      await page.locator('input[autocomplete=one-time-code]').locator('xpath=..').getByRole('button').click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'login-remembered',
    signedIn: true,
    open: async (page, stage) => {
      await ask(page, stage.newApp, { prompt: 'login' });
      await page.locator('[data-account]').waitFor();
    },
  },
  at('login-quick', true, '/login', (page) => page.locator('main button').first().waitFor()),
  at('register-identifier', false, '/register', form),
  {
    name: 'register-code',
    signedIn: false,
    open: async (page, stage) => void (await registerUntilCode(page, stage)),
  },
  { name: 'register-password', signedIn: false, open: registerUntilPassword },
  {
    name: 'register-terms',
    signedIn: false,
    open: async (page, stage) => {
      await registerUntilPassword(page, stage);
      await page.locator('input[type=password]').fill('moonlight77');
      await submit(page);
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'consent',
    signedIn: true,
    open: async (page, stage) => {
      await ask(page, stage.newApp, { scope: 'openid profile email phone', prompt: 'consent' });
      // The stage's person has no phone number.
      await page.locator('main li button').waitFor();
    },
  },
  at('index', true, '/index', (page) => page.getByText('@example.com').first().waitFor()),
  ...settingsScreens,
  at('sessions', true, '/sessions', (page) => page.locator('main time').first().waitFor()),
  {
    name: 'sessions-confirm',
    signedIn: true,
    open: async (page, stage) => {
      await page.goto(`${origin(stage)}/sessions`);
      await page.locator('main time').first().waitFor();
      await page.locator('main button').first().click();
      await page.locator('[role=dialog], [role=alertdialog]').waitFor();
    },
  },
  at('tokens', true, '/tokens', (page) => page.locator('main time').first().waitFor()),
  ...listScreens,
  ...deviceScreens,
  at('recovery-identifier', false, '/findbackPWD', form),
  {
    name: 'recovery-code',
    signedIn: false,
    open: async (page, stage) => {
      await page.goto(`${origin(stage)}/findbackPWD`);
      await toEmail(page, newAddress());
      await submit(page);
      await page.locator('input[autocomplete=one-time-code]').waitFor();
    },
  },
  { name: 'recovery-password', signedIn: false, open: recoverUntilPassword },
  {
    name: 'recovery-differ',
    signedIn: false,
    open: async (page, stage) => {
      await recoverUntilPassword(page, stage);
      await repeat(page, 'sunrise2077', 'sunrise2078');
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'login-changed',
    signedIn: false,
    open: async (page, stage) => {
      await recoverUntilPassword(page, stage);
      await repeat(page, 'sunrise2077', 'sunrise2077');
      await page.waitForURL('**/login?**');
      await page.locator('#sign-in').waitFor();
    },
  },
  ...accountBackScreens,
  at('license', false, '/license', served),
  at('privacy', false, '/privacy', served),
  at('middle', false, '/middle'),
  at('error-calm', false, '/error'),
  at('error-not-signed-in', false, '/error?reason=sign_in_failed'),
  at('error-not-found', false, '/no-such-page'),
  at('error-unknown-client', false, '/oauth/authorize?client_id=nobody&response_type=code'),
  at('error-expired', false, '/interaction/gone'),
  {
    name: 'logout-question',
    signedIn: true,
    open: async (page, stage) => {
      await page.goto(`${origin(stage)}/oauth/logout`);
      await heading(page);
    },
  },
  {
    name: 'logout-refused',
    signedIn: true,
    open: async (page, stage) => {
      await page.goto(`${origin(stage)}/oauth/logout?id_token_hint=broken`);
      await heading(page);
      await page.locator('summary').click();
    },
  },
  at('logged-out', false, '/oauth/logout/success'),
];
