import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { type Stage, signInAs } from '../stage.ts';
import { ask, closeDialogs, dialogs, goTo, type Journey, refuse } from './journey.ts';

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

/** Adds sessions on other devices to an account, numbered from `first` to `last`. */
const addSessions = (stage: Stage, identifier: string, first: number, last: number) =>
  sql`insert into session (brand, uid, id_hash, account_id, payload, user_agent, address, locale, created_at,
      last_accessed_at, expires_at)
    select brand, uid || n, uid || n, account_id, payload,
      (cast(${agents} as text[]))[1 + n % ${agents.length}], address, locale, now() - n * interval '20 hours',
      now() - n * interval '7 hours', expires_at
    from (
      select session.* from session join account_identifier using (account_id)
      where value = ${identifier} order by session.created_at desc limit 1
    ) as newest, generate_series(cast(${first} as int), cast(${last} as int)) as n`.execute(stage.world.db);

const ownLists: Journey = {
  name: 'the account and its lists',
  signedIn: true,
  visit: async function* (page, stage) {
    await goTo(page, stage, '/index');
    await page.getByText('@example.com').first().waitFor();
    yield 'index';
    await goTo(page, stage, '/sessions');
    await page.locator('main time').first().waitFor();
    yield 'sessions';
    await page.locator('main button').first().click();
    await dialogs(page).waitFor();
    yield 'sessions-confirm';
    await goTo(page, stage, '/tokens');
    await page.locator('main time').first().waitFor();
    yield 'tokens';
  },
};

const sessions: Journey = {
  name: 'the sessions of an account',
  signedIn: false,
  visit: async function* (page, stage) {
    const { identifier } = await enterAsNew(page, stage);
    await goTo(page, stage, '/sessions');
    await rows(page).first().waitFor();
    yield 'sessions-alone';
    await addSessions(stage, identifier, 1, 3);
    await goTo(page, stage, '/sessions');
    await rows(page).nth(3).waitFor();
    for (const details of await page.locator('summary').all()) await details.click();
    yield 'sessions-several';
    await page.locator('main button').last().click();
    await dialogs(page).waitFor();
    yield 'sessions-confirm-all';
    await addSessions(stage, identifier, 4, 12);
    await goTo(page, stage, '/sessions');
    await page.locator('input[type=search]').fill('toaster');
    await rows(page).nth(1).waitFor({ state: 'detached' });
    yield 'sessions-found-none';
  },
};

/** Makes of the three links of an account one with a name, one that is quiet and one that ends soon; three have ended. */
const tellOfLinks = async ({ world: { db } }: Stage, identifier: string) => {
  const owner = sql`(select account_id from account_identifier where value = ${identifier})`;
  await sql`update authorization_grant as link set
      label = case n when 1 then 'Kitchen speaker' when 2 then 'Holiday home by the lake, with a long name for it' end,
      last_accessed_at = last_accessed_at - make_interval(days => case n when 2 then 40 else 0 end),
      created_at = link.created_at - interval '60 days',
      ends_at = case n when 3 then now() + interval '10 days' end
    from (
      select id, row_number() over (order by created_at desc) as n from authorization_grant where account_id = ${owner}
    ) as numbered where numbered.id = link.id`.execute(db);
  await sql`insert into ended_link (brand, id, account_id, client_id, scope, label, reason, since, ended_at)
    select brand, id || reason, account_id, case reason when 'client_deleted' then 'a-client-of-before' else client_id end,
      scope, case reason when 'token_theft' then 'Garden' end, reason,
      now() - interval '200 days', now() - interval '20 days'
    from (
      select * from authorization_grant where account_id = ${owner} order by created_at desc limit 1
    ) as newest, unnest(array['token_theft', 'expired', 'client_deleted']) as reason`.execute(db);
};

const approvals: Journey = {
  name: 'the approvals of an account',
  signedIn: false,
  visit: async function* (page, stage) {
    const person = await enterAsNew(page, stage);
    await goTo(page, stage, '/tokens');
    await page.locator('main h1').waitFor();
    yield 'tokens-empty';
    // One app twice, as two homes link it.
    for (const app of [stage.linkedApp, stage.linkedApp, stage.newApp])
      await stage.world.link(person.agent, app, { scope: 'openid profile phone', prompt: 'consent' });
    await person.enter();
    await goTo(page, stage, '/tokens');
    await rows(page).nth(2).waitFor();
    await page.locator('summary').first().click();
    yield 'tokens-several';
    await rows(page).last().getByRole('button').first().click();
    await dialogs(page).waitFor();
    yield 'tokens-confirm-one-of-two';
    await closeDialogs(page);
    await refuse(page, '/api/authorizations/*', 503, 'unavailable');
    await rows(page).first().getByRole('button').first().click();
    await dialogs(page).getByRole('button').last().click();
    await page.locator('[role=alertdialog] [role=alert]').waitFor();
    yield 'tokens-confirm-failed';
    await page.unroute('**/api/authorizations/*');
    await tellOfLinks(stage, person.identifier);
    await goTo(page, stage, '/tokens');
    await page.locator('[data-ended]').nth(2).waitFor();
    yield 'tokens-told';
    await rows(page).first().getByRole('button').nth(1).click();
    await page.locator('main form input').fill('x'.repeat(61));
    await page.locator('main form').getByRole('button').first().click();
    await page.locator('main form [role=alert]').waitFor();
    yield 'tokens-name-refused';
  },
};

const consent: Journey = {
  name: 'the approval of a person who has no phone',
  signedIn: true,
  visit: async function* (page, stage) {
    await ask(page, stage.newApp, { scope: 'openid profile email phone', prompt: 'consent' });
    await page.locator('main li button').waitFor();
    yield 'consent';
  },
};

const consents: Journey = {
  name: 'an approval that grows, one with a choice, one that links a home, and one of an app that describes itself',
  signedIn: false,
  visit: async function* (page, stage) {
    const person = await enterAsNew(page, stage);
    await stage.world.link(person.agent, stage.newApp, { scope: 'openid email' });
    await person.enter();
    await ask(page, stage.newApp, { scope: 'openid email profile' });
    await page.locator('main button').nth(1).waitFor();
    yield 'consent-grown';
    const { rp } = await stage.world.registerApp({
      client_name: 'Northern Lights Home Automation for Every Room',
      optional_scopes: 'profile email phone',
      policy_uri: 'https://app.example/privacy',
      tos_uri: 'https://app.example/terms',
    });
    await ask(page, rp, { scope: 'openid profile email phone' });
    await page.getByRole('checkbox').last().uncheck();
    yield 'consent-choice';
    const redirectUri = 'https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3';
    const google = await stage.world.registerApp(
      { preset: 'google-home', client_name: 'Google Home', redirect_uris: [redirectUri], verified: true },
      { redirectUri },
    );
    await ask(page, google.rp, { scope: 'openid profile' });
    await page.locator('main button').nth(1).waitFor();
    yield 'consent-linking';
    await ask(page, stage.assistant, { scope: 'openid profile' });
    await page.getByText('assistant.example').first().waitFor();
    yield 'consent-self-described';
  },
};

/** The account's lists and the consent in their states. */
export const listJourneys: readonly Journey[] = [ownLists, sessions, approvals, consent, consents];
