import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { PASSWORD } from '../support/world.ts';
import {
  accountOf,
  createSettingsVerbs,
  done,
  focusedName,
  press,
  row,
  type SettingsVerbs,
} from './settings-verbs.ts';

const NEW_PASSWORD = 'sunrise2077';

describe('the account settings, in Chromium', () => {
  let world: BrowserWorld;
  let verbs: SettingsVerbs;
  beforeAll(async () => {
    world = await createBrowserWorld();
    verbs = createSettingsVerbs(world);
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  describe('the nickname', () => {
    test('is on screen before the server has answered, and the focus is back on its row', async () => {
      const { agent, page } = await verbs.signUp();
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/api/account', async (route) => {
        if (route.request().method() === 'PATCH') await held;
        await route.continue();
      });
      await press(page, 'Change', 'Nickname');
      await page.getByRole('dialog').getByLabel('Nickname').fill('Лена 💡');
      await page.keyboard.press('Enter');
      await row(page, 'Nickname').getByText('Лена 💡').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Лена 💡' }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => focusedName(page)).toBe('Change: Nickname');
      expect((await accountOf(agent)).nickname).not.toBe('Лена 💡');
      release();
      await done(page);
      expect((await accountOf(agent)).nickname).toBe('Лена 💡');
      await page.context().close();
    });

    test('must not be blank, and a refused nickname comes back as it was typed', async () => {
      const { agent, page } = await verbs.signUp();
      const before = (await accountOf(agent)).nickname;
      await press(page, 'Change', 'Nickname');
      const field = page.getByRole('dialog').getByLabel('Nickname');
      await field.fill('   ');
      await page.keyboard.press('Enter');
      await page.getByText('Nickname cannot be blank').waitFor();
      let asked = 0;
      page.on('request', (request) => {
        if (request.method() === 'PATCH') asked += 1;
      });
      // A nickname that is too long is not sent: its dialog stays open.
      await field.fill('💡'.repeat(41));
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/This nickname cannot be used/).waitFor();
      expect([await field.inputValue(), asked]).toEqual(['💡'.repeat(41), 0]);
      await field.fill('Hall\u2800');
      const refused = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('button', { name: 'Save' }).click();
      await refused;
      await page.getByText(/This nickname cannot be used/).waitFor();
      expect(await field.inputValue()).toBe('Hall\u2800');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await row(page, 'Nickname').getByText(before).waitFor();
      expect((await accountOf(agent)).nickname).toBe(before);
      await page.context().close();
    });

    test('is kept across a sign-in after the session ended, and across a lost network', async () => {
      const { agent, identifier, page } = await verbs.signUp();
      await press(page, 'Change', 'Nickname');
      await page.getByRole('dialog').getByLabel('Nickname').fill('Lamp of the hall');
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').getByText('We cannot be reached.').waitFor();
      expect(await page.getByRole('dialog').getByLabel('Nickname').inputValue()).toBe('Lamp of the hall');
      await agent.delete('/api/sessions');
      let refusals = 0;
      const believed = page.waitForResponse((response) => {
        if (response.url().endsWith('/api/account') && response.status() === 401) refusals += 1;
        return refusals === 2;
      });
      await page.context().setOffline(false);
      // After two refusals the page knows that the session is lost, and leaves only after the submit.
      await believed;
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL('**/login?**');
      await page.getByRole('tab', { name: 'Password' }).click();
      const identifierField = page.locator('#identifier');
      if (!(await identifierField.inputValue())) await identifierField.fill(identifier);
      await page.locator('#password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL('**/index');
      expect(await page.getByRole('dialog').getByLabel('Nickname').inputValue()).toBe('Lamp of the hall');
      await page.getByRole('button', { name: 'Save' }).click();
      await done(page);
      await page.context().close();
    });
  });

  describe('phone and e-mail', () => {
    test('a phone is bound, past a wrong code; then the e-mail can be unbound', async () => {
      const { agent, identifier, page } = await verbs.signUp();
      await press(page, 'Bind', 'Phone number');
      await verbs.sendCodeTo(page, 'Phone number', '+86 138 0013 8111');
      const code = page.getByRole('dialog').getByLabel('Verification code');
      const right = await world.codeFor('+8613800138111', page);
      await code.fill(right === '000000' ? '000001' : '000000');
      await page.getByText('Verification code you entered is incorrect').waitFor();
      await code.fill(right);
      await done(page);
      // The new number is shown in full at first, and masked later.
      await row(page, 'Phone number').getByText('+86 138 0013 8111').waitFor();
      await expect.poll(() => focusedName(page)).toBe('Change: Phone number');
      expect((await accountOf(agent)).phone).toBe('+8613800138111');

      await press(page, 'Unbind', 'E-mail');
      const question = page.getByRole('alertdialog');
      expect(await question.textContent()).toContain(identifier);
      await question.getByRole('button', { name: 'Unbind' }).click();
      await row(page, 'E-mail').getByText('Not bound').waitFor();
      await expect.poll(() => focusedName(page)).toBe('Bind: E-mail');
      expect((await accountOf(agent)).email).toBeUndefined();
      await page.reload();
      await row(page, 'Phone number').getByText('+86 138 •••• 8111').waitFor();
      await page.context().close();
    });

    test('an e-mail is changed only once the new e-mail is proven', async () => {
      const { agent, identifier, page } = await verbs.signUp();
      await press(page, 'Change', 'E-mail');
      await page.getByRole('dialog').getByText(`${identifier} stays bound`).waitFor();
      await page.getByRole('button', { name: 'Send code' }).click();
      await page.getByText('E-mail cannot be blank').waitFor();
      await verbs.sendCodeTo(page, 'E-mail', `new-${identifier}`);
      // Back keeps the typed address, and the sent code still works.
      await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click();
      expect(await page.getByRole('dialog').getByLabel('E-mail').inputValue()).toBe(`new-${identifier}`);
      await page.locator('[role=dialog] input:focus').waitFor();
      await page.keyboard.press('Escape');
      expect((await accountOf(agent)).email).toBe(identifier);
      await press(page, 'Change', 'E-mail');
      await verbs.bind(page, 'E-mail', `new-${identifier}`);
      expect((await accountOf(agent)).email).toBe(`new-${identifier}`);
      await page.context().close();
    });

    test('an identifier of another account is refused with advice, and the field takes another', async () => {
      const other = await world.signUp();
      const { agent, identifier, page } = await verbs.signUp();
      await press(page, 'Change', 'E-mail');
      await verbs.sendCodeTo(page, 'E-mail', other.identifier);
      const code = await world.codeFor(other.identifier, page);
      await page.getByRole('dialog').getByLabel('Verification code').fill(code);
      await page.getByText(/This e-mail address belongs to another account/).waitFor();
      const field = page.getByRole('dialog').getByLabel('E-mail');
      expect(await field.inputValue()).toBe(other.identifier);
      expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
      expect((await accountOf(agent)).email).toBe(identifier);
      await page.context().close();
    });

    test('the only identifier stays, and the dialog that binds another is one press away', async () => {
      const { agent, identifier, page } = await verbs.signUp();
      await press(page, 'Unbind', 'E-mail');
      await page.getByRole('dialog').getByText('This is your only way to sign in').waitFor();
      await page.getByRole('button', { name: 'Bind a phone number' }).click();
      await page.getByRole('dialog', { name: 'Bind a phone number' }).waitFor();
      await verbs.bind(page, 'Phone number', '+86 138 0013 8222', '+8613800138222');

      // Another browser removes the phone, while this page still shows it.
      await row(page, 'Phone number').getByText('8222').waitFor();
      expect((await agent.delete('/api/account/phone')).status).toBe(204);
      await press(page, 'Unbind', 'E-mail');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Unbind' }).click();
      await page.getByText('This is your only way to sign in').waitFor();
      expect((await accountOf(agent)).email).toBe(identifier);
      await page.context().close();
    });
  });

  describe('the password', () => {
    test('is changed, which signs out other browsers, and apps if the person asks', async () => {
      const { agent, identifier } = await world.signUp();
      const elsewhere = (await world.signIn(identifier)).agent;
      const { rp } = await world.registerApp({ client_name: 'Home Hub' });
      await world.link(agent, rp);
      const page = await verbs.openSettings(agent);
      await press(page, 'Change', 'Password');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Connected apps: Home Hub').waitFor();
      expect(await dialog.getByRole('link').getAttribute('href')).toBe('/tokens');
      const refusal = dialog.getByRole('alert');
      await verbs.typeNewPassword(page, 'abc');
      await page.keyboard.press('Enter');
      await refusal.getByText('Password at least 6 characters').waitFor();
      await verbs.typeNewPassword(page, NEW_PASSWORD, `${NEW_PASSWORD}0`);
      await page.keyboard.press('Enter');
      await refusal.getByText('Entered passwords differ').waitFor();
      expect(
        await dialog
          .getByLabel('Repeat the new password')
          .evaluate((input) => input === document.activeElement),
      ).toBe(true);
      // The browser accepts this password, and the server refuses it.
      await verbs.typeNewPassword(page, 'password1');
      await page.keyboard.press('Enter');
      await refusal.getByText('This password is easy to guess').waitFor();
      await verbs.typeNewPassword(page, NEW_PASSWORD);
      await dialog.getByRole('checkbox').check();
      await dialog.getByRole('button', { name: 'Save password' }).click();
      await done(page);
      expect((await elsewhere.get('/api/account')).status).toBe(401);
      expect((await agent.get('/api/account')).status).toBe(200);
      expect((await agent.get('/api/authorizations')).json().items).toEqual([]);
      await page.context().close();
    });
  });

  test('the language is saved with the account, and the page shows it at once', async () => {
    const { agent, page } = await verbs.signUp();
    await press(page, 'Change', 'Language');
    await page.getByRole('radio', { name: 'Русский' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Операция выполнена').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('ru');
    expect(await page.title()).toMatch(/^Настройки аккаунта/);
    expect((await accountOf(agent)).locale).toBe('ru');
    await page.context().close();
  });
});
