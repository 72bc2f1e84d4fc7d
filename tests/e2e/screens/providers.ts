import { providerKinds } from '@candela/contract/rules/provider-kinds';
import type { Page } from 'playwright-core';
import { closeDialogs, dialogs, goTo, type Journey, refuse } from './journey.ts';

const providers = providerKinds.map((kind, index) => ({
  id: kind,
  kind,
  name: kind === 'oidc' ? 'Lamp Works' : kind,
  ...(index === 0 && { last: true }),
}));

const DAY_MS = 24 * 3600 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const anna = { nickname: 'Anna', email: 'anna.lindqvist@gmail.com' };
const arrival = (state: string, emailProven: boolean) => ({
  provider: {
    id: 'google',
    kind: 'google',
    name: 'Google',
    ...anna,
    state,
    emailProven,
    arrivedAt: daysAgo(0),
  },
});

/** Adds to the details of each interaction. */
const addDetails = async (page: Page, added: object): Promise<void> => {
  await page.unrouteAll();
  await page.route('**/interaction/*/details', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), ...added } });
  });
};

const signIn: Journey = {
  name: 'a sign-in with identity providers',
  signedIn: false,
  visit: async function* (page, stage) {
    await addDetails(page, { providers });
    await goTo(page, stage, '/login');
    await page.locator('main button[aria-expanded=false]').last().click();
    // The focus goes to the first of what the button brought.
    await page.locator('[data-kind=vk]:focus').waitFor();
    yield 'providers';
    await page.goto(`${page.url()}&provider=google&reason=provider_refused`);
    await page.locator('main [role=alert] p').first().waitFor();
    yield 'provider-refused';
    await addDetails(page, { providers, ...arrival('existing-account', true) });
    await goTo(page, stage, '/login');
    await page.locator('[data-kind=apple]').waitFor();
    yield 'provider-existing';
    await addDetails(page, arrival('new', false));
    await goTo(page, stage, '/register');
    await page.locator('#identifier').waitFor();
    yield 'provider-contact';
    await addDetails(page, arrival('new', true));
    await goTo(page, stage, '/login');
    await dialogs(page).waitFor();
    yield 'provider-terms';
  },
};

const items = [
  { id: 'google', kind: 'google', name: 'Google', linkedAt: daysAgo(90), lastUsedAt: daysAgo(2), ...anna },
  {
    id: 'apple',
    kind: 'apple',
    name: 'Apple',
    email: 'x7f9q2@privaterelay.appleid.com',
    linkedAt: daysAgo(20),
    closed: true,
  },
  { id: 'work', kind: 'oidc', name: 'Lamp Works' },
];

const settings: Journey = {
  name: 'the identity providers of the settings',
  signedIn: true,
  visit: async function* (page, stage) {
    await page.route('**/api/providers', (route) => route.fulfill({ json: { items } }));
    await goTo(page, stage, '/index?provider=work&reason=provider_taken');
    await page.locator('[data-setting=provider-work] [role=alert]').scrollIntoViewIfNeeded();
    yield 'ways-providers';
    await refuse(page, '/api/providers/google', 409, 'last_way_in');
    await page.locator('[data-setting=provider-google] button').click();
    await dialogs(page).getByRole('button').last().click();
    await dialogs(page).locator('[role=alert]').waitFor();
    yield 'ways-provider-last';
    let nobody = {};
    await page.route('**/api/account', async (route) => {
      if (route.request().method() === 'GET') {
        const { phone, email, ...others } = await (await route.fetch()).json();
        nobody = { ...others, hasPassword: false };
      }
      // The other method is a choice of language: all journeys together make more of them than an account may.
      await route.fulfill({ json: nobody });
    });
    await refuse(page, '/api/providers/google', 403, 'step_up_required');
    await goTo(page, stage, '/index');
    await page.locator('[data-setting=provider-google] button').click();
    await dialogs(page).getByRole('button').last().click();
    await dialogs(page).nth(1).waitFor();
    yield 'step-up-sign-in';
    await closeDialogs(page);
  },
};

/** Signing in with an account elsewhere, and adding and removing one. */
export const providerJourneys: readonly Journey[] = [signIn, settings];
