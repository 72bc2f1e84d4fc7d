import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { otherCode } from '../api/settings.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { PASSWORD } from '../support/world.ts';

let world: BrowserWorld;
afterAll(() => world.close());
afterEach(() => expect(world.takeFaults()).toEqual([]));

const openLogin = async (): Promise<Page> => {
  const page = await world.openPage();
  await page.goto(`${world.origin}/login`);
  await page.locator('#identifier').waitFor();
  return page;
};

/** Finishes the sign-in as a second tab does. */
const finishElsewhere = async (page: Page, identifier: string) => {
  const uid = new URL(page.url()).searchParams.get('interaction');
  await page.evaluate(
    async ({ uid, ...body }) => {
      const answer = await fetch(`/interaction/${uid}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await fetch((await answer.json()).returnTo);
    },
    { uid, identifier, password: PASSWORD },
  );
};

describe('the loose ends of signing in, in Chromium', () => {
  beforeAll(async () => {
    world = await createBrowserWorld({
      env: { UNKNOWN_ACCOUNT: 'reveal', CODE_RESEND_SECONDS: '60', CODE_MAX_TRIES: '1' },
    });
  });

  test('an unknown identifier gets no code: a dialog offers to register it', async () => {
    const page = await openLogin();
    await page.locator('#identifier').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Account does not exist' });
    expect(await dialog.textContent()).toContain('This account is not registered yet.');
    await dialog.getByRole('button', { name: 'Register Now' }).click();
    await page.waitForURL('**/register?**');
    expect(await page.locator('#identifier').inputValue()).toBe('nobody@example.com');
    // Not the heading, which the closing dialog left free first.
    await page.locator('#identifier:focus').waitFor();
    expect(await world.messages()).toEqual([]);
    await page.context().close();
  });

  test('the registration of a new release, which takes a reload, has the identifier too', async () => {
    const page = await openLogin();
    let isGone = true;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isGone = false;
    });
    await page.route(/\/register-page-.*\.js/, (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.evaluate(() => {
      const look = () => {
        if (document.querySelector('[role=alert]')) sessionStorage.setItem('told', 'a new version');
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
    await page.locator('#identifier').fill('newcomer@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    const reload = page.waitForEvent('load');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Register Now' }).click();
    await reload;
    expect(new URL(page.url()).pathname).toBe('/register');
    await page.locator('#identifier').waitFor();
    expect(await page.locator('#identifier').inputValue()).toBe('newcomer@example.com');
    expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe(null);
    expect(world.takeFaults().filter((fault) => !fault.includes('LostPartError'))).toEqual([]);
    await page.context().close();
  });

  test('the error of a code that cannot be sent stands beside its button, with the time to wait', async () => {
    const page = await openLogin();
    const error = { code: 'rate_limited', retryAfterSeconds: 600, requestId: 'r' };
    await page.route('**/api/codes', (route) => route.fulfill({ status: 429, json: { error } }));
    await page.locator('#identifier').fill('lena@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    const field = page.locator('[data-field]', { has: page.locator('#code') });
    await field.getByRole('alert').getByText('Try again in 10 minutes').waitFor();
    expect(await page.locator('#identifier').inputValue()).toBe('lena@example.com');
    await page.context().close();
  });

  test('after too many passwords, the time to wait stands beside what signs in meanwhile', async () => {
    const { identifier } = await world.signUp();
    const page = await openLogin();
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.getByRole('button', { name: 'Use e-mail' }).click();
    await page.locator('#identifier').fill(identifier);
    await page.locator('#password').fill('moonlight2077');
    const told = page.getByRole('alert').filter({ hasText: 'Too many attempts. Try again in' });
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter');
        return told.count();
      })
      .toBe(1);
    expect(await told.textContent()).toContain('A verification code signs you in meanwhile.');
    await page.getByRole('tab', { name: 'Verification code' }).click();
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.locator('#code').fill(await world.codeFor(identifier, page));
    await page.waitForURL('**/index');
    await page.context().close();
  });

  test('the error of a wrong code stands once, beside its field, and moves nothing above it', async () => {
    const { identifier } = await world.signUp();
    const page = await openLogin();
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('button', { name: 'Send code' }).click();
    const { code = '' } = await world.lastMessageTo(identifier);
    const above = () =>
      page.evaluate(() => {
        const topOf = (selector: string) =>
          document.querySelector(selector)?.getBoundingClientRect().top ?? 0;
        return topOf('#code') - topOf('h1');
      });
    await page.getByRole('button', { name: /Resend in \d+ s/ }).waitFor();
    const before = await above();
    await page.locator('#code').fill(otherCode(code));
    const told = page.getByText('Verification code you entered is incorrect');
    await told.first().waitFor();
    expect(await told.count()).toBe(1);
    const field = page.locator('[data-field]', { has: page.locator('#code') });
    await field.getByRole('alert').getByText('Verification code you entered is incorrect').waitFor();
    expect(await above()).toBe(before);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('code');
    expect(await page.title()).toBe('Error: Sign in - Aurelia');
    await page.context().close();
  });

  test('a cookie that says nothing else keeps the way of signing in across a sign-out', async () => {
    const { identifier } = await world.signUp();
    const page = await openLogin();
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.getByRole('button', { name: 'Use e-mail' }).click();
    await page.locator('#identifier').fill(identifier);
    await page.locator('#password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/index');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('**/login?**');
    await page.getByRole('tab', { name: 'Password', selected: true }).waitFor();
    await page.locator('input[type=email]').waitFor();
    const kept = (await page.context().cookies()).find(({ name }) => name === 'sign_in_by');
    expect(kept?.value).toBe('password.email');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.context().close();
  });

  test('who registered by e-mail is asked for the e-mail at the next sign-in', async () => {
    const page = await world.openPage();
    await page.goto(`${world.origin}/register`);
    await page.locator('#identifier').fill('kept@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.locator('#code').fill(await world.codeFor('kept@example.com', page));
    await page.locator('#password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Agree and Register' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL('**/login?**');
    await page.getByLabel('E-mail', { exact: true }).waitFor();
    await page.context().close();
  });

  test('the countdown to the next code survives a reload, and so does the identifier', async () => {
    const { identifier } = await world.signUp();
    const page = await openLogin();
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('button', { name: 'Send code' }).click();
    const countdown = page.getByRole('button', { name: /Resend in \d+ s/ });
    const seconds = Number(/\d+/.exec((await countdown.textContent()) ?? '')?.[0]);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(seconds).toBeGreaterThan(50);
    await page.reload();
    await page.getByRole('button', { name: /Resend in \d+ s/ }).waitFor();
    expect(await page.locator('#identifier').inputValue()).toBe(identifier);
    await page.context().close();
  });

  test('Enter in the identifier sends the code; the button, and Enter once it was sent, ask for it', async () => {
    const { identifier } = await world.signUp();
    const page = await openLogin();
    await page.getByRole('button', { name: 'Use e-mail' }).click();
    await page.keyboard.type(identifier);
    expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe(identifier);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('Verification code cannot be blank').waitFor();
    await page.getByLabel('E-mail', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Resend in \d+ s/ }).waitFor();
    await page.locator('#code:focus').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Verification code cannot be blank').waitFor();
    await page.keyboard.type(await world.codeFor(identifier, page));
    await page.waitForURL('**/index');
    await page.context().close();
  });

  test('no hint calls a spent code valid', async () => {
    const { identifier } = await world.signUp();
    const page = await openLogin();
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('Valid for 5 min').waitFor();
    const code = page.locator('#code');
    const right = await world.codeFor(identifier, page);
    await code.fill(right === '000000' ? '000001' : '000000');
    await page.getByText('Verification code you entered is incorrect').first().waitFor();
    // Other digits submit by themselves again.
    await code.fill(right);
    await page.getByText('Too many attempts with this code').first().waitFor();
    expect(await page.getByText('Valid for').count()).toBe(0);
    // The same holds after a reload during the countdown.
    await page.reload();
    await page.getByRole('button', { name: /Resend in \d+ s/ }).waitFor();
    expect(await page.getByText('Valid for').count()).toBe(0);
    await page.context().close();
  });

  test('a sign-in finished in another tab leads to the page that says so, and on', async () => {
    const { identifier } = await world.signUp();
    const page = await world.openPage();
    await page.goto(world.playground.url);
    await page.getByTestId('sign-in').click();
    await page.locator('#identifier').waitFor();
    await finishElsewhere(page, identifier);
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.locator('#password').fill(PASSWORD);
    const ended = page.waitForResponse((response) => response.url().endsWith('?ended'));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect((await ended).status()).toBe(410);
    await page.getByRole('heading', { level: 1, name: 'This sign-in is already done' }).waitFor();
    const back = page.getByRole('link', { name: 'Back to Playground' });
    expect(await back.getAttribute('href')).toContain(world.playground.url);
    // Back skips the form of the finished sign-in.
    await page.goBack();
    await page.waitForURL(`${world.playground.url}/**`);
    await page.context().close();
  });

  test('an unknown sign-in leads to the page of an expired sign-in', async () => {
    const page = await world.openPage();
    await page.goto(`${world.origin}/login?interaction=gone`);
    await page.getByRole('heading', { level: 1, name: 'This sign-in has expired' }).waitFor();
    expect(page.url()).toBe(`${world.origin}/interaction/gone?ended`);
    await page.getByText('Reference').waitFor();
    // No app is known to lead back to.
    await page.getByText('If you came from an app, go back to it and start there.').waitFor();
    await page.context().close();
  });
});
