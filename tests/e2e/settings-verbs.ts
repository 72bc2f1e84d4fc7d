import type { Page } from 'playwright-core';
import type { BrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { signInAs } from './stage.ts';

/** A row of the settings by its label. */
export const row = (page: Page, label: string) =>
  page.locator('[data-setting]').filter({ has: page.getByText(label, { exact: true }) });

export const press = (page: Page, action: string, label: string) =>
  page.getByRole('button', { name: `${action}: ${label}`, exact: true }).click();

export const done = (page: Page) => page.getByRole('status').getByText('Operation Successful').waitFor();

export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

export const accountOf = async (agent: UserAgent) => (await agent.get('/api/account')).json();

export type SettingsVerbs = ReturnType<typeof createSettingsVerbs>;

/** The actions of a person in the settings. */
export const createSettingsVerbs = (world: BrowserWorld) => {
  /** Opens the settings in a browser with the session of the agent. */
  const openSettings = async (agent: UserAgent): Promise<Page> => {
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/index`);
    await row(page, 'Nickname').waitFor();
    return page;
  };

  const signUp = async () => {
    const person = await world.signUp();
    return { ...person, page: await openSettings(person.agent) };
  };

  const sendCodeTo = async (page: Page, label: string, identifier: string) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(label, { exact: true }).fill(identifier);
    await dialog.getByRole('button', { name: 'Send code' }).click();
    await dialog.getByLabel('Verification code').waitFor();
  };

  const bind = async (page: Page, label: string, identifier: string, canonical = identifier) => {
    await sendCodeTo(page, label, identifier);
    const code = await world.codeFor(canonical, page);
    await page.getByRole('dialog').getByLabel('Verification code').fill(code);
    await done(page);
  };

  const typeNewPassword = async (page: Page, password: string, repeated = password) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New password', { exact: true }).fill(password);
    await dialog.getByLabel('Repeat the new password').fill(repeated);
  };

  return { openSettings, signUp, sendCodeTo, bind, typeNewPassword };
};
