import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { addAuthenticator } from '../support/virtual-authenticator.ts';
import { freePort, PASSWORD } from '../support/world.ts';
import { createSettingsVerbs, done, focusedName, press, row, type SettingsVerbs } from './settings-verbs.ts';
import { signInAs } from './stage.ts';

const passkeysOf = async (agent: UserAgent) => (await agent.get('/api/passkeys')).json().items;
const waysOf = async (agent: UserAgent) => (await agent.get('/api/ways')).json();

const dialog = (page: Page) => page.getByRole('dialog');
const question = (page: Page) => page.getByRole('alertdialog');

/** Opens the dialog that adds a passkey, and goes on to the browser's question. */
const beginPasskey = async (page: Page): Promise<void> => {
  await press(page, 'Add', 'Passkeys');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
};

const addPasskey = async (page: Page, name: string): Promise<void> => {
  await beginPasskey(page);
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await row(page, 'Passkeys').getByText(name, { exact: true }).waitFor();
};

describe('the ways to sign in, in Chromium', () => {
  const file = join(tmpdir(), `ways-e2e-${process.pid}.json`);
  let world: BrowserWorld;
  let verbs: SettingsVerbs;
  let borealis: string;
  beforeAll(async () => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    borealis = `http://borealis.localhost:${port}`;
    await writeFile(
      file,
      JSON.stringify([
        { id: 'aurelia', origin },
        { id: 'borealis', origin: borealis },
      ]),
    );
    world = await createBrowserWorld({ env: { PORT: String(port), PUBLIC_URL: origin, BRANDS_FILE: file } });
    verbs = createSettingsVerbs(world);
  });
  afterAll(async () => {
    await world.close();
    await rm(file, { force: true });
  });
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  describe('passkeys', () => {
    test('one of the device is added, named, renamed and removed', async () => {
      const { agent, page } = await verbs.signUp();
      const device = await addAuthenticator(page);
      await row(page, 'Passkeys').getByText('None yet.').waitFor();
      await beginPasskey(page);
      const name = dialog(page).getByLabel('Name');
      // The server suggests a name: with it the person is done.
      expect(await name.inputValue()).toMatch(/Chrome/);
      await name.fill('  ');
      await page.keyboard.press('Enter');
      await page.getByText('Choose another name').waitFor();
      await name.fill('Work laptop');
      await page.keyboard.press('Enter');
      await done(page);
      await row(page, 'Passkeys').getByText('Work laptop', { exact: true }).waitFor();
      await row(page, 'Passkeys').getByText('Synced between devices').waitFor();
      await row(page, 'Passkeys').getByText('Not used yet').waitFor();
      await expect.poll(() => focusedName(page)).toBe('Add: Passkeys');
      expect(await device.credentials()).toHaveLength(1);
      expect(await passkeysOf(agent)).toMatchObject([{ name: 'Work laptop', synced: true }]);

      await press(page, 'Rename', 'Work laptop');
      await dialog(page).getByLabel('Name').fill('Ноутбук 💡');
      await page.keyboard.press('Enter');
      await row(page, 'Passkeys').getByText('Ноутбук 💡', { exact: true }).waitFor();
      expect(await passkeysOf(agent)).toMatchObject([{ name: 'Ноутбук 💡' }]);

      await press(page, 'Remove', 'Ноутбук 💡');
      await question(page).getByRole('button', { name: 'Cancel' }).click();
      expect(await passkeysOf(agent)).toHaveLength(1);
      await press(page, 'Remove', 'Ноутбук 💡');
      await question(page).getByRole('button', { name: 'Remove passkey' }).click();
      await row(page, 'Passkeys').getByText('None yet.').waitFor();
      await expect.poll(() => focusedName(page)).toBe('Add: Passkeys');
      expect(await passkeysOf(agent)).toEqual([]);
      // The browser has told the device that it opens nothing any more.
      await expect.poll(device.credentials).toEqual([]);
      await page.context().close();
    });

    test('one of a security key stays on it; the key has one passkey for the account', async () => {
      const { agent, page } = await verbs.signUp();
      const key = await addAuthenticator(page, 'security-key');
      await addPasskey(page, 'Key on my ring');
      await row(page, 'Passkeys').getByText('Only on one device').waitFor();
      await beginPasskey(page);
      await dialog(page).getByText('This passkey is already in your account').waitFor();
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      expect(await key.credentials()).toHaveLength(1);
      expect(await passkeysOf(agent)).toMatchObject([{ name: 'Key on my ring', synced: false }]);
      await page.context().close();
    });

    test('a key that cannot check who uses it is refused in words, and another one does', async () => {
      const { agent, page } = await verbs.signUp();
      const weak = await addAuthenticator(page, 'without-verification');
      await beginPasskey(page);
      await dialog(page).getByRole('status').getByText('must check your fingerprint, face or PIN').waitFor();
      expect(await dialog(page).getByRole('alert').count()).toBe(0);
      expect([await weak.credentials(), await passkeysOf(agent)]).toEqual([[], []]);
      await weak.remove();
      await addAuthenticator(page);
      await dialog(page).getByRole('button', { name: 'Try again' }).click();
      await dialog(page).getByRole('button', { name: 'Done' }).click();
      await expect.poll(() => passkeysOf(agent)).toHaveLength(1);
      await page.context().close();
    });

    test('closing the dialog ends the question of the browser', async () => {
      const { agent, page } = await verbs.signUp();
      const device = await addAuthenticator(page);
      await device.touches(false);
      await beginPasskey(page);
      await dialog(page).locator('[aria-busy]').waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await device.touches(true);
      await addPasskey(page, 'Second try');
      expect(await passkeysOf(agent)).toMatchObject([{ name: 'Second try' }]);
      await page.context().close();
    });

    test('a passkey of another brand says where it works', async () => {
      const { agent, identifier, page } = await verbs.signUp();
      await addAuthenticator(page);
      await addPasskey(page, 'Aurelia laptop');
      const { agent: other } = await world.signIn(identifier, world.browser({ origin: borealis }));
      const there = await world.openPage();
      await signInAs(there.context(), other, borealis);
      await there.goto(`${borealis}/index`);
      await row(there, 'Passkeys').getByText('Works at localhost, not here').waitFor();
      await addAuthenticator(there);
      await addPasskey(there, 'Borealis laptop');
      expect(await passkeysOf(agent)).toMatchObject([
        { name: 'Borealis laptop', elsewhere: 'borealis.localhost' },
        { name: 'Aurelia laptop' },
      ]);
      await there.context().close();
      await page.context().close();
    });

    test('a browser without passkeys says where one can be added', async () => {
      const { agent } = await world.signUp();
      const page = await world.openPage();
      await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
      await signInAs(page.context(), agent, world.origin);
      await page.goto(`${world.origin}/index`);
      await row(page, 'Passkeys').getByText('This browser has no passkeys.').waitFor();
      expect(await page.getByRole('button', { name: 'Add: Passkeys' }).count()).toBe(0);
      await page.context().close();
    });
  });

  describe('the second step', () => {
    test('is turned on by an app; its recovery codes are shown once, made anew, and turned off', async () => {
      const { agent, page } = await verbs.signUp();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await press(page, 'Turn on', 'Second step');
      await dialog(page).getByRole('button', { name: 'Continue' }).click();
      await dialog(page)
        .getByRole('img', { name: /QR code/ })
        .waitFor();
      await dialog(page).getByRole('button', { name: 'Copy' }).click();
      await dialog(page).getByRole('button', { name: 'Copied' }).waitFor();
      const secret = await page.evaluate(() => navigator.clipboard.readText());
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      expect((await dialog(page).locator('code').textContent())?.replaceAll(' ', '')).toBe(secret);

      const field = dialog(page).getByLabel('Verification code');
      const right = totpCode(secret, new Date());
      await field.fill(right === '000000' ? '111111' : '000000');
      await page.getByText('The code is not right.').waitFor();
      expect((await waysOf(agent)).totp).toBeUndefined();
      await field.fill(totpCode(secret, new Date()));
      await page.keyboard.press('Enter');
      await question(page).getByText('Keep your recovery codes').waitFor();
      const codes = await question(page).locator('li').allTextContents();
      expect(new Set(codes).size).toBe(10);
      await question(page).getByRole('button', { name: 'Copy' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
      const downloading = page.waitForEvent('download');
      await question(page).getByRole('link', { name: 'Download' }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toBe('recovery-codes.txt');
      expect(await readFile(await download.path(), 'utf8')).toContain(codes.join('\n'));

      // On paper are the codes alone.
      await page.emulateMedia({ media: 'print' });
      expect(await row(page, 'Nickname').isVisible()).toBe(false);
      expect(await page.locator('[data-paper]').isVisible()).toBe(true);
      await page.emulateMedia({ media: 'screen' });

      // Escape does not lose them.
      await question(page).getByRole('button', { name: 'Print' }).focus();
      await page.keyboard.press('Escape');
      await question(page).getByText('Have you kept the codes?').waitFor();
      await question(page).getByRole('button', { name: 'Show them again' }).click();
      await question(page).getByRole('button', { name: 'I have kept them' }).click();
      await question(page).waitFor({ state: 'detached' });
      await row(page, 'Second step').getByText('10 recovery codes left').waitFor();
      expect((await waysOf(agent)).totp).toMatchObject({ recoveryCodesLeft: 10 });
      expect(await page.content()).not.toContain(codes[0]);

      // A fresh proof of the second step itself opens what follows.
      const proof = await page.evaluate(
        async (totp) =>
          (
            await fetch('/api/step-up', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ totp }),
            })
          ).status,
        totpCode(secret, new Date(), 1),
      );
      expect(proof).toBe(204);
      await press(page, 'New recovery codes', 'Second step');
      await question(page).getByRole('button', { name: 'Make new codes' }).click();
      await question(page).getByText('Keep your recovery codes').waitFor();
      const anew = await question(page).locator('li').allTextContents();
      expect(anew.filter((code) => codes.includes(code))).toEqual([]);
      await question(page).getByRole('button', { name: 'I have kept them' }).click();
      await question(page).waitFor({ state: 'detached' });

      await press(page, 'Turn off', 'Second step');
      await question(page).getByRole('button', { name: 'Turn off' }).click();
      await row(page, 'Second step')
        .getByText(/^Off\./)
        .waitFor();
      await expect.poll(() => focusedName(page)).toBe('Turn on: Second step');
      expect((await waysOf(agent)).totp).toBeUndefined();
      await page.context().close();
    });

    test('a browser that is not asked is listed, and asked again', async () => {
      const { agent, identifier } = await world.signUp();
      const { secret } = await turnOnTotp(agent);
      const other = world.browser();
      const uid = world.interactionOf((await other.navigate('/login')).url);
      await other.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
      const totp = totpCode(secret, new Date());
      const passed = await other.post(`/interaction/${uid}/second-factor`, { totp, remember: true });
      expect(passed.status).toBe(200);
      const page = await verbs.openSettings(agent);
      const list = row(page, 'Not asked for the second step');
      await list.locator('li').waitFor();
      await list.getByRole('button', { name: /^Ask again: / }).click();
      await list.waitFor({ state: 'detached' });
      expect((await agent.get('/api/trusted-browsers')).json().items).toEqual([]);
      await page.context().close();
    });
  });

  describe('the offer after a sign-in', () => {
    const signIn = async (page: Page, identifier: string) => {
      await page.goto(`${world.origin}/index`);
      await page.waitForURL('**/login?**');
      await page.getByRole('tab', { name: 'Password' }).click();
      await page.locator('#identifier').fill(identifier);
      await page.locator('#password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL('**/index');
    };
    const offer = (page: Page) => page.getByRole('region', { name: /^Sign in without a password/ });

    test('is made once, and not again to who declines it', async () => {
      const { agent, identifier } = await world.signUp();
      const page = await world.openPage();
      await addAuthenticator(page);
      await signIn(page, identifier);
      await offer(page).waitFor();
      const [notNow, add] = await Promise.all(
        ['Not now', 'Add a passkey'].map((name) => offer(page).getByRole('button', { name }).boundingBox()),
      );
      expect([notNow?.width, notNow?.height]).toEqual([add?.width, add?.height]);
      // Only the way from the sign-in has it.
      await page.reload();
      await row(page, 'Passkeys').getByText('None yet.').waitFor();
      expect(await offer(page).count()).toBe(0);

      await page.context().clearCookies();
      await signIn(page, identifier);
      await offer(page).getByRole('button', { name: 'Not now' }).click();
      await offer(page).waitFor({ state: 'detached' });
      expect((await waysOf(agent)).offerPasskey).toBe(false);
      await page.context().clearCookies();
      await signIn(page, identifier);
      await row(page, 'Passkeys').getByText('None yet.').waitFor();
      expect(await offer(page).count()).toBe(0);
      await page.context().close();
    });

    test('adds a passkey, and is gone', async () => {
      const { agent, identifier } = await world.signUp();
      const page = await world.openPage();
      await addAuthenticator(page);
      await signIn(page, identifier);
      await offer(page).getByRole('button', { name: 'Add a passkey' }).click();
      await dialog(page).getByRole('button', { name: 'Continue' }).click();
      await dialog(page).getByRole('button', { name: 'Done' }).click();
      await dialog(page).waitFor({ state: 'detached' });
      await offer(page).waitFor({ state: 'detached' });
      expect(await passkeysOf(agent)).toHaveLength(1);
      await page.context().close();
    });

    test('is not made where the device keeps no passkeys', async () => {
      const { identifier } = await world.signUp();
      const page = await world.openPage();
      await addAuthenticator(page, 'security-key');
      await signIn(page, identifier);
      await row(page, 'Passkeys').getByText('None yet.').waitFor();
      expect(await offer(page).count()).toBe(0);
      await page.context().close();
    });
  });
});
