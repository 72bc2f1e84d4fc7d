import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import { signInAs } from './stage.ts';

let world: BrowserWorld;
let page: Page;
let person: { agent: UserAgent; identifier: string };
beforeAll(async () => {
  world = await createBrowserWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  person = await world.signUp();
  page = await world.openPage();
});
afterEach(async () => {
  await page.context().close();
  expect(world.takeFaults()).toEqual([]);
});

const visit = async (path: string) => {
  // Each approval changes the session's cookie.
  await signInAs(page.context(), person.agent, world.origin);
  await page.goto(`${world.origin}${path}`);
  await page.locator('main h1').waitFor();
};

const rows = () => page.locator('[data-record]');
const dialog = () => page.getByRole('alertdialog');
const confirm = async (name: string) => {
  await dialog().getByRole('button', { name, exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
};
const done = () => page.getByRole('status').getByText('Operation Successful').waitFor();
const focused = () =>
  page.evaluate(
    () =>
      document.activeElement?.closest('[data-record]')?.getAttribute('data-record') ??
      document.activeElement?.tagName,
  );

/** Adds copies of the person's first session. */
const copySessions = (count: number) =>
  sql`insert into session (brand, uid, id_hash, account_id, payload, user_agent, address, locale, created_at, expires_at)
    select brand, uid || '-copy-' || n, uid || '-copy-' || n, session.account_id, payload,
      case when n = 1 then 'Lamp/1.0 (secret-agent)' else user_agent end, address, locale,
      now() - n * interval '1 hour', expires_at
    from session, generate_series(1, ${count}) as n
    where uid = (select uid from session join account_identifier using (account_id)
      where value = ${person.identifier} order by created_at limit 1)`.execute(world.db);

describe('sessions', () => {
  test('this device comes first and is marked; alone, it is called the only device', async () => {
    await visit('/sessions');
    await page.getByText('You are signed in on this device only.').waitFor();
    const first = rows().first();
    await first.getByText('This device').waitFor();
    expect(await first.textContent()).toMatch(/Chrome 140 on Windows 10/);
    expect(await first.locator('p').textContent()).toMatch(/^Active just now · signed in \w+ \d+, \d{4}$/);
    await first.getByText('Details').click();
    const facts = await first.locator('dl > *').allTextContents();
    const when = /^\w+\s\d+,\s\d{4}, \d+:\d\d\s[AP]M\s\S+$/;
    expect(facts).toEqual([
      ...['Last accessed', expect.stringMatching(when)],
      ...['Created', expect.stringMatching(when)],
      ...['Expires', expect.stringMatching(when)],
      // Without the zeros in which the browser hides its version.
      ...['Browser', 'Chrome 140'],
      ...['Platform', 'Computer'],
      ...['System', 'Windows 10'],
      ...['Language', 'English'],
    ]);
    const accessed = first.locator('time').first();
    expect(await accessed.getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(await page.getByRole('button', { name: 'Sign out everywhere' }).count()).toBe(0);
  });

  test('from the settings it takes three presses to sign out another device', async () => {
    const { agent: other } = await world.signIn(person.identifier);
    await visit('/index');
    await page.getByRole('link', { name: 'Sessions' }).click();
    await rows().last().getByRole('button').click();
    await dialog().getByRole('button', { name: 'Sign out', exact: true }).click();
    await done();
    expect((await other.get('/api/account')).status).toBe(401);
  });

  test('one of the others is signed out by name, and focus goes to the next', async () => {
    const { agent: other } = await world.signIn(person.identifier);
    await world.signIn(person.identifier);
    await visit('/sessions');
    await rows().nth(2).waitFor();
    const [, newest, oldest] = await rows().evaluateAll((all) =>
      all.map((row) => row.getAttribute('data-record')),
    );
    const { items } = (await other.get('/api/sessions')).json();
    expect(items[0].id).toBe(oldest);
    await page.locator(`[data-record="${oldest}"] button`).click();
    await dialog().getByRole('heading', { name: 'Sign out Chrome 140 on Windows 10?' }).waitFor();
    expect(await dialog().textContent()).toContain('Chrome 140 on Windows 10 will have to sign in again');
    expect(await dialog().textContent()).toContain('keep working');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect((await other.get('/api/account')).status).toBe(200);
    await page.locator(`[data-record="${oldest}"] button`).click();
    await confirm('Sign out');
    await done();
    await expect.poll(focused).toBe(newest);
    expect(await rows().count()).toBe(2);
    expect((await other.get('/api/account')).status).toBe(401);
  });

  test('all the others at once: only this one stays', async () => {
    const { agent: other } = await world.signIn(person.identifier);
    await world.signIn(person.identifier);
    // The settings are kept. Their hidden title must not get the focus.
    await visit('/index');
    await page.locator('main a[href="/sessions"]').click();
    await page.getByRole('button', { name: 'Sign out all other devices (2)' }).click();
    await confirm('Sign out all other devices');
    await done();
    await page.getByText('You are signed in on this device only.').waitFor();
    await expect.poll(focused).toBe('H1');
    expect((await other.get('/api/account')).status).toBe(401);
    expect((await person.agent.get('/api/account')).status).toBe(200);
  });

  test.each(['everywhere', 'this device'])('signing out %s leads to the sign-in', async (where) => {
    const { agent: other } = await world.signIn(person.identifier);
    await visit('/sessions');
    if (where === 'everywhere') {
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await dialog().getByRole('button', { name: 'Sign out everywhere' }).click();
    } else {
      await rows().first().getByRole('button').click();
      await dialog().getByRole('heading', { name: 'Sign out here?' }).waitFor();
      expect(await dialog().textContent()).toContain('in this browser');
      await dialog().getByRole('button', { name: 'Sign out', exact: true }).click();
    }
    await page.waitForURL('**/login?**');
    await page.locator('main').getByText('Operation Successful').waitFor();
    await page.locator('main').getByText('You are signed out.').waitFor();
    expect((await other.get('/api/account')).status).toBe(where === 'everywhere' ? 401 : 200);
    expect((await person.agent.get('/api/account')).status).toBe(401);
    await page.goBack();
    await page.waitForURL('**/login?**');
  });

  test('a long list comes in parts, and is searched through as a whole', async () => {
    await copySessions(30);
    await visit('/sessions');
    await rows().nth(20).waitFor();
    expect(await rows().count()).toBe(21);
    // The User-Agent of an unknown browser is shown as text; what it does not tell is said to be unknown once.
    const strange = rows().filter({ hasText: 'Unknown browser' });
    await strange.getByText('Details').click();
    await strange.getByText('Lamp/1.0 (secret-agent)').waitFor();
    expect(await strange.getByText('Unknown', { exact: true }).count()).toBe(1);
    await strange.getByRole('button').click();
    await dialog().getByRole('heading', { name: 'Sign out this device?' }).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows().nth(30).waitFor();
    expect(await rows().count()).toBe(31);
    await page.reload();
    await page.getByLabel('Find a device').fill('secret');
    await page.getByRole('status').getByText('Found: 1').waitFor();
    expect(await rows().count()).toBe(2);
    await page.getByLabel('Find a device').fill('chrome windows');
    await page.getByRole('status').getByText('Found: 29').waitFor();
    await page.getByLabel('Find a device').fill('toaster');
    await page.getByText('Nothing found.').waitFor();
    expect(await rows().count()).toBe(1);
  });

  test('a search announces its count once the whole list is loaded, and not before', async () => {
    await copySessions(30);
    let answer = () => {};
    const released = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/sessions?after=*', async (route) => {
      await released;
      await route.fulfill({ status: 403, json: { error: { code: 'cross_site', requestId: 'r' } } });
    });
    await visit('/sessions');
    const status = page.locator('search').getByRole('status');
    await page.getByLabel('Find a device').fill('toaster');
    await status.getByText('Loading the list').waitFor();
    answer();
    await page.getByRole('alert').getByText('The browser blocked this step').waitFor();
    expect(await status.textContent()).toBe('');
    await page.unroute('**/api/sessions?after=*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await status.getByText('Nothing found.').waitFor();
  });

  test('a list of at most ten has no search', async () => {
    await copySessions(8);
    await visit('/sessions');
    await rows().nth(8).waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
  });

  test('an unrecognised session leads to the password', async () => {
    await world.signIn(person.identifier);
    await visit('/sessions');
    await page.getByRole('link', { name: 'change your password' }).click();
    await page.waitForURL('**/index');
  });

  test('coming back to the window shows what happened meanwhile', async () => {
    await visit('/sessions');
    await page.getByText('You are signed in on this device only.').waitFor();
    await world.signIn(person.identifier);
    await page.clock.install({ time: new Date(Date.now() + 60_000) });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await rows().nth(1).waitFor();
  });

  test('a session that ends meanwhile leads to the sign-in, and back here', async () => {
    const { agent: other } = await world.signIn(person.identifier);
    await visit('/sessions');
    await rows().nth(1).waitFor();
    await other.delete('/api/sessions?except=current');
    await page.getByRole('button', { name: /Sign out all other/ }).click();
    await dialog().getByRole('button', { name: 'Sign out all other devices' }).click();
    await page.waitForURL('**/login?**');
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.getByRole('button', { name: 'Use e-mail' }).click();
    await page.getByLabel('E-mail', { exact: true }).fill(person.identifier);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/sessions');
    await rows().nth(1).waitFor();
  });
});

describe('authorizations', () => {
  const twoHomes = async () => {
    const { rp } = await world.registerApp({ client_name: 'Home Hub' });
    await world.link(person.agent, rp, { prompt: 'consent' });
    await world.link(person.agent, rp, { prompt: 'consent' });
    return rp;
  };

  test('each says what it may do, and where and how it was allowed', async () => {
    const { rp } = await world.registerApp({ client_name: 'Home Hub' });
    await world.link(person.agent, rp, { scope: 'openid profile' });
    await visit('/tokens');
    const app = page.locator('[data-app]');
    expect(await rows().first().locator('p').textContent()).toMatch(
      /^Last used just now · connected \w+ \d+, \d{4} from Chrome 140 on Windows 10$/,
    );
    for (const text of [
      'Home Hub app.example',
      'It can:',
      'Authorization Code Mode',
      'access your personal information',
      'access your profile picture/user name',
      'stay connected until you remove it',
      'Chrome 140',
      'Windows 10',
      'Computer',
    ])
      expect(await app.textContent()).toContain(text);
  });

  test('one of two homes is removed, the other stays and has the focus', async () => {
    await twoHomes();
    await visit('/tokens');
    await rows().nth(1).waitFor();
    // The app and what it can do are told once, above both.
    expect(await page.getByRole('heading', { name: 'Home Hub' }).count()).toBe(1);
    expect(await page.getByText('It can:').count()).toBe(1);
    const second = await rows().nth(1).getAttribute('data-record');
    await rows()
      .first()
      .getByRole('button', { name: /^Remove/ })
      .click();
    expect(await dialog().textContent()).toContain('Other access you gave Home Hub stays');
    await confirm('Remove access');
    await done();
    await expect.poll(focused).toBe(second);
    expect(await rows().count()).toBe(1);
    await rows()
      .first()
      .getByRole('button', { name: /^Remove/ })
      .click();
    expect(await dialog().textContent()).toContain(
      'Home Hub can no longer use your account or control your lights',
    );
    await confirm('Remove access');
    await page.getByText('No apps are connected to your account.').waitFor();
    await expect.poll(focused).toBe('H1');
  });

  test('all at once', async () => {
    const rp = await twoHomes();
    const { tokens } = await world.link(person.agent, rp);
    await visit('/tokens');
    await page.getByRole('button', { name: 'Remove all access' }).click();
    expect(await dialog().textContent()).toContain('What apps already received is not deleted');
    await confirm('Remove all access');
    await done();
    await page.getByText('No apps are connected to your account.').waitFor();
    await expect(rp.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('a removal that fails says so in the dialog, and can be tried again', async () => {
    await twoHomes();
    await visit('/tokens');
    await page.route('**/api/authorizations/*', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'unavailable', requestId: 'r' } } }),
    );
    await rows()
      .first()
      .getByRole('button', { name: /^Remove/ })
      .click();
    await dialog().getByRole('button', { name: 'Remove access' }).click();
    await dialog().getByRole('alert').getByText('not available right now').waitFor();
    await page.unroute('**/api/authorizations/*');
    await confirm('Remove access');
    await done();
    expect(await rows().count()).toBe(1);
  });

  test('one of two homes gets a name by the keyboard; Escape leaves it as it was', async () => {
    await twoHomes();
    await visit('/tokens');
    const button = rows().first().getByRole('button', { name: 'Name this access: Home Hub' });
    await button.focus();
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Name of this access');
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type('x'.repeat(61));
    await page.keyboard.press('Enter');
    await rows().first().getByRole('alert').getByText('with at most 60 characters').waitFor();
    expect(await field.inputValue()).toBe('x'.repeat(61));
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((pressed) => pressed === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await field.fill('  <b>Kitchen</b> ');
    await page.keyboard.press('Enter');
    await done();
    await rows().first().getByRole('heading', { name: '<b>Kitchen</b>' }).waitFor();
    await rows().first().getByRole('button', { name: 'Remove access: Home Hub, <b>Kitchen</b>' }).click();
    expect(await dialog().textContent()).toContain('“<b>Kitchen</b>” ends at once');
  });

  test('one that ends soon is renewed by one press, and a step-up where it is due', async () => {
    const { rp } = await world.registerApp({ client_name: 'Home Hub', refresh_family_ttl: 90 * 86_400 });
    await world.link(person.agent, rp);
    await sql`update authorization_grant set ends_at = now() + interval '10 days'`.execute(world.db);
    await sql`update step_up set expires_at = now() - interval '1 day'`.execute(world.db);
    await visit('/tokens');
    await rows()
      .first()
      .getByText(/^Ends \w+ \d+, \d{4}, however often it is used\.$/)
      .waitFor();
    await page.getByRole('button', { name: 'Renew: Home Hub' }).click();
    await done();
    await rows().first().getByText('however often it is used').waitFor({ state: 'detached' });
  });
});
