import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { signInAs } from './stage.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('what happened to an account, in Chromium', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await createBrowserWorld();
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const intrude = async () => {
    const owner = await world.signUp();
    const intruder = world.browser({ userAgent: FIREFOX, headers: { 'time-zone': 'Asia/Shanghai' } });
    await world.signIn(owner.identifier, intruder);
    return { ...owner, intruder };
  };
  const isSignedIn = async (agent: UserAgent) => (await agent.get('/api/account')).status === 200;

  test('AC5: “this wasn’t me” leads through signing out, a new password and what was touched', async () => {
    const { agent, intruder } = await intrude();
    const { rp } = await world.registerApp();
    await world.link(intruder, rp);
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/index`);
    await page.getByRole('link', { name: /^Activity/ }).click();
    await page.getByRole('heading', { name: 'Account activity' }).waitFor();
    const strange = page.locator('[data-record]').filter({ hasText: 'from a new browser' });
    expect(await strange.textContent()).toContain('Firefox 140 on Linux');
    expect(await strange.textContent()).toContain('China Standard Time');
    expect(await page.getByText('This browser', { exact: true }).count()).toBeGreaterThan(0);

    await strange.getByRole('button', { name: /^This wasn’t me/ }).click();
    // As in a busy browser, React draws some frames late: the dialog closes after the focus was asked for.
    await page.evaluate(() => {
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (message: unknown) {
        setTimeout(() => postMessage.call(this, message), 100);
      };
    });
    await page.getByRole('alertdialog').getByRole('button', { name: 'It was not me' }).click();
    const steps = page.getByRole('region', { name: 'Take your account back' });
    await steps.getByText('That browser is signed out.').waitFor();
    await steps.getByText('Example App got access').waitFor();
    expect(await isSignedIn(intruder)).toBe(false);
    await page.waitForFunction(() => document.activeElement?.id === 'take-back');
    await steps.getByRole('link', { name: 'Set a new password' }).click();
    await page.getByRole('dialog', { name: /password/ }).waitFor();
  });

  test('a group shows what is of it', async () => {
    const { agent } = await world.signUp();
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/activity`);
    await page.getByText('Account created').waitFor();
    await page.getByText('Apps', { exact: true }).click();
    await page.getByText('Nothing of this kind happened in the last 180 days.').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Account created').waitFor();
  });

  test('AC6: the link in the notice ends the session without a sign-in, and leads to a new password', async () => {
    const { agent, intruder, identifier } = await intrude();
    await world.tellSignIns();
    const { text } = await world.lastMessageTo(identifier);
    const [path = ''] = /\/not-me#[\w-]+/.exec(text) ?? [];
    const page = await world.openPage();
    await page.goto(`${world.origin}${path}`);
    await page.getByRole('heading', { name: 'Was this someone else?' }).waitFor();
    expect(await page.locator('main').textContent()).toContain('Firefox 140 on Linux');
    expect(await isSignedIn(intruder)).toBe(true);
    await page.getByRole('button', { name: 'It was not me: sign it out' }).click();
    await page.getByRole('heading', { name: 'That browser is signed out' }).waitFor();
    expect([await isSignedIn(intruder), await isSignedIn(agent)]).toEqual([false, true]);
    await page.getByRole('link', { name: 'Set a new password' }).click();
    await page.waitForURL('**/findbackPWD');
    await page.goto('about:blank');
    await page.goto(`${world.origin}${path}`);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });
});
