import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bind, nextPhone, undoTokenTo } from '../api/settings.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { givePasskey } from '../support/passkeys.ts';
import { turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import { accountOf, createSettingsVerbs, press, row, type SettingsVerbs } from './settings-verbs.ts';

const STEP_UP_MS = 11 * 60_000;

describe('getting an account back, in Chromium', () => {
  let world: BrowserWorld;
  let verbs: SettingsVerbs;
  /** The lead of the server's clock. With it, a sign-in no longer counts as a step-up. */
  let aheadMs = 0;
  beforeAll(async () => {
    world = await createBrowserWorld({ now: () => new Date(Date.now() + aheadMs) });
    verbs = createSettingsVerbs(world);
  });
  afterAll(() => world.close());
  beforeEach(() => {
    aheadMs = 0;
  });
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const signUp = async () => {
    const { agent, identifier: email } = await world.signUp();
    const phone = nextPhone();
    await bind(world, agent, 'phone', phone);
    return { agent, email, phone };
  };
  const signInByCode = async (identifier: string): Promise<UserAgent> => {
    const agent = world.browser();
    const { url } = await agent.navigate('/login');
    const code = await world.receiveCode(agent, identifier, 'login');
    const uid = world.interactionOf(url);
    const answer = await agent.post(`/interaction/${uid}/login`, { identifier, code });
    await agent.navigate(answer.json().returnTo);
    return agent;
  };
  const proof = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is yours' });
  const wait = (page: Page) => page.getByRole('alertdialog', { name: 'Wait 72 hours' });
  const unbind = async (page: Page) => {
    await press(page, 'Unbind', 'E-mail');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unbind' }).click();
  };

  test('recovery shows the phone and the passkey that somebody added, and removes them when asked', async () => {
    const { email, phone, agent: own } = await signUp();
    await givePasskey(own, world.origin);
    const page = await world.openPage();
    await page.goto(`${world.origin}/findbackPWD`);
    await page.locator('#identifier').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Verification code').fill(await world.codeFor(email, page));
    const others = page.getByRole('region', { name: 'Other ways to sign in to this account' });
    expect(await others.textContent()).toContain(maskIdentifier(phone));
    expect(await others.textContent()).toContain('added');
    expect(await others.textContent()).toContain('Passkey “Chrome, Windows”');
    for (const drop of ['Not mine: remove this phone number', 'Not mine: remove this passkey']) {
      const box = others.getByRole('checkbox', { name: drop });
      expect(await box.isChecked()).toBe(false);
      await box.check();
    }
    await page.getByLabel('New password', { exact: true }).fill('sunrise2077');
    await page.getByLabel('Repeat the new password').fill('sunrise2077');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.waitForURL('**/login?interaction=**');
    const agent = await signInByCode(email);
    expect(await accountOf(agent)).not.toHaveProperty('phone');
    expect((await agent.get('/api/passkeys')).json().items).toEqual([]);
    await page.context().close();
  });

  test('an e-mail older than the identifier of the sign-in is removed by a code to itself', async () => {
    const { email, phone } = await signUp();
    const agent = await signInByCode(phone);
    const page = await verbs.openSettings(agent);
    await unbind(page);
    await proof(page).getByText(`We send the code to ${email}.`).waitFor();
    await proof(page).getByRole('button', { name: 'Send code' }).click();
    await proof(page).getByText('Valid for').waitFor();
    await proof(page)
      .getByLabel('Verification code')
      .fill(await world.codeFor(email, page));
    await row(page, 'E-mail').getByText('Not bound').waitFor();
    expect(await accountOf(agent)).not.toHaveProperty('email');
    await page.context().close();
  });

  test('without codes to the e-mail the change waits: the page shows and cancels it', async () => {
    const { phone } = await signUp();
    const agent = await signInByCode(phone);
    const page = await verbs.openSettings(agent);
    await unbind(page);
    await proof(page).getByRole('button', { name: 'I cannot receive codes there' }).click();
    expect(await wait(page).textContent()).not.toMatch(/[{}]/);
    await wait(page).getByRole('button', { name: 'Cancel' }).click();
    expect(await accountOf(agent)).not.toHaveProperty('changes');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unbind' }).click();
    await proof(page).getByRole('button', { name: 'I cannot receive codes there' }).click();
    await wait(page).getByRole('button', { name: 'Wait 72 hours' }).click();
    await row(page, 'E-mail').getByText('Will be removed in 3 days').waitFor();
    expect((await accountOf(agent)).changes).toHaveLength(1);
    await press(page, 'Cancel', 'E-mail');
    await row(page, 'E-mail').getByText('Will be removed').waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('It stays as it is').waitFor();
    expect(await accountOf(agent)).not.toHaveProperty('changes');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Change: E-mail');
    await page.context().close();
  });

  test('a person who cannot receive codes but has the old password need not wait', async () => {
    const { agent, email } = await signUp();
    const page = await verbs.openSettings(agent);
    aheadMs = STEP_UP_MS;
    await unbind(page);
    await proof(page).getByRole('button', { name: 'I cannot receive codes there' }).click();
    const password = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await password.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await row(page, 'E-mail').getByText('Not bound').waitFor();
    expect(await undoTokenTo(world, email)).toHaveLength(43);
    await page.context().close();
  });

  test('the replacement of an e-mail that gets no codes waits', async () => {
    const { email, phone } = await signUp();
    const agent = await signInByCode(phone);
    const page = await verbs.openSettings(agent);
    await press(page, 'Change', 'E-mail');
    await verbs.sendCodeTo(page, 'E-mail', `new-${email}`);
    await page
      .getByRole('dialog')
      .getByLabel('Verification code')
      .fill(await world.codeFor(`new-${email}`, page));
    await proof(page).getByRole('button', { name: 'I cannot receive codes there' }).click();
    await wait(page).getByRole('button', { name: 'Wait 72 hours' }).click();
    await row(page, 'E-mail').getByText(`Changes to new-${email} in 3 days`).waitFor();
    expect(await accountOf(agent)).toMatchObject({ email, changes: [{ identifier: `new-${email}` }] });
    await page.context().close();
  });

  test('the link in a notice of something that waits says when it happens', async () => {
    const { agent, email } = await signUp();
    await turnOnTotp(agent);
    const lost = world.browser();
    const code = await world.receiveCode(lost, email, 'recover');
    const { ticket } = (await lost.post('/api/recovery/verify', { identifier: email, code })).json();
    const { dueAt } = (await lost.post('/api/recovery/wait', { ticket })).json();
    const page = await world.openPage();
    await page.goto(`${world.origin}/undo#${await undoTokenTo(world, email)}`);
    const wasMe = page.getByText('If it was you, close this page.');
    await wasMe.waitFor();
    expect(await wasMe.locator('time').getAttribute('datetime')).toBe(dueAt);
    expect(await wasMe.textContent()).toContain(`a code sent to ${email[0]}•••@example.com`);
    await page.context().close();
  });

  test('the link in a notice says what it undoes, does it once, and leads to a new password', async () => {
    const { email } = await signUp();
    const { agent: intruder } = await world.signIn(email);
    expect((await intruder.delete('/api/account/email')).status).toBe(204);
    const link = `${world.origin}/undo#${await undoTokenTo(world, email)}`;
    const page = await world.openPage();
    await page.goto(link);
    await page
      .getByText(`The e-mail address ${email[0]}•••@example.com was removed from your account just now.`)
      .waitFor();
    expect(await page.title()).toBe('Undo a change - Aurelia');
    await page.getByText('If it was you, close this page: nothing will change.').waitFor();
    // Opening the link undoes nothing, because mail programs open links before people do.
    expect((await intruder.get('/api/account')).status).toBe(200);
    await page.getByRole('button', { name: 'Undo the change' }).click();
    await page.getByRole('heading', { name: 'The change was undone' }).waitFor();
    expect((await intruder.get('/api/account')).status).toBe(401);
    await page.getByRole('link', { name: 'Choose a new password' }).click();
    await page.getByRole('heading', { name: 'Find back password' }).waitFor();
    expect(await page.locator('#identifier').inputValue()).toBe(email);

    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await page.getByRole('link', { name: 'Choose a new password' }).click();
    await page.getByRole('heading', { name: 'Find back password' }).waitFor();
    await page.context().close();
  });

  test('a failed request for the change of a link is tried again', async () => {
    const page = await world.openPage();
    const error = { code: 'unavailable', requestId: 'r' };
    await page.route('**/api/undo/look', (route) => route.fulfill({ status: 503, json: { error } }));
    await page.goto(`${world.origin}/undo#x`);
    await page.getByText('This link could not be checked').waitFor();
    await page.unroute('**/api/undo/look');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
    await page.context().close();
  });

  test('a person who signs out can make this browser forget the account', async () => {
    const { agent, identifier } = await world.signUp();
    const chips = (page: Page) => page.locator('[data-account]');
    for (const forget of [false, true]) {
      const person = forget ? (await world.signIn(identifier, agent)).agent : agent;
      const page = await verbs.openSettings(person);
      const box = page.getByRole('checkbox', { name: 'Also forget me in this browser' });
      expect(await box.isChecked()).toBe(false);
      if (forget) await box.check();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL('**/login?**');
      await page.locator('#identifier').waitFor();
      expect(await chips(page).count()).toBe(forget ? 0 : 1);
      if (!forget) expect(await chips(page).textContent()).toContain(identifier);
      await page.context().close();
    }
  });
});
