import type { Page } from 'playwright-core';
import { accountBackJourneys } from './account-back.ts';
import { activityJourneys } from './activity.ts';
import { developerJourneys } from './developers.ts';
import { deviceJourneys } from './device.ts';
import { goTo, type Journey } from './journey.ts';
import { leavingJourneys } from './leaving.ts';
import { listJourneys } from './lists.ts';
import { providerJourneys } from './providers.ts';
import { secondStepJourneys } from './second-step.ts';
import { settingsJourneys } from './settings.ts';
import { signInJourneys } from './sign-in.ts';
import { trialJourneys } from './trial.ts';
import { waysJourneys } from './ways.ts';

const heading = (page: Page) => page.locator('h1').first().waitFor();

const documents: Journey = {
  name: 'the documents',
  signedIn: false,
  visit: async function* (page, stage) {
    for (const name of ['license', 'privacy']) {
      await goTo(page, stage, `/${name}`);
      // Wait for the frame of the portal around the served document.
      await page.locator('header select').waitFor();
      await heading(page);
      yield name;
    }
  },
};

const errorPages = {
  middle: '/middle',
  'error-calm': '/error',
  'error-not-signed-in': '/error?reason=sign_in_failed',
  'error-not-found': '/no-such-page',
  'error-unknown-client': '/oauth/authorize?client_id=nobody&response_type=code',
  'error-expired': '/interaction/gone',
};

const errors: Journey = {
  name: 'pages that lead on',
  signedIn: false,
  visit: async function* (page, stage) {
    for (const [name, path] of Object.entries(errorPages)) {
      await goTo(page, stage, path);
      await heading(page);
      yield name;
    }
  },
};

const logout: Journey = {
  name: 'the sign-out that an app asks for',
  signedIn: true,
  withoutSwitch: true,
  visit: async function* (page, stage) {
    await goTo(page, stage, '/oauth/logout');
    await heading(page);
    yield 'logout-question';
    await goTo(page, stage, '/oauth/logout?id_token_hint=broken');
    await heading(page);
    await page.locator('summary').click();
    yield 'logout-refused';
    await goTo(page, stage, '/oauth/logout/success');
    await heading(page);
    yield 'logged-out';
  },
};

/** Every screen of the portal. */
export const journeys: readonly Journey[] = [
  ...signInJourneys,
  ...secondStepJourneys,
  ...settingsJourneys,
  ...waysJourneys,
  ...providerJourneys,
  ...listJourneys,
  ...deviceJourneys,
  ...accountBackJourneys,
  ...activityJourneys,
  ...developerJourneys,
  ...trialJourneys,
  ...leavingJourneys,
  documents,
  errors,
  logout,
];
