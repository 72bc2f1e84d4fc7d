import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { drawPhoto, lookAtPicture, turnPhoto } from './photo.ts';
import { focusedName } from './settings-verbs.ts';
import { signInAs } from './stage.ts';

const MEBIBYTE = 1024 * 1024;
const RED = '#e00000';
const BLUE = '#0000e0';
const red = { red: expect.closeTo(224, -2), green: expect.closeTo(0, -2), blue: expect.closeTo(0, -2) };
const blue = { red: expect.closeTo(0, -2), green: expect.closeTo(0, -2), blue: expect.closeTo(224, -2) };

describe('the picture of an account, in Chromium', () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await createBrowserWorld();
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const openChooser = async () => {
    const { agent } = await world.signUp();
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/index`);
    await page.getByRole('button', { name: 'Upload: Avatar' }).click();
    await page.getByRole('dialog').waitFor();
    return { agent, page };
  };
  const choose = (page: Page, buffer: Buffer, name = 'photo.jpg') =>
    page.getByLabel('Choose a picture').setInputFiles({ name, mimeType: 'image/jpeg', buffer });
  const cropper = (page: Page) =>
    page.getByRole('application', { name: 'Part of the picture that is shown' });
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Operation Successful').waitFor();
  };
  const avatarOf = async (agent: UserAgent): Promise<string | undefined> =>
    (await agent.get('/api/account')).json().avatar;

  test('a photo of 6 MB is reduced in the browser, and is shown in row, heading and bar', async () => {
    const { agent, page } = await openChooser();
    const photo = await drawPhoto(page, { width: 3600, height: 2400, halves: [RED, BLUE], grain: true });
    expect(photo.length).toBeGreaterThan(6 * MEBIBYTE);
    await choose(page, photo);
    await cropper(page).waitFor();
    await page.getByAltText('The picture you chose').waitFor();
    await save(page);
    const avatar = await avatarOf(agent);
    expect(avatar).toMatch(/^\/api\/avatars\//);
    expect(await page.getByAltText('Your avatar').getAttribute('src')).toBe(avatar);
    // Beside the name, and in the bar.
    await expect.poll(() => page.locator(`img[src="${avatar}"]`).count()).toBe(3);
    const { width, height } = await lookAtPicture(page, avatar ?? '', []);
    expect([width, height]).toEqual([width, width]);
    expect(width).toBeLessThanOrEqual(512);
    await page.context().close();
  });

  test('a photo of a camera held on its side stands upright', async () => {
    const { agent, page } = await openChooser();
    // A quarter turn to the right moves the left half to the top.
    await choose(page, turnPhoto(await drawPhoto(page, { width: 800, height: 800, halves: [RED, BLUE] })));
    await cropper(page).waitFor();
    await save(page);
    const points = [
      [0.5, 0.2],
      [0.5, 0.8],
    ] as const;
    const { colours } = await lookAtPicture(page, (await avatarOf(agent)) ?? '', points);
    expect(colours).toEqual([red, blue]);
    await page.context().close();
  });

  test('keys alone move and enlarge the shown part', async () => {
    const { agent, page } = await openChooser();
    await choose(page, await drawPhoto(page, { width: 1200, height: 600, halves: [RED, BLUE] }));
    await cropper(page).waitFor();
    await expect.poll(() => cropper(page).evaluate((area) => area === document.activeElement)).toBe(true);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await page.keyboard.press('-');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Smaller');
    await page.keyboard.press('Tab');
    const slider = page.getByRole('slider', { name: 'Size' });
    expect(await slider.getAttribute('aria-valuetext')).toBe('110%');
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toBe('120%');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    // Move the picture to the right end, so that only its left half shows.
    for (let step = 0; step < 60; step += 1) await page.keyboard.press('ArrowRight');
    // The tab stops: smaller, the slider, larger, another picture, cancel, save.
    for (let stop = 0; stop < 6; stop += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Operation Successful').waitFor();
    const points = [
      [0.1, 0.5],
      [0.9, 0.5],
    ] as const;
    const { colours } = await lookAtPicture(page, (await avatarOf(agent)) ?? '', points);
    expect(colours).toEqual([red, red]);
    await page.context().close();
  });

  test('a file that is no picture is refused in the browser, whatever its name', async () => {
    const { agent, page } = await openChooser();
    await choose(page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByRole('alert').getByText('not a JPEG or PNG picture').waitFor();
    const photo = await drawPhoto(page, { width: 300, height: 300, halves: [RED, BLUE] });
    await choose(page, photo.subarray(0, 40));
    await page.getByRole('alert').getByText('cannot be read').waitFor();
    expect(await avatarOf(agent)).toBeUndefined();
    await choose(page, photo);
    await cropper(page).waitFor();
    await page.getByRole('button', { name: 'Choose another' }).click();
    await page.getByLabel('Choose a picture').waitFor();
    await page.context().close();
  });

  test('it is removed at once, and put back by “Undo”', async () => {
    const { agent, page } = await openChooser();
    await choose(page, await drawPhoto(page, { width: 300, height: 300, halves: [RED, BLUE] }));
    await cropper(page).waitFor();
    await save(page);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The removal does not wait for the copy that “Undo” needs.
    await page.route('**/api/avatars/*', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Remove: Avatar' }).click();
    await page.getByText('Your initial').waitFor();
    expect(await avatarOf(agent)).toBeDefined();
    release();
    await page.getByRole('status').getByText('Avatar removed').waitFor();
    expect(await avatarOf(agent)).toBeUndefined();
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedName(page)).toMatch(/: Avatar$/);
    await page.getByAltText('Your avatar').waitFor();
    const points = [
      [0.2, 0.5],
      [0.8, 0.5],
    ] as const;
    const { colours } = await lookAtPicture(page, (await avatarOf(agent)) ?? '', points);
    expect(colours).toEqual([red, blue]);
    await page.context().close();
  });
});
