import type { Page } from 'playwright-core';
import { closeDialogs, dialogs, goTo, type Journey, refuse } from './journey.ts';

const DAY_MS = 24 * 3600 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

const laptop = {
  id: 'laptop',
  credentialId: 'bGFwdG9w',
  name: 'iCloud Keychain',
  provider: 'iCloud Keychain',
  createdAt: daysAgo(40),
  lastUsedAt: daysAgo(1),
  synced: true,
};
const key = { id: 'key', credentialId: 'a2V5', name: 'Key on my ring', createdAt: daysAgo(3), synced: false };
const copied = { ...key, id: 'old', name: 'Old key', provider: 'Authenticator', warning: 'counter' };
const elsewhere = { ...laptop, id: 'there', name: 'Borealis', elsewhere: 'borealis.example' };
const browser = {
  id: 'hall',
  current: true,
  browser: { name: 'Firefox', version: '150.0' },
  platform: 'desktop',
  os: { name: 'Linux', version: '' },
  createdAt: daysAgo(2),
  lastUsedAt: daysAgo(1),
  expiresAt: daysAgo(-28),
};

interface Ways {
  passkeys: readonly object[];
  codesLeft?: number;
}

/** Answers for the account’s ways to sign in. */
const answer = async (page: Page, { passkeys, codesLeft }: Ways): Promise<void> => {
  const totp = codesLeft === undefined ? {} : { totp: { since: daysAgo(20), recoveryCodesLeft: codesLeft } };
  const ways = { passkeys: passkeys.length, hasPassword: true, offerPasskey: passkeys.length === 0, ...totp };
  await page.route('**/api/ways', (route) => route.fulfill({ json: ways }));
  await page.route('**/api/passkeys', (route) => {
    const isPost = route.request().method() === 'POST';
    return isPost
      ? route.fulfill({ status: 201, json: key })
      : route.fulfill({ json: { items: passkeys, rpId: 'localhost' } });
  });
  await page.route('**/api/trusted-browsers', (route) => route.fulfill({ json: { items: [browser] } }));
};

/** Presses the action of a row by its place. */
const press = async (page: Page, id: string, place = 0): Promise<void> => {
  await closeDialogs(page);
  await page.locator(`[data-setting=${id}] button`).nth(place).click();
};

const open = async (page: Page, id: string, place = 0): Promise<void> => {
  await press(page, id, place);
  await dialogs(page).waitFor();
};

const confirm = (page: Page) => dialogs(page).getByRole('button').last().click();
const alert = (page: Page) => dialogs(page).locator('[role=alert], [id$=-error]').first().waitFor();

/** The browser refuses each question for a passkey. */
const refuseMaking = (page: Page, name: string) =>
  page.evaluate((errorName) => {
    navigator.credentials.create = () => Promise.reject(new DOMException('', errorName));
  }, name);

const passkeys: Journey = {
  name: 'the passkeys of the settings',
  signedIn: true,
  visit: async function* (page, stage) {
    await page.addInitScript(() => {
      sessionStorage.setItem('candela.signing-in', '1');
      PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = () => Promise.resolve(true);
    });
    await answer(page, { passkeys: [] });
    await goTo(page, stage, '/index');
    await page.locator('#passkey-offer').waitFor();
    await refuseMaking(page, 'NotAllowedError');
    await press(page, 'passkeys');
    await page.locator('[data-setting=passkeys] [role=status]').scrollIntoViewIfNeeded();
    yield 'ways-offer-and-stopped';
    await answer(page, { passkeys: [laptop, key, copied, elsewhere], codesLeft: 2 });
    await goTo(page, stage, '/index');
    await page.locator('[data-setting=trusted-hall]').scrollIntoViewIfNeeded();
    yield 'ways-many';
    await refuseMaking(page, 'ConstraintError');
    await press(page, 'passkeys');
    await page.locator('[data-setting=passkeys] [role=alert]').waitFor();
    yield 'ways-passkey-refused';
    await open(page, 'passkey-key');
    yield 'ways-passkey-rename';
    await open(page, 'passkey-key', 1);
    yield 'ways-passkey-remove';
    await refuse(page, '/api/passkeys/key', 409, 'last_way_in');
    await confirm(page);
    await alert(page);
    yield 'ways-passkey-last';
    await page.route('**/api/ways', (route) => route.fulfill({ status: 500, json: {} }));
    await goTo(page, stage, '/index');
    await page.locator('section [role=alert]').waitFor();
    yield 'ways-failed';
  },
};

const secondStep: Journey = {
  name: 'the second step of the settings',
  signedIn: true,
  visit: async function* (page, stage) {
    await answer(page, { passkeys: [] });
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const recoveryCodes = Array.from({ length: 10 }, (_, index) => `${index}K7QM-${index}XW3N`);
    await page.route('**/api/totp', (route) =>
      route.fulfill(
        route.request().method() === 'POST'
          ? { json: { secret, uri: `otpauth://totp/Aurelia:me?secret=${secret}&issuer=Aurelia` } }
          : { status: 401, json: { error: { code: 'totp_incorrect', requestId: 'r' } } },
      ),
    );
    await goTo(page, stage, '/index');
    await open(page, 'totp');
    await dialogs(page).locator('svg[role=img]').waitFor();
    yield 'ways-totp';
    await dialogs(page).locator('input').fill('123456');
    await alert(page);
    yield 'ways-totp-wrong-code';
    await page.route('**/api/totp', (route) => route.fulfill({ json: { recoveryCodes } }));
    await answer(page, { passkeys: [], codesLeft: 10 });
    await confirm(page);
    await dialogs(page).locator('li').first().waitFor();
    yield 'ways-codes';
    await confirm(page);
    await dialogs(page).locator('li').first().waitFor({ state: 'detached' });
    yield 'ways-codes-kept';
    await confirm(page);
    await dialogs(page).waitFor({ state: 'detached' });
    await open(page, 'totp');
    yield 'ways-totp-off';
    await open(page, 'recovery-codes');
    yield 'ways-codes-new';
  },
};

/** The ways to sign in, and their dialogs. */
export const waysJourneys: readonly Journey[] = [passkeys, secondStep];
