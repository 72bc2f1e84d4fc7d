import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalsOf } from '../oidc/authorization.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { violationsOf } from './accessibility.ts';
import { layoutFaults } from './layout-faults.ts';
import { signInAs } from './stage.ts';

let world: BrowserWorld;
beforeAll(async () => {
  world = await createBrowserWorld();
  const scopes = [
    { name: 'read', description: { en: 'see your lights' } },
    { name: 'switch', description: { en: 'switch your lights', ru: 'управлять вашими лампами' } },
  ];
  await world.registerResources([{ identifier: 'https://lights.example/', name: 'Lights', scopes }]);
});
afterAll(() => world.close());

/** What the page says in each language, and the window in which it is seen. */
const looks = {
  en: {
    open: 'Change permissions: Light Diary',
    email: /access your personal information.*e-mail/i,
    light: 'switch your lights',
    forGood: 'has to ask you for it',
    save: 'Save',
    done: 'Operation Successful',
    window: { width: 360, height: 740, theme: 'dark' },
  },
  'zh-Hant': {
    open: '變更權限：Light Diary',
    email: /取得您的個人資訊.*電子郵件/,
    light: 'switch your lights',
    forGood: '只能由 Light Diary 再次向您請求',
    save: '儲存',
    done: '操作成功',
    window: { width: 1280, height: 800, theme: 'dark' },
  },
  'zh-Hans': {
    open: '修改权限：Light Diary',
    email: /获取您的个人信息.*邮箱/,
    light: 'switch your lights',
    forGood: '只能由 Light Diary 再次向您申请',
    save: '保存',
    done: '操作成功',
    window: { width: 1280, height: 800, theme: 'light' },
  },
  ru: {
    open: 'Изменить разрешения: Light Diary',
    email: /видеть ваши личные данные.*почт/i,
    light: 'управлять вашими лампами',
    forGood: 'должно запросить разрешение снова',
    save: 'Сохранить',
    done: 'Операция выполнена',
    window: { width: 360, height: 740, theme: 'light' },
  },
} as const;

/** A person who approved all that a new app asks for. */
const settle = async () => {
  const { agent } = await world.signUp();
  const app = await world.registerApp({
    client_name: 'Light Diary',
    optional_scopes: 'email switch',
    scope_reasons: { email: 'To send you a monthly summary' },
    scope: 'openid profile email read switch',
  });
  const parameters = { scope: 'openid profile email read switch', resource: 'https://lights.example/' };
  await world.link(agent, app.rp, parameters);
  const scopes = async () => (await approvalsOf(agent, app))[0]?.scopes;
  return { agent, scopes };
};

const photograph = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/narrowing-${name}.png` });
};

test.each(Object.entries(looks))(
  'in %s a person takes permissions away by the keyboard, and knows before that it is for good',
  async (lang, { open, email, light, forGood, save, done, window: { theme, ...viewport } }) => {
    const { agent, scopes } = await settle();
    const page = await world.openPage({ viewport, colorScheme: theme });
    await page.context().addCookies([{ name: 'locale', value: lang, url: world.origin }]);
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/tokens`);
    const button = page.getByRole('button', { name: open });
    await button.focus();
    await photograph(page, `${lang}-list`);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const choices = dialog.getByRole('checkbox');
    await choices.nth(1).waitFor();
    // What the app needs is there in words, and cannot be unticked.
    expect(await choices.count()).toBe(2);
    expect(await dialog.textContent()).toContain(forGood);
    await photograph(page, `${lang}-before`);
    const faults = [...(await violationsOf(page)), ...(await layoutFaults(page))];
    expect(faults).toEqual([]);

    // Whoever cancels changes nothing, and is back where the dialog was opened.
    await dialog.getByRole('checkbox', { name: email }).press('Space');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((pressed) => pressed === document.activeElement)).toBe(true);
    expect(await scopes()).toContain('email');

    await page.keyboard.press('Enter');
    await dialog.getByRole('checkbox', { name: email }).press('Space');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(done).waitFor();
    expect(await scopes()).toEqual(['openid', 'profile', 'read', 'switch', 'offline_access']);
    await expect.poll(() => button.evaluate((pressed) => pressed === document.activeElement)).toBe(true);

    await page.keyboard.press('Enter');
    expect(await choices.count()).toBe(1);
    await dialog.getByRole('checkbox', { name: light }).click();
    await dialog.getByRole('button', { name: save, exact: true }).click();
    // Nothing is left to take away: the button is gone, and the focus stays in the row.
    await button.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[data-record]') !== null))
      .toBe(true);
    expect(await scopes()).toEqual(['openid', 'profile', 'read', 'offline_access']);
    await page.getByText(light).waitFor({ state: 'detached' });
    await photograph(page, `${lang}-after`);
    await page.context().close();
    expect(world.takeFaults()).toEqual([]);
  },
);

test('a refusal is told in the dialog, and nothing that was chosen is lost', async () => {
  const { agent } = await settle();
  const page = await world.openPage();
  await signInAs(page.context(), agent, world.origin);
  await page.goto(`${world.origin}/tokens`);
  await page.getByRole('button', { name: looks.en.open }).click();
  const dialog = page.getByRole('dialog');
  const choice = dialog.getByRole('checkbox', { name: looks.en.email });
  await choice.uncheck();
  // Meanwhile the same is taken away in another window.
  const [{ id }] = (await agent.get('/api/authorizations')).json().items;
  const scopes = ['openid', 'profile', 'read', 'offline_access'];
  expect((await agent.patch(`/api/authorizations/${id}`, { scopes })).status).toBe(200);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('alert').getByText('does not have this permission any more').waitFor();
  expect(await choice.isChecked()).toBe(false);
  await page.context().close();
  expect(world.takeFaults()).toEqual([]);
});
