import type { Page } from 'playwright-core';
import type { UserAgent } from '../../support/user-agent.ts';
import { signInAs } from '../stage.ts';
import { goTo, type Journey } from './journey.ts';

const section = (page: Page, name: string) => page.locator(`[data-section=${name}]`);

const askToken = (agent: UserAgent, clientId: string, secret: string) =>
  agent.request('POST', '/oauth/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
      origin: '',
      cookie: '',
    },
    form: { grant_type: 'client_credentials' },
  });

const WRONG = 'not-the-secret-of-the-app-but-another-one';

/** What a developer tries, and what the server counted and refused. */
const trial: Journey = {
  name: 'the trial of a client, its errors and its days',
  signedIn: false,
  visit: async function* (page, stage) {
    const { world } = stage;
    const { agent } = await world.signUpDeveloper();
    await signInAs(page.context(), agent, world.origin);
    const made = await agent.post('/api/clients', { preset: 'machine', name: 'Night watch' });
    const { client, secret } = made.json();
    for (const each of [secret, secret, WRONG]) await askToken(agent, client.client_id, each);
    await world.flushRecords();
    await goTo(page, stage, `/developers/${client.client_id}#usage`);
    await section(page, 'usage').locator('svg').waitFor();
    await section(page, 'usage').locator('summary').first().click();
    yield 'client-usage';
    await section(page, 'errors').locator('li summary').click();
    await section(page, 'errors').locator('dl').first().waitFor();
    yield 'client-errors';
    await goTo(page, stage, `/developers/${client.client_id}/code`);
    await section(page, 'tryIt').locator('input').first().fill(WRONG);
    await section(page, 'tryIt').locator('button').last().click();
    await page.locator('[data-step=token] summary').click();
    await page.locator('[data-step=token] > details + div > button').click();
    await page.locator('[data-step=token] pre').nth(2).waitFor();
    await section(page, 'tryIt').locator('h2').scrollIntoViewIfNeeded();
    yield 'client-trial';
  },
};

export const trialJourneys: readonly Journey[] = [trial];
