import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
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

describe('consent', () => {
  const ask = async (
    metadata: Record<string, unknown>,
    parameters: Record<string, string> = {},
    resources: readonly string[] = [],
  ) => {
    const app = await world.registerApp({ client_name: 'Lamp Studio', ...metadata });
    const { url, checks } = await app.rp.authorizationUrl({ scope: 'openid profile email', ...parameters });
    for (const resource of resources) url.searchParams.append('resource', resource);
    // No server answers at the callback: the test needs only the browser's request.
    const callback = page
      .waitForRequest((request) => request.url().startsWith('https://app.example/'), { timeout: 0 })
      .then((request) => new URL(request.url()));
    callback.catch(() => undefined);
    await signInAs(page.context(), person.agent, world.origin);
    await page.goto(url.href);
    await page.waitForURL('**/consent?**');
    await page.getByRole('button', { name: /Allow|Разрешить/ }).waitFor();
    return { ...app, checks, callback };
  };

  test('names the app, and links to its policies without a referrer', async () => {
    await ask({ policy_uri: 'https://app.example/privacy', tos_uri: 'https://app.example/terms' });
    const text = await page.locator('main').textContent();
    for (const part of [
      'Authorize the account',
      'Lamp Studio',
      'app.example',
      'Aurelia has not checked who runs this app.',
      person.identifier,
    ])
      expect(text).toContain(part);
    for (const name of [/Privacy policy of Lamp Studio/, /Terms of Lamp Studio/]) {
      const link = page.getByRole('link', { name });
      expect(await link.getAttribute('rel')).toContain('noopener');
      expect(await link.getAttribute('href')).toMatch(/^https:\/\/app\.example\//);
    }
    const [cancel, allow] = await Promise.all(
      ['Cancel', 'Allow'].map((name) => page.getByRole('button', { name }).boundingBox()),
    );
    expect([allow?.width, allow?.height]).toEqual([cancel?.width, cancel?.height]);
    expect(
      await page.getByRole('button', { name: 'Allow' }).evaluate((it) => it === document.activeElement),
    ).toBe(false);
  });

  test('the address of the account stays on one line in a narrow window', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await ask({});
    const lines = await page
      .locator('main p', { hasText: person.identifier })
      .evaluate((words) => words.clientHeight / Number.parseFloat(getComputedStyle(words).lineHeight));
    expect(lines).toBeLessThan(1.5);
  });

  test('an app that the brand vouches for has a mark, and no warning', async () => {
    await ask({ verified: true });
    const text = await page.locator('main').textContent();
    expect(text).toContain('checked by Aurelia');
    expect(text).not.toContain('has not checked');
  });

  test('both answers are in view on a phone, however long the request is, and cover nothing that has the focus', async () => {
    const { rp } = await world.registerApp({
      client_name: 'Northern Lights Home Automation for Every Room',
      optional_scopes: 'profile email phone',
      policy_uri: 'https://app.example/privacy',
    });
    await page.setViewportSize({ width: 360, height: 640 });
    const { url } = await rp.authorizationUrl({ scope: 'openid profile email phone' });
    await signInAs(page.context(), person.agent, world.origin);
    await page.goto(url.href);
    await page.getByRole('button', { name: 'Add a phone number' }).waitFor();
    const bottomOf = async (name: string) => {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    for (const name of ['Allow', 'Cancel']) expect(await bottomOf(name)).toBeLessThanOrEqual(640);
    const stops = page.locator('main :is(input, button, a)');
    for (const stop of await stops.all()) {
      await stop.focus();
      expect(
        await stop.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          const top = document.elementFromPoint(x + width / 2, y + height / 2);
          return top !== null && (element.contains(top) || top.contains(element));
        }),
      ).toBe(true);
    }
  });

  test('an optional scope has a checkbox, and the app does not get an unticked scope', async () => {
    const { rp, checks, callback } = await ask({ optional_scopes: 'profile email' });
    expect(await page.getByRole('checkbox').count()).toBe(2);
    await page.getByRole('checkbox', { name: /profile picture/ }).uncheck();
    await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).click();
    const tokens = await rp.exchange(await callback, checks);
    expect(tokens.scope).toBe('openid email');
  });

  test('scopes of APIs have the words of their API, in the language on screen, and a checkbox each', async () => {
    const description = { en: 'switch your lamps', ru: 'включать ваши лампы' };
    await world.registerResources([
      {
        identifier: 'https://lamps.example/',
        name: 'Lamp API',
        scopes: [
          { name: 'switch', description },
          { name: 'dim', description: { en: 'dim them' } },
        ],
      },
      {
        identifier: 'https://blinds.example/',
        name: 'Blind API',
        scopes: [{ name: 'dim', description: { en: 'lower your blinds' } }],
      },
    ]);
    const { rp, checks, callback } = await ask(
      { optional_scopes: 'dim' },
      { scope: 'openid switch dim', ui_locales: 'ru' },
      ['https://lamps.example/', 'https://blinds.example/'],
    );
    const main = page.locator('main');
    await expect.poll(() => main.textContent()).toMatch(/включать ваши лампы.*Lamp API.*dim them/s);
    await page.getByRole('checkbox', { name: /dim them/ }).uncheck();
    await page.locator('button:not([aria-disabled])', { hasText: 'Разрешить' }).click();
    const tokens = await rp.exchange(await callback, checks, { resource: 'https://lamps.example/' });
    expect(tokens.scope).toBe('switch');
    const { scope } = await rp.refresh(tokens.refresh_token ?? '', { resource: 'https://blinds.example/' });
    expect(scope).toBe('dim');
    const portal = await page.context().newPage();
    await portal.goto(`${world.origin}/tokens`);
    await portal.getByText('switch your lamps').waitFor();
    expect(await portal.locator('main').textContent()).not.toContain('dim them');
  });

  test('a missing e-mail is named and can be added on the screen: the app gets it', async () => {
    person = await world.signUp('+8613800138111');
    const { rp, checks, callback } = await ask(
      { optional_scopes: 'phone' },
      { scope: 'openid email phone', ui_locales: 'en' },
    );
    await page
      .getByText('Your account has no e-mail address. If you add one, Lamp Studio will see it.')
      .waitFor();
    expect(await page.locator('main').textContent()).not.toContain('no phone number');
    await page.getByRole('checkbox', { name: /phone number/ }).uncheck();
    await page.getByRole('button', { name: 'Add an e-mail address' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=email]').fill('late@example.com');
    await dialog.locator('button[type=submit]').click();
    await dialog
      .locator('input[autocomplete=one-time-code]')
      .fill(await world.codeFor('late@example.com', page));
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Your account has no e-mail address').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    // A scope that was left out stays left out.
    expect(await page.getByRole('checkbox', { name: /phone number/ }).isChecked()).toBe(false);
    await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).click();
    const tokens = await rp.exchange(await callback, checks);
    expect(tokens.claims()).toMatchObject({ email: 'late@example.com', email_verified: true });
    expect(tokens.claims()).not.toHaveProperty('phone_number');
  });

  test('is not added to the account of somebody else who signed in meanwhile', async () => {
    person = await world.signUp('+8613800138333');
    await ask({}, { scope: 'openid email', ui_locales: 'en' });
    const other = await world.signUp('+8613800138444');
    await signInAs(page.context(), other.agent, world.origin);
    await page.getByRole('button', { name: 'Add an e-mail address' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('without an e-mail the app is approved all the same, and gets no e-mail', async () => {
    person = await world.signUp('+8613800138222');
    const { rp, checks, callback } = await ask({}, { scope: 'openid email' });
    await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).click();
    const tokens = await rp.exchange(await callback, checks);
    expect(tokens.scope).toBe('openid email');
    expect(tokens.claims()).not.toHaveProperty('email');
  });

  test('only new scopes are asked, beside the scopes allowed before', async () => {
    const app = await world.registerApp({ client_name: 'Lamp Studio' });
    await world.link(person.agent, app.rp, { scope: 'openid email' });
    const { url } = await app.rp.authorizationUrl({ scope: 'openid email profile' });
    await signInAs(page.context(), person.agent, world.origin);
    await page.goto(url.href);
    await page.getByText('Already allowed:').waitFor();
    const [asked, before] = await page.locator('main ul').allTextContents();
    expect(asked).toBe('access your profile picture/user name');
    expect(before).toContain('access your personal information');
    expect(before).toContain('stay connected');
  });

  test('a press too soon approves nothing', async () => {
    // The test controls the time, because on a busy machine the press would come too late.
    const start = Date.now();
    await page.clock.install({ time: start });
    // The installed clock runs until it is paused, and is never set back.
    await page.clock.pauseAt(start + 10_000);
    const asking = ask({});
    const allow = page.getByRole('button', { name: 'Allow' });
    // A page with a stopped clock would never render.
    while (!(await allow.isVisible())) await page.clock.runFor(1);
    const { clientId } = await asking;
    expect(await allow.getAttribute('aria-disabled')).toBe('true');
    await allow.dispatchEvent('click');
    await page.clock.runFor(400);
    expect(await allow.getAttribute('aria-disabled')).toBe('true');
    // The half second starts when the effect of the page has run.
    await expect
      .poll(async () => {
        await page.clock.runFor(500);
        return allow.getAttribute('aria-disabled');
      })
      .toBe(null);
    // A window above has closed: a press meant for that window must not count.
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.locator('button[aria-disabled]', { hasText: 'Allow' }).waitFor();
    await allow.dispatchEvent('click');
    const { items } = (await person.agent.get('/api/authorizations')).json();
    expect(items.filter(({ client }: { client: { id: string } }) => client.id === clientId)).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/consent');
  });

  test('an approval that does not arrive says so in view on a phone, each time it is pressed', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await ask({ policy_uri: 'https://app.example/privacy' }, { scope: 'openid profile email phone' });
    await page.route('**/interaction/*/consent', (route) => route.abort());
    const told = page.getByRole('alert').filter({ hasText: 'We cannot be reached.' });
    for (const message of ['the first press', 'the second press']) {
      await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).click();
      const isFocused = () => told.evaluate((box) => box === document.activeElement);
      await expect.poll(isFocused, { message }).toBe(true);
      const box = await told.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(640);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    }
  });

  test('an expired request says so, and leads back to the app', async () => {
    await ask({});
    await sql`update interaction set expires_at = now() - interval '1 second'`.execute(world.db);
    await page.locator('button:not([aria-disabled])', { hasText: 'Allow' }).click();
    await page.getByText('This sign-in has expired').waitFor();
    await page.getByRole('link', { name: /Lamp Studio/ }).waitFor();
  });

  test('a denial sends access_denied to the app', async () => {
    const { callback } = await ask({});
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await callback).searchParams.get('error')).toBe('access_denied');
  });
});
