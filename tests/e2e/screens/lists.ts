import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { signInAs } from '../stage.ts';
import type { Screen, Stage } from './screens.ts';

const dialog = (page: Page) => page.locator('[role=dialog], [role=alertdialog]').waitFor();
const rows = (page: Page) => page.locator('[data-record]');

/** Signs the page in as somebody new. */
const enterAsNew = async (page: Page, { world }: Stage) => {
  const person = await world.signUp();
  const enter = () => signInAs(page.context(), person.agent, world.origin);
  await enter();
  return { ...person, enter };
};

const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Lamp-Setup-Tool/1.0 (an-unknown-browser-with-a-very-long-name-without-any-space-in-it)',
  'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
];

/** Sessions of the person on other devices, as the database has them. */
const addSessions = (stage: Stage, identifier: string, count: number) =>
  sql`insert into session (brand, uid, id_hash, account_id, payload, user_agent, address, locale, created_at,
      last_accessed_at, expires_at)
    select brand, uid || n, uid || n, session.account_id, payload,
      (cast(${agents} as text[]))[1 + n % ${agents.length}], address, locale, now() - n * interval '20 hours',
      now() - n * interval '7 hours', expires_at
    from session join account_identifier using (account_id), generate_series(1, ${count}) as n
    where value = ${identifier}`.execute(stage.world.db);

const withSessions = async (page: Page, stage: Stage, count: number) => {
  const { identifier } = await enterAsNew(page, stage);
  await addSessions(stage, identifier, count);
  await page.goto(`${stage.world.origin}/sessions`);
  await rows(page).first().waitFor();
};

/** One app twice, as two homes link it. */
const withApprovals = async (page: Page, stage: Stage) => {
  const person = await enterAsNew(page, stage);
  for (const app of [stage.linkedApp, stage.linkedApp, stage.newApp])
    await stage.world.link(person.agent, app, { scope: 'openid profile phone', prompt: 'consent' });
  await person.enter();
  await page.goto(`${stage.world.origin}/tokens`);
  await rows(page).nth(2).waitFor();
};

/** The lists and consent in their states. */
export const listScreens: readonly Screen[] = [
  {
    name: 'sessions-alone',
    signedIn: false,
    open: (page, stage) => withSessions(page, stage, 0),
  },
  {
    name: 'sessions-several',
    signedIn: false,
    open: async (page, stage) => {
      await withSessions(page, stage, 3);
      await page.locator('summary').click();
    },
  },
  {
    name: 'sessions-found-none',
    signedIn: false,
    open: async (page, stage) => {
      await withSessions(page, stage, 12);
      await page.locator('input[type=search]').fill('toaster');
      await rows(page).nth(1).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'sessions-confirm-all',
    signedIn: false,
    open: async (page, stage) => {
      await withSessions(page, stage, 3);
      await page.locator('main button').last().click();
      await dialog(page);
    },
  },
  {
    name: 'tokens-empty',
    signedIn: false,
    open: async (page, stage) => {
      await enterAsNew(page, stage);
      await page.goto(`${stage.world.origin}/tokens`);
      await page.locator('main h1').waitFor();
    },
  },
  { name: 'tokens-several', signedIn: false, open: withApprovals },
  {
    name: 'tokens-confirm-one-of-two',
    signedIn: false,
    open: async (page, stage) => {
      await withApprovals(page, stage);
      await rows(page).last().getByRole('button').click();
      await dialog(page);
    },
  },
  {
    name: 'tokens-confirm-failed',
    signedIn: false,
    open: async (page, stage) => {
      const error = { code: 'unavailable', requestId: 'r' };
      await page.route('**/api/authorizations/*', (route) => route.fulfill({ status: 503, json: { error } }));
      await withApprovals(page, stage);
      await rows(page).first().getByRole('button').click();
      await dialog(page);
      await page.locator('[role=alertdialog] button').last().click();
      await page.locator('[role=alertdialog] [role=alert]').waitFor();
    },
  },
  {
    name: 'consent-grown',
    signedIn: false,
    open: async (page, stage) => {
      const person = await enterAsNew(page, stage);
      await stage.world.link(person.agent, stage.newApp, { scope: 'openid email' });
      await person.enter();
      const { url } = await stage.newApp.authorizationUrl({ scope: 'openid email profile' });
      await page.goto(url.href);
      await page.locator('main button').nth(1).waitFor();
    },
  },
  {
    name: 'consent-choice',
    signedIn: false,
    open: async (page, stage) => {
      await enterAsNew(page, stage);
      const { rp } = await stage.world.registerApp({
        client_name: 'Northern Lights Home Automation for Every Room',
        optional_scopes: 'profile email phone',
        policy_uri: 'https://app.example/privacy',
        tos_uri: 'https://app.example/terms',
      });
      const { url } = await rp.authorizationUrl({ scope: 'openid profile email phone' });
      await page.goto(url.href);
      await page.getByRole('checkbox').last().uncheck();
    },
  },
];
