import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { askForCode, type DeviceApp, expireCodes, poll, registerDevice } from '../support/device.ts';
import { PASSWORD } from '../support/world.ts';
import { signInAs } from './stage.ts';

let world: BrowserWorld;
let device: DeviceApp;
let page: Page;
let identifier: string;
beforeAll(async () => {
  world = await createBrowserWorld();
  device = await registerDevice(world, { client_name: 'Living-room TV' });
});
afterAll(() => world.close());
beforeEach(async () => {
  page = await world.openPage();
});
afterEach(async () => {
  await page.context().close();
  expect(world.takeFaults()).toEqual([]);
});

const enter = async () => {
  const person = await world.signUp();
  ({ identifier } = person);
  await signInAs(page.context(), person.agent, world.origin);
};
const field = () => page.getByLabel('Code on your device');
const proceed = () => page.getByRole('button', { name: 'Continue' });
const armed = () => page.locator('button:not([aria-disabled])', { hasText: 'Allow' });
const heard = async (code: { device_code: string }) => (await poll(device, code)).json().error;

test('somebody who is signed out follows the address of a device, signs in, and connects it', async () => {
  ({ identifier } = await world.signUp());
  const code = await askForCode(device);
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await page.goto(code.verification_uri_complete);
  await page.getByRole('tab', { name: 'Password' }).click();
  await page.getByRole('button', { name: 'Use e-mail' }).click();
  await page.getByLabel('E-mail').fill(identifier);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await proceed().waitFor();
  expect(new URL(page.url()).pathname).toBe('/device');
  expect(await page.title()).toBe('Connect a device - Aurelia');
  expect(await field().inputValue()).toBe(code.user_code);
  expect(await page.getByText('Does your device show exactly this code?').count()).toBe(1);
  // The address alone must not confirm the code in the browser of a victim.
  expect(posts.filter((url) => url.includes('/oauth/device'))).toEqual([]);
  await proceed().click();

  await page.waitForURL('**/consent?**');
  await armed().waitFor();
  const text = await page.locator('main').textContent();
  for (const part of ['Living-room TV', 'tv.example', code.user_code, 'in front of you', identifier])
    expect(text).toContain(part);
  const [deny, allow] = await Promise.all(
    ['Deny', 'Allow'].map((name) => page.getByRole('button', { name }).boundingBox()),
  );
  expect([allow?.width, allow?.height]).toEqual([deny?.width, deny?.height]);
  expect(await heard(code)).toBe('authorization_pending');
  await armed().click();

  await page.getByRole('heading', { name: 'Your device is connected' }).waitFor();
  expect((await poll(device, code)).json().refresh_token).toBeTypeOf('string');
  await page.getByRole('link', { name: 'See authorizations' }).click();
  await page.getByText('Details').first().click();
  await page.getByText('Device Code Mode').waitFor();
});

test('a code is typed as people type, by keyboard alone', async () => {
  await enter();
  const code = await askForCode(device);
  await page.goto(code.verification_uri);
  await proceed().waitFor();
  expect(await field().evaluate((it) => it === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText('Enter the code that your device shows').last().waitFor();
  expect(await page.title()).toBe('Error: Connect a device - Aurelia');
  expect(await field().getAttribute('aria-invalid')).toBe('true');
  expect(await field().evaluate((it) => it === document.activeElement)).toBe(true);

  const letters = code.user_code.replace('-', '').toLowerCase();
  await page.keyboard.type(letters.slice(0, 5));
  await page.keyboard.press('Enter');
  await page.getByText('it has 8 letters').waitFor();
  await page.keyboard.type(letters.slice(5));
  expect(await field().inputValue()).toBe(code.user_code);
  // After a correction in the middle the caret stands behind the new letter.
  for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.type(letters.charAt(2));
  expect(await field().inputValue()).toBe(code.user_code);
  expect(await field().evaluate((it) => (it as HTMLInputElement).selectionStart)).toBe(3);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/consent?**');
});

test('a code pasted with spaces fits, and a wrong code stays for a correction', async () => {
  await enter();
  const { user_code } = await askForCode(device);
  await page.goto(`${world.origin}/device`);
  await field().fill(' bbbb bbbb ');
  await proceed().click();
  await page.getByText('There is no such code').waitFor();
  expect(await field().inputValue()).toBe('BBBB-BBBB');
  expect(await field().evaluate((it) => it === document.activeElement)).toBe(true);
  await field().fill(user_code.replace('-', ' ').toLowerCase());
  expect(await page.getByText('There is no such code').count()).toBe(0);
  await proceed().click();
  await page.waitForURL('**/consent?**');
});

test('a foreign device is denied, and gets nothing', async () => {
  await enter();
  const code = await askForCode(device);
  await page.goto(code.verification_uri_complete);
  await proceed().click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'Your device was not connected' }).waitFor();
  expect(await heard(code)).toBe('access_denied');
  await page.getByRole('link', { name: 'Enter a code' }).click();
  await field().waitFor();
  expect(await field().inputValue()).toBe('');
});

test('a code that expires on screen says what to do next', async () => {
  await enter();
  const code = await askForCode(device);
  await page.goto(code.verification_uri_complete);
  await proceed().click();
  await armed().waitFor();
  await expireCodes(world.db);
  await armed().click();
  await page.getByText('This code has expired. Get a new one on your device.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/device');

  const other = await askForCode(device);
  await page.goto(other.verification_uri_complete);
  await expireCodes(world.db);
  await proceed().click();
  await page.getByText('This code has expired').waitFor();
  expect(await field().inputValue()).toBe(other.user_code);
});

test('two pages of one browser do not hinder each other for good', async () => {
  await enter();
  const code = await askForCode(device);
  await page.goto(code.verification_uri_complete);
  await proceed().waitFor();
  const second = await page.context().newPage();
  await second.goto(`${world.origin}/device`);
  await second.getByRole('button', { name: 'Continue' }).waitFor();
  await proceed().click();
  await page.getByText('this page was out of date').waitFor();
  expect(await field().inputValue()).toBe(code.user_code);
  await proceed().click();
  await page.waitForURL('**/consent?**');
});
