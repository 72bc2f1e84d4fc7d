import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { givePasskey } from '../support/passkeys.ts';
import { turnOnTotp } from '../support/totp.ts';
import { PASSWORD } from '../support/world.ts';

const MANY_STOPS = 30;

/** The accessible name or the text of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
    return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
  });

/** Presses Tab until an element with this name has the focus. */
const tabTo = async (page: Page, name: string | RegExp, key = 'Tab'): Promise<void> => {
  const passed: string[] = [];
  for (let stop = 0; stop < MANY_STOPS; stop += 1) {
    const here = await focused(page);
    if (typeof name === 'string' ? here === name : name.test(here)) {
      expect(await isSeen(page), `the focus on ${here} is seen`).toBe(true);
      return;
    }
    passed.push(here);
    await page.keyboard.press(key);
  }
  throw new Error(`the keyboard does not reach ${name}; it passed ${passed.join(' | ')}`);
};

/** The focused element is on screen, on top, and drawn as focused (WCAG 2.4.7 and 2.4.11). */
const isSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element) return false;
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    const box = element.closest('[data-field] > div') ?? element;
    const drawn = [element, box].some((one) => {
      const style = getComputedStyle(one);
      return style.boxShadow !== 'none' || (style.outlineStyle !== 'none' && style.outlineWidth !== '0px');
    });
    return drawn && top !== null && (element.contains(top) || top.contains(element));
  });

const type = (page: Page, text: string) => page.keyboard.type(text);
const enter = (page: Page) => page.keyboard.press('Enter');

describe('with the keyboard alone, in Chromium', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await createBrowserWorld();
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  test('a person registers, past a refused password', async () => {
    const page = await world.openPage();
    await page.goto(`${world.origin}/register`);
    await heading(page, 'Register');
    expect(await focused(page)).toBe('Phone number');
    // A letter turns the field into one for e-mail.
    await type(page, 'keys@example.com');
    await enter(page);
    await heading(page, 'Enter the code');
    expect(await focused(page)).toBe('Verification code');
    await type(page, await world.codeFor('keys@example.com', page));
    await heading(page, 'Choose a password');
    expect(await focused(page)).toBe('Password');
    await type(page, 'password123');
    await enter(page);
    await page.getByRole('dialog').waitFor();
    // As in a busy browser, React draws some frames late: the dialog closes after the focus was asked for.
    await page.evaluate(() => {
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (message: unknown) {
        setTimeout(() => postMessage.call(this, message), 100);
      };
    });
    await tabTo(page, 'Agree and Register');
    await enter(page);
    await page.getByText('This password is easy to guess').first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Password');
    await page.keyboard.press('ControlOrMeta+A');
    await type(page, PASSWORD);
    await enter(page);
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Agree and Register');
    await enter(page);
    await page.waitForURL('**/index');
    await page.context().close();
  });

  test('a person signs in, past a wrong password', async () => {
    const { identifier } = await world.signUp();
    const page = await world.openPage();
    await page.goto(`${world.origin}/login`);
    await heading(page, 'Sign in');
    expect(await focused(page)).toBe('Phone number');
    await tabTo(page, /^Verification code$/, 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'Phone number');
    await type(page, identifier);
    await tabTo(page, 'Password');
    await type(page, 'wrong7777');
    await enter(page);
    await page.getByRole('alert').waitFor();
    // One fault is told once, at its field, which has the focus.
    expect(await page.getByText(/password is wrong/).count()).toBe(1);
    expect(await focused(page)).toBe('Password');
    await page.keyboard.press('ControlOrMeta+A');
    await type(page, PASSWORD);
    await tabTo(page, 'Sign in');
    await enter(page);
    await page.waitForURL('**/index');
    await page.context().close();
  });

  test('a person who forgot the password sets a new one', async () => {
    const { agent, identifier } = await world.signUp();
    const { rp } = await world.registerApp({ client_name: 'Home Hub' });
    await world.link(agent, rp);
    const page = await world.openPage();
    await page.goto(`${world.origin}/login`);
    await heading(page, 'Sign in');
    await tabTo(page, 'Phone number');
    await type(page, identifier);
    await tabTo(page, 'Forgot password?');
    await enter(page);
    await heading(page, 'Find back password');
    // The next page has the typed identifier.
    await tabTo(page, 'Send code');
    await enter(page);
    await heading(page, 'Enter the code');
    expect(await focused(page)).toBe('Verification code');
    await type(page, await world.codeFor(identifier, page));
    await heading(page, 'Choose a new password');
    expect(await focused(page)).toBe('New password');
    await type(page, 'sunrise2077');
    await tabTo(page, 'Repeat the new password');
    await type(page, 'sunrise2077');
    await tabTo(page, 'Also remove access for these apps');
    await page.keyboard.press('Space');
    await tabTo(page, 'Change password');
    await enter(page);
    await page.getByText('Password changed. Sign in with the new one.').first().waitFor();
    // The form knows the identifier already.
    expect(await focused(page)).toBe('Password');
    await type(page, 'sunrise2077');
    await enter(page);
    await page.waitForURL('**/index');
    await page.context().close();
  });

  test('a person passes the second step, past a wrong code and another way', async () => {
    const { agent, identifier } = await world.signUp();
    await givePasskey(agent, world.origin);
    const { recoveryCodes } = await turnOnTotp(agent);
    const page = await world.openPage();
    await page.goto(`${world.origin}/login`);
    await heading(page, 'Sign in');
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.locator('#identifier').fill(identifier);
    await page.locator('#password').fill(PASSWORD);
    await enter(page);
    await heading(page, 'Second step');
    await expect.poll(() => focused(page)).toBe('Verification code');
    await type(page, '000000');
    await page.getByRole('alert').getByText('This code is not correct').waitFor();
    expect(await focused(page)).toBe('Verification code');

    await tabTo(page, 'Do not ask in this browser for 30 days');
    await tabTo(page, 'Continue');
    await tabTo(page, 'Use a passkey');
    await enter(page);
    await expect.poll(() => focused(page)).toMatch(/^Use your passkey/);
    await tabTo(page, 'Use a recovery code');
    await enter(page);
    await expect.poll(() => focused(page)).toBe('Recovery code');
    await tabTo(page, 'I have none of these');
    await enter(page);
    await tabTo(page, 'Set a new password');
    await page.locator('#second-factor').focus();
    await type(page, recoveryCodes[0] ?? '');
    await enter(page);
    await page.waitForURL('**/index');
    await page.context().close();
  });
});
