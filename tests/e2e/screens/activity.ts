import { sql } from 'kysely';
import { bind, nextPhone } from '../../api/settings.ts';
import { signInAs } from '../stage.ts';
import { dialogs, goTo, type Journey, refuse } from './journey.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

const activity: Journey = {
  name: 'what happened to an account',
  signedIn: false,
  visit: async function* (page, stage) {
    const { world } = stage;
    const person = await world.signUp();
    await bind(world, person.agent, 'phone', nextPhone());
    const stranger = world.browser({ userAgent: FIREFOX, headers: { 'time-zone': 'Asia/Shanghai' } });
    await world.signIn(person.identifier, stranger);
    await world.link(stranger, stage.newApp, { scope: 'openid profile', prompt: 'consent' });
    await sql`insert into activity (id, account_id, kind, user_agent, time_zone, detail, created_at)
      select told.kind || account_id, account_id, told.kind, ${FIREFOX}, zone, cast(detail as jsonb), now() - hours * interval '1 hour'
      from account_identifier, (values
        ('sign_in_refused', 'Europe/Berlin', '{"method":"password"}', 20),
        ('passkey_added', null, '{"name":"A phone with a very long name that somebody gave it"}', 30),
        ('password_changed', null, null, 60)) as told(kind, zone, detail, hours)
      where value = ${person.identifier}`.execute(world.db);
    await sql`insert into activity_count (activity_id, count)
      select id, 12 from activity where kind = 'sign_in_refused' on conflict do nothing`.execute(world.db);
    await signInAs(page.context(), person.agent, world.origin);
    await goTo(page, stage, '/activity');
    await page.locator('[data-record]').first().waitFor();
    yield 'activity';
    await page.locator('[data-record] button').first().click();
    await dialogs(page).waitFor();
    yield 'activity-confirm';
    await dialogs(page).getByRole('button').last().click();
    await page.locator('#take-back').waitFor();
    await dialogs(page).waitFor({ state: 'detached' });
    yield 'activity-steps';
    await page.route('**/api/activity*', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'unavailable', requestId: 'r' } } }),
    );
    await goTo(page, stage, '/activity');
    await page.getByRole('alert').waitFor();
    yield 'activity-failed';
  },
};

const empty: Journey = {
  name: 'a group of which nothing happened',
  signedIn: false,
  visit: async function* (page, stage) {
    const { agent } = await stage.world.signUp();
    await signInAs(page.context(), agent, stage.world.origin);
    await goTo(page, stage, '/activity');
    await page.locator('[data-record]').first().waitFor();
    await page.getByRole('radio').nth(2).check({ force: true });
    await page.locator('[data-record]').first().waitFor({ state: 'detached' });
    yield 'activity-empty';
  },
};

const link: Journey = {
  name: 'the link in the notice of a sign-in',
  signedIn: false,
  visit: async function* (page, stage) {
    const { world } = stage;
    const { identifier } = await world.signUp();
    const stranger = world.browser({ userAgent: FIREFOX, headers: { 'time-zone': 'Asia/Shanghai' } });
    await world.signIn(identifier, stranger);
    await world.tellSignIns();
    const { text } = await world.lastMessageTo(identifier);
    const [path = ''] = /\/not-me#[\w-]+/.exec(text) ?? [];
    await goTo(page, stage, path);
    await page.locator('main button').last().waitFor();
    yield 'not-me';
    await page.locator('main button').last().click();
    await page.locator('main a[href*=findbackPWD]').waitFor();
    yield 'not-me-done';
    await page.goto('about:blank');
    await goTo(page, stage, '/not-me#used');
    await page.locator('main a[href*=findbackPWD]').waitFor();
    yield 'not-me-dead';
    await refuse(page, '/api/not-me/look', 503, 'unavailable');
    await page.goto('about:blank');
    await goTo(page, stage, '/not-me#used');
    await page.getByRole('alert').waitFor();
    yield 'not-me-failed';
  },
};

/** What happened to an account, and the link that says it was somebody else. */
export const activityJourneys: readonly Journey[] = [activity, empty, link];
