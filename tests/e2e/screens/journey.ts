import type { Page } from 'playwright-core';
import type { RelyingParty } from '../../support/relying-party.ts';
import type { Stage } from '../stage.ts';

/**
 * Screens that a page visits in turn. At each `yield` the page shows the screen of that name. A journey finds elements
 * by structure, not by words, so it runs in every language.
 */
export interface Journey {
  name: string;
  /** Whether the browser is signed in as the stage's person. */
  signedIn: boolean;
  /** The pages have no language switch: each language is a visit of its own. */
  withoutSwitch?: true;
  visit(page: Page, stage: Stage): AsyncGenerator<string, void>;
}

export const goTo = async (page: Page, { world }: Stage, path: string): Promise<void> => {
  await page.goto(`${world.origin}${path}`);
};

/** Begins an authorization request of an app. */
export const ask = async (
  page: Page,
  app: RelyingParty,
  parameters: Record<string, string> = {},
): Promise<void> => {
  const { url } = await app.authorizationUrl(parameters);
  await page.goto(url.href);
};

/** Turns the field for an identifier to e-mail, and fills it. */
export const typeEmail = async (page: Page, address: string): Promise<void> => {
  await page.locator('#identifier').waitFor();
  if (await page.locator('input[type=tel]').isVisible())
    await page.getByRole('button', { name: /e-mail|email|電子|电子|邮|почт/i }).click();
  await page.locator('input[type=email]').fill(address);
};

export const submit = (page: Page): Promise<void> => page.locator('form button[type=submit]').click();

export const codeField = (page: Page) => page.locator('input[autocomplete=one-time-code]');

/** The open dialogs, the topmost last. */
export const dialogs = (page: Page) => page.locator('[role=dialog], [role=alertdialog]');

export const closeDialogs = async (page: Page): Promise<void> => {
  for (let open = await dialogs(page).count(); open > 0; open -= 1) {
    // The focus comes back to the dialog below a frame after the one above has gone.
    await page.locator('[role=dialog]:focus-within, [role=alertdialog]:focus-within').waitFor();
    await page.keyboard.press('Escape');
    await dialogs(page)
      .nth(open - 1)
      .waitFor({ state: 'detached' });
  }
};

/** Answers every request to a path, except GET, with a refusal. */
export const refuse = (page: Page, path: string, status: number, code: string): Promise<unknown> =>
  page.route(`**${path}`, (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status, json: { error: { code, requestId: 'r' } } }),
  );

let people = 0;

/** The address of somebody without an account. */
export const newAddress = (): string => {
  people += 1;
  return `person-${people}@example.com`;
};
