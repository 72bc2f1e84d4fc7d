import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as OTPAuth from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { addAuthenticator } from '../support/virtual-authenticator.ts';
import { freePort, PASSWORD } from '../support/world.ts';
import { createSettingsVerbs, focusedName, press, row, type SettingsVerbs } from './settings-verbs.ts';
import { signInAs } from './stage.ts';

const STEP_MS = 30_000;

describe('the ways to sign in, in Chromium', () => {
  let world: BrowserWorld;
  let verbs: SettingsVerbs;
  let aheadMs = 0;
  let borealis: string;
  const file = join(tmpdir(), `ways-e2e-${process.pid}.json`);
  beforeAll(async () => {
    const port = await freePort();
    const aurelia = `http://localhost:${port}`;
    borealis = `http://borealis.localhost:${port}`;
    const brands = [
      { id: 'aurelia', origin: aurelia },
      { id: 'borealis', origin: borealis },
    ];
    await writeFile(file, JSON.stringify(brands));
    world = await createBrowserWorld({
      now: () => new Date(Date.now() + aheadMs),
      env: { PORT: String(port), PUBLIC_URL: aurelia, BRANDS_FILE: file },
    });
    verbs = createSettingsVerbs(world);
  });
  afterAll(async () => {
    await world.close();
    await rm(file, { force: true });
  });
  afterEach(() => {
    // The engine reads the clock of the machine: a new session of a later day would be an old one.
    aheadMs = 0;
    expect(world.takeFaults()).toEqual([]);
  });

  const nameIt = async (page: Page, name: string): Promise<void> => {
    const dialog = page.getByRole('dialog', { name: 'Name of the passkey' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page, name).waitFor();
  };

  const offer = (page: Page) => page.getByRole('region', { name: 'Sign in faster next time' });

  /** Signs in to the portal by the password. */
  const signIn = async (page: Page, identifier: string): Promise<void> => {
    await page.goto(`${world.origin}/index`);
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/index');
    await row(page, 'Passkeys').waitFor();
  };

  /** Proves the oldest contact, which a first passkey takes: a password is what an intruder finds out. */
  const proveContact = async (page: Page, identifier: string): Promise<void> => {
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await question.getByRole('button', { name: 'Send code' }).click();
    // From here on, the latest message is the code of the step-up.
    await question.getByText('Valid for').waitFor();
    await question.getByLabel('Verification code').fill(await world.codeFor(identifier, page));
  };

  const passkeysOf = async (agent: UserAgent) => (await agent.get('/api/passkeys')).json().items;

  /** A person with a passkey of the device, named by the person. */
  const withPasskey = async () => {
    const person = await verbs.signUp();
    const { page } = person;
    const authenticator = await addAuthenticator(page);
    await press(page, 'Add', 'Passkeys');
    await nameIt(page, 'My phone');
    return { ...person, authenticator };
  };

  /** From the next page on, the browser offers nothing in fields: the authenticator of a test would answer at once. */
  const withoutOffers = (page: Page) =>
    page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });

  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.locator('#identifier').waitFor();
  };

  test('a passkey is added, named, signs in by the button, and is removed', async () => {
    const { page, authenticator } = await withPasskey();
    expect(await authenticator.credentials()).toHaveLength(1);
    await withoutOffers(page);
    await signOut(page);
    await page.getByRole('button', { name: /^Use a passkey/ }).click();
    await page.waitForURL('**/index');
    await row(page, 'My phone').getByText('Last used').waitFor();

    await press(page, 'Remove', 'My phone');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await row(page, 'My phone').count()).toBe(0);
    await expect.poll(() => focusedName(page)).toBe('Add: Passkeys');
    // The browser has told the device that the passkey opens nothing any more.
    await expect.poll(authenticator.credentials).toEqual([]);
    await page.context().close();
  });

  test('a device without a passkey says so at once, and the next press asks for another device', async () => {
    const { page } = await withPasskey();
    await withoutOffers(page);
    await signOut(page);
    // A browser of its own, whose device keeps none.
    const other = await world.openPage();
    await withoutOffers(other);
    const authenticator = await addAuthenticator(other);
    await other.goto(`${world.origin}/login`);
    await other.getByRole('button', { name: /^Use a passkey/ }).click();
    await other.getByRole('status').getByText('No passkey of this device was used.').waitFor();
    expect(await authenticator.credentials()).toEqual([]);
    await other.getByRole('button', { name: /^Use a passkey of another device/ }).click();
    await other.context().close();
    await page.context().close();
  });

  test('the field of the identifier offers it: whoever chooses it is signed in', async () => {
    const { page } = await withPasskey();
    await signOut(page);
    // The authenticator of the test chooses at once, as a person would in the list of the browser.
    await page.locator('#identifier').click();
    await page.waitForURL('**/index');
    await row(page, 'My phone').waitFor();
    await page.context().close();
  });

  test('a key that cannot verify who uses it is refused in words, and another device does', async () => {
    const { agent, page } = await verbs.signUp();
    const key = await addAuthenticator(page, 'without-verification');
    await press(page, 'Add', 'Passkeys');
    const note = row(page, 'Passkeys').getByRole('status');
    await note.getByText('must check your fingerprint, face or PIN').waitFor();
    // That the person may have stopped it is no error.
    expect(await row(page, 'Passkeys').getByRole('alert').count()).toBe(0);
    expect([await key.credentials(), await passkeysOf(agent)]).toEqual([[], []]);
    await key.remove();
    await addAuthenticator(page);
    await press(page, 'Add', 'Passkeys');
    await nameIt(page, 'Hall tablet');
    expect(await note.count()).toBe(0);
    await page.context().close();
  });

  test('the passkey of a security key stays on it; the key keeps one for the account; a name can be changed', async () => {
    const { agent, page } = await verbs.signUp();
    const key = await addAuthenticator(page, 'security-key');
    await press(page, 'Add', 'Passkeys');
    await nameIt(page, 'On my ring');
    await row(page, 'On my ring').getByText('Only on this one device').waitFor();
    await press(page, 'Add', 'Passkeys');
    await row(page, 'Passkeys').getByText('This passkey is already in your account').waitFor();
    expect(await key.credentials()).toHaveLength(1);
    await press(page, 'Rename', 'On my ring');
    await page.getByRole('dialog').getByLabel('Name').fill('  ');
    await page.keyboard.press('Enter');
    await page.getByText('Choose another name').waitFor();
    await nameIt(page, 'Ключ 💡');
    expect(await passkeysOf(agent)).toMatchObject([{ name: 'Ключ 💡', synced: false }]);
    await page.context().close();
  });

  test('a passkey of another brand says where it works, and an authenticator app whose account it has', async () => {
    const { agent, identifier, page } = await withPasskey();
    const { agent: other } = await world.signIn(identifier, world.browser({ origin: borealis }));
    const there = await world.openPage();
    await signInAs(there.context(), other, borealis);
    await there.goto(`${borealis}/index`);
    await row(there, 'My phone').getByText('Works only at localhost').waitFor();
    await addAuthenticator(there);
    await press(there, 'Add', 'Passkeys');
    await proveContact(there, identifier);
    await nameIt(there, 'My phone, at Borealis');
    expect(await passkeysOf(agent)).toMatchObject([
      { name: 'My phone, at Borealis', elsewhere: 'borealis.localhost' },
      { name: 'My phone' },
    ]);
    // An authenticator app lists the account under the name of the brand where it was set up.
    const starting = there.waitForResponse('**/api/totp');
    await press(there, 'Turn on', 'Second step');
    const { uri } = await (await starting).json();
    expect(OTPAuth.URI.parse(uri)).toMatchObject({ issuer: 'Borealis', label: identifier });
    await there.context().close();
    await page.context().close();
  });

  test('a browser without passkeys says where one can be added', async () => {
    const { agent } = await world.signUp();
    const page = await world.openPage();
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/index`);
    await row(page, 'Passkeys').getByText('This browser cannot create passkeys.').waitFor();
    expect(await page.getByRole('button', { name: 'Add: Passkeys' }).count()).toBe(0);
    await page.context().close();
  });

  test('the offer is made after a sign-in, once, and takes no for an answer', async () => {
    const { agent, identifier } = await world.signUp();
    const page = await world.openPage();
    await addAuthenticator(page);
    await signIn(page, identifier);
    await offer(page).waitFor();
    const looks = ['Not now', 'Add a passkey'].map((name) =>
      offer(page)
        .getByRole('button', { name })
        .evaluate((button) => {
          const { width, height } = button.getBoundingClientRect();
          return [Math.round(width), height, getComputedStyle(button).backgroundColor];
        }),
    );
    const [notNow, add] = await Promise.all(looks);
    expect(notNow).toEqual(add);
    // Only the way from the sign-in has it.
    await page.reload();
    await row(page, 'Passkeys').waitFor();
    expect(await offer(page).count()).toBe(0);

    await page.context().clearCookies();
    await signIn(page, identifier);
    await offer(page).getByRole('button', { name: 'Not now' }).click();
    await offer(page).waitFor({ state: 'detached' });
    expect((await agent.get('/api/ways')).json().offerPasskey).toBe(false);
    await page.context().clearCookies();
    await signIn(page, identifier);
    expect(await offer(page).count()).toBe(0);
    await page.context().close();
  });

  test('one comes by itself after a code to the oldest contact, and none after a password alone', async () => {
    const { agent, identifier } = await world.signUp();
    const page = await world.openPage();
    await addAuthenticator(page);
    // The authenticator of a test never makes one by itself: it is asked as by the button.
    await page.addInitScript(() => {
      const create = navigator.credentials.create.bind(navigator.credentials);
      navigator.credentials.create = ({
        mediation,
        ...asked
      }: CredentialCreationOptions & { mediation?: string } = {}) => {
        document.documentElement.dataset.mediation = mediation ?? 'none';
        return create(asked);
      };
    });
    await signIn(page, identifier);
    await offer(page).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.mediation)).toBeUndefined();
    expect(await passkeysOf(agent)).toEqual([]);
    await withoutOffers(page);
    await signOut(page);

    await page.getByRole('tab', { name: 'Verification code' }).click();
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page
      .getByText(/Code sent to/)
      .first()
      .waitFor();
    await page
      .getByLabel('Verification code', { exact: true })
      .last()
      .fill(await world.codeFor(identifier, page));
    await page.waitForURL('**/index');
    await page.getByRole('status').getByText('Passkey added').waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.mediation)).toBe('conditional');
    expect(await passkeysOf(agent)).toHaveLength(1);
    expect(await offer(page).count()).toBe(0);
    await page.context().close();
  });

  test('the offer adds a passkey; where the device keeps none there is no offer', async () => {
    const { agent, identifier } = await world.signUp();
    const page = await world.openPage();
    const key = await addAuthenticator(page, 'security-key');
    await signIn(page, identifier);
    expect(await offer(page).count()).toBe(0);
    await key.remove();
    await addAuthenticator(page);
    await page.context().clearCookies();
    await signIn(page, identifier);
    await offer(page).getByRole('button', { name: 'Add a passkey' }).click();
    await proveContact(page, identifier);
    await nameIt(page, 'Laptop');
    await offer(page).waitFor({ state: 'detached' });
    expect(await passkeysOf(agent)).toHaveLength(1);
    await page.context().close();
  });

  /** Turns the second step on, until the recovery codes are shown. Answers what the app shows, and its used code. */
  const startApp = async (page: Page) => {
    await press(page, 'Turn on', 'Second step');
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    const secret = (await dialog.locator('code').textContent()) ?? '';
    const app = new OTPAuth.TOTP({ secret: OTPAuth.Secret.fromBase32(secret.replaceAll(' ', '')) });
    const shows = () => app.generate({ timestamp: Date.now() + aheadMs });
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const used = shows();
    await dialog.getByLabel('Verification code').fill(used);
    return { shows, used };
  };

  /** Sets up an authenticator app, and keeps the recovery codes. */
  const setUpApp = async (page: Page) => {
    const app = await startApp(page);
    const kept = page.getByRole('alertdialog', { name: 'Keep your recovery codes' }).locator('li');
    await kept.first().waitFor();
    const codes = await kept.allTextContents();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'I have them' }).click();
    await row(page, 'Recovery codes').getByText('10 left').waitFor();
    return { ...app, codes };
  };

  /** Confirms by the code that the app shows in its next step. */
  const stepUpByApp = async (page: Page, shows: () => string) => {
    aheadMs += STEP_MS;
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await stepUp.getByLabel('Verification code').waitFor();
    expect(await stepUp.getByRole('button').allTextContents()).toEqual(['Cancel', 'Confirm']);
    await stepUp.getByLabel('Verification code').fill(shows());
  };

  const typePassword = async (page: Page, identifier: string) => {
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
  };

  test('an authenticator app is asked for after the password; a recovery code stands for it; a trusted browser is not asked', async () => {
    const { page, identifier } = await verbs.signUp();
    const other = await world.openPage();
    await signIn(other, identifier);
    await other.context().close();
    await page.reload();
    const devices = page.getByRole('link', { name: /^Sessions / });
    await devices.getByText('2 devices').waitFor();
    const { shows, used, codes } = await setUpApp(page);
    expect(codes).toHaveLength(10);
    // The others are signed out.
    await devices.getByText('1 device', { exact: true }).waitFor();
    await signOut(page);

    await typePassword(page, identifier);
    await page.reload();
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    const field = page.getByLabel('Verification code');
    await field.fill(used);
    await page.getByRole('alert').getByText('This code is not correct').waitFor();
    // The next digit replaces the wrong code.
    expect(
      await field.evaluate((input: HTMLInputElement) => [
        document.activeElement === input,
        input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0) === input.value,
        input.ariaInvalid ?? input.getAttribute('aria-invalid'),
      ]),
    ).toEqual([true, true, 'true']);
    aheadMs += STEP_MS;
    await page.getByLabel('Verification code').fill(shows());
    await page.waitForURL('**/index');
    await row(page, 'Second step').waitFor();
    await signOut(page);

    await typePassword(page, identifier);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill((codes[0] ?? '').toLowerCase());
    await page.getByLabel('Do not ask in this browser').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    const trusted = page.locator('[data-setting^=trusted]');
    await trusted.getByText('Not asked for the second step until').waitFor();
    await row(page, 'Recovery codes').getByText('9 left').waitFor();
    await signOut(page);

    await page.getByRole('tab', { name: 'Password' }).click();
    await page.locator('#identifier').fill(identifier);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/index');

    await trusted.getByRole('button', { name: 'Ask for the second step again' }).click();
    await trusted.waitFor({ state: 'detached' });
    await page.context().close();
  });

  /** Shows the recovery codes of a new person, in the dark, to a page that notes when it is printed. */
  const openCodes = async () => {
    const { page } = await verbs.signUp();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await startApp(page);
    const dialog = page.getByRole('alertdialog', { name: 'Keep your recovery codes' });
    await dialog.locator('li').first().waitFor();
    return { page, dialog, codes: await dialog.locator('li').allTextContents() };
  };

  test('the recovery codes are downloaded, copied and printed', async () => {
    const { page, dialog, codes } = await openCodes();
    const head = `Aurelia ${new URL(world.origin).host}`;
    const saving = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('recovery-codes-localhost.txt');
    expect(await readFile(await file.path(), 'utf8')).toBe(`${head}\n\n${codes.join('\n')}\n`);

    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));

    await dialog.getByRole('button', { name: 'Print' }).click();
    await page.locator('body[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print' });
    // In print, `allInnerTexts` has what is seen. The page is dark on the screen.
    const [paper = ''] = await page.locator('body').allInnerTexts();
    expect(paper.split(/\s*\n\s*/)).toEqual([head, ...codes]);
    const ink = dialog.locator('li').first();
    expect(await ink.evaluate((code) => getComputedStyle(code).color)).toBe('rgb(0, 0, 0)');
    await page.emulateMedia({ media: 'screen' });
    // Who copied and printed them is not asked.
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.emulateMedia({ media: 'print' });
    await row(page, 'Recovery codes').waitFor();
    await page.context().close();
  });

  test('new recovery codes are made after a question, for they end the old ones', async () => {
    const { agent, page } = await verbs.signUp();
    const { shows, codes } = await setUpApp(page);
    await press(page, 'Create new codes', 'Recovery codes');
    const question = page.getByRole('alertdialog', { name: 'Create new recovery codes?' });
    await question.getByText('The old codes stop working').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe('Create new codes: Recovery codes');

    await press(page, 'Create new codes', 'Recovery codes');
    await question.getByRole('button', { name: 'Create new codes' }).click();
    await stepUpByApp(page, shows);
    const made = page.getByRole('alertdialog', { name: 'Keep your recovery codes' }).locator('li');
    await made.first().waitFor();
    const anew = await made.allTextContents();
    expect(anew).toHaveLength(10);
    expect(anew.filter((code) => codes.includes(code))).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'I have them' }).click();
    await expect.poll(() => focusedName(page)).toBe('Create new codes: Recovery codes');
    expect((await agent.get('/api/ways')).json().totp.recoveryCodesLeft).toBe(10);
    await page.context().close();
  });

  test('an app is turned off by who has it; the password alone does not do', async () => {
    const { page } = await verbs.signUp();
    const { shows } = await setUpApp(page);
    aheadMs += 11 * 60_000;
    await press(page, 'Turn off', 'Second step');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
    await stepUpByApp(page, shows);
    await page.getByText('The second step is off').waitFor();
    await row(page, 'Second step').getByText('After the password or code').waitFor();
    await page.context().close();
  });

  test('a passkey passes the second step, and confirms a change', async () => {
    const { page, identifier } = await withPasskey();
    await setUpApp(page);
    await withoutOffers(page);
    await signOut(page);
    await typePassword(page, identifier);
    await page.getByRole('button', { name: 'Use a passkey', exact: true }).click();
    await page.getByRole('button', { name: 'Use a passkey', exact: true }).click();
    await page.waitForURL('**/index');

    aheadMs += 11 * 60_000;
    await press(page, 'Turn off', 'Second step');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
    const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await stepUp.getByRole('button', { name: 'Use a passkey' }).click();
    await stepUp.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('The second step is off').waitFor();
    await page.context().close();
  });

  test('a passkey recovers the password of an account with a second step', async () => {
    const { page, identifier } = await withPasskey();
    await setUpApp(page);
    await page.goto(`${world.origin}/findbackPWD`);
    await page.locator('#identifier').fill(identifier);
    await page.keyboard.press('Enter');
    await page.getByLabel('Verification code').fill(await world.codeFor(identifier, page));
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    await page.locator('#second-factor:focus').waitFor();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.locator('form button[type=submit]').click();
    // What the account holds is shown once the factor is proven, and before the new password.
    await page.getByRole('region', { name: 'Other ways to sign in to this account' }).waitFor();
    await page.locator('#password').fill('sunrise2077');
    await page.locator('#repeated').fill('sunrise2077');
    await page.locator('form button[type=submit]').click();
    await page.waitForURL('**/login**');
    await page.getByText('Password changed').first().waitFor();
    await page.context().close();
  });
});
