import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import type { UserAgent } from '../../support/user-agent.ts';
import { type Stage, signInAs } from '../stage.ts';
import { closeDialogs, dialogs, goTo, type Journey, refuse } from './journey.ts';

const submit = (page: Page) => page.locator('main form button[type=submit]').first().click();
const section = (page: Page, name: string) => page.locator(`[data-section=${name}]`);

/** Signs the page in as a new developer. */
const enterAsDeveloper = async (page: Page, { world }: Stage): Promise<UserAgent> => {
  const { agent } = await world.signUpDeveloper();
  await signInAs(page.context(), agent, world.origin);
  return agent;
};

const register = async (agent: UserAgent, metadata: Record<string, unknown>): Promise<string> => {
  const answer = await agent.post('/api/clients', metadata);
  if (answer.status !== 201) throw new Error(answer.body);
  return answer.json().client.client_id;
};

const studio = {
  preset: 'web',
  client_name: 'Northern Lights Home Automation for Every Room',
  redirect_uris: [
    'https://studio.example/a/rather/long/path/for/callbacks/of/the/app',
    'http://localhost:8080/',
  ],
  scope: 'openid profile email offline_access',
  optional_scopes: 'profile',
  scope_reasons: { email: 'To tell you when a lamp in one of your rooms does not answer any more.' },
  policy_uri: 'https://studio.example/privacy',
};

const others: Journey = {
  name: 'the developers’ pages of who may not use them',
  signedIn: true,
  visit: async function* (page, stage) {
    await goTo(page, stage, '/developers');
    await page.locator('main h1 ~ *, main p').last().waitFor();
    await page.locator('main > div').first().waitFor();
    yield 'developers-refused';
    await page.route('**/api/clients', (route) =>
      route.fulfill({ status: 403, json: { error: { code: 'second_factor_required', requestId: 'r' } } }),
    );
    await goTo(page, stage, '/developers');
    await page.locator('main a[href="/index"]').first().waitFor();
    yield 'developers-stronger';
  },
};

const list: Journey = {
  name: 'the list of a developer',
  signedIn: false,
  visit: async function* (page, stage) {
    const agent = await enterAsDeveloper(page, stage);
    await goTo(page, stage, '/developers');
    await page.locator('main h3').last().waitFor();
    yield 'developers-empty';
    const id = await register(agent, studio);
    await register(agent, { preset: 'device', client_name: 'Toaster' });
    await agent.post(`/api/clients/${id}/secrets`, {
      name: 'server-2',
      expiresAt: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    });
    await agent.post(`/api/clients/${id}/disable`, undefined);
    await goTo(page, stage, '/developers?reference=no-such-reference');
    await page.locator('main form [role=alert]').waitFor();
    yield 'developers-list';
  },
};

const creation: Journey = {
  name: 'the registration of a client',
  signedIn: false,
  visit: async function* (page, stage) {
    await enterAsDeveloper(page, stage);
    await goTo(page, stage, '/developers/new');
    await page.locator('main input[type=url]').fill('http://studio.example/');
    await submit(page);
    await page.locator('main [role=alert]').waitFor();
    await page.locator('main form + div input[type=checkbox]').check();
    await page.locator('main pre').first().waitFor();
    yield 'developers-new-refused';
    await page.locator('main form + div input[type=checkbox]').uncheck();
    await goTo(page, stage, '/developers/new?preset=google-home');
    await page.locator('main form > div input').last().fill('our-lights-1a2b3');
    yield 'developers-new-platform';
    await page.locator('main form > div input').first().fill('Lamp Studio');
    await submit(page);
    await dialogs(page).locator('code').waitFor();
    yield 'developers-secret';
    await dialogs(page).locator('button').last().click();
    await dialogs(page).locator('code').waitFor({ state: 'detached' });
    yield 'developers-secret-kept';
  },
};

const one: Journey = {
  name: 'the page of a client',
  signedIn: false,
  visit: async function* (page, stage) {
    const agent = await enterAsDeveloper(page, stage);
    const id = await register(agent, studio);
    await goTo(page, stage, `/developers/${id}`);
    await section(page, 'status').locator('dl').waitFor();
    await section(page, 'errors').locator('div > p').last().waitFor();
    await section(page, 'usage').locator('div > p').last().waitFor();
    yield 'client';
    await section(page, 'secrets').locator('> button').click();
    await dialogs(page).waitFor();
    yield 'client-add-secret';
    await closeDialogs(page);
    await goTo(page, stage, `/developers/${id}/team`);
    await section(page, 'history').locator('h3').first().waitFor();
    await section(page, 'members').locator('li').first().waitFor();
    yield 'client-team';
    await goTo(page, stage, `/developers/${id}/code`);
    await section(page, 'snippets').locator('pre').last().waitFor();
    yield 'client-code';
    await goTo(page, stage, `/developers/${id}/settings`);
    await section(page, 'preview').locator('figure').waitFor();
    await page.locator('main nav + div input[type=checkbox]').check();
    await section(page, 'addresses').locator('input').first().fill('https://*.studio.example/#here');
    await section(page, 'addresses').locator('button[type=submit]').click();
    await section(page, 'addresses').locator('[role=alert]').waitFor();
    yield 'client-address-refused';
    await page.locator('main nav + div input[type=checkbox]').uncheck();
    await agent.post(`/api/clients/${id}/disable`, undefined);
    await goTo(page, stage, `/developers/${id}/settings#ending`);
    await refuse(page, '/api/clients/*', 400, 'confirmation_differs');
    await section(page, 'ending').locator('button').filter({ visible: true }).last().click();
    await dialogs(page).locator('button[type=submit]').click();
    await dialogs(page).locator('[role=alert]').waitFor();
    yield 'client-delete-refused';
  },
};

/** Signals of the client's stream: one waits, one is refused, one is taken. */
const sendSignals = ({ world }: Stage, id: string) =>
  sql`insert into signal (stream_id, event, attempts, settled_at, due_at, outcome, outcome_status, outcome_ms, outcome_detail)
    select signal_stream.id, event, attempts, row.settled_at, now() + interval '1 day', outcome, answer, ms, detail
    from signal_stream, (values
      ('link-created', 1, now(), 'told', 202, 84, null),
      ('credential-change', 3, null, 'timed_out', null, 5000, 'no answer within 5 s'),
      ('session-revoked', 1, now(), 'refused', 400, 31, 'invalid_audience')
    ) as row (event, attempts, settled_at, outcome, answer, ms, detail)
    where client_id = ${id}`.execute(world.db);

const signals: Journey = {
  name: 'the signals of a client',
  signedIn: false,
  visit: async function* (page, stage) {
    const agent = await enterAsDeveloper(page, stage);
    const id = await register(agent, studio);
    await goTo(page, stage, `/developers/${id}/settings#signals`);
    await section(page, 'signals').locator('details summary').click();
    await section(page, 'signals').locator('input[type=url]').fill('http://studio.example/signals');
    await section(page, 'signals').locator('button[type=submit]').click();
    await section(page, 'signals').locator('[role=alert]').waitFor();
    yield 'client-signals-refused';
    await section(page, 'signals').locator('input[type=url]').fill('https://studio.example/signals');
    await section(page, 'signals').locator('button[type=submit]').click();
    await dialogs(page).locator('code').waitFor();
    yield 'client-signals-secret';
    await dialogs(page).locator('button').last().click();
    await dialogs(page).locator('code').waitFor({ state: 'detached' });
    await dialogs(page).locator('button').last().click();
    await dialogs(page).waitFor({ state: 'detached' });
    await sendSignals(stage, id);
    await page.reload();
    await section(page, 'signals').locator('li').last().scrollIntoViewIfNeeded();
    yield 'client-signals';
  },
};

const documentation: Journey = {
  name: 'the documentation for developers',
  signedIn: false,
  visit: async function* (page, stage) {
    for (const name of ['', '/errors', '/openid-client', '/presets']) {
      await goTo(page, stage, `/developers/docs${name}`);
      // Wait for the frame of the portal around the served page.
      await page.locator('header select').waitFor();
      await page.locator('h1').first().waitFor();
      yield `documentation${name.replace('/', '-')}`;
    }
  },
};

/** The developers' pages in their states. */
export const developerJourneys: readonly Journey[] = [others, list, creation, one, signals, documentation];
