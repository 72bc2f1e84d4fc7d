import type { Locator, Page } from 'playwright-core';
import { catalogs } from '../../apps/web/src/i18n/catalogs.ts';
import type { BrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { signInAs } from './stage.ts';

type Lang = keyof typeof catalogs;

/** The language, the width and the theme in which a call is answered. */
export interface Seat {
  lang: Lang;
  width: 1280 | 360;
  theme?: 'light' | 'dark';
}

/** A call at the open desk of `agent`. It counts the presses of whoever answers; what is typed is no press. */
export const answerCall = async (world: BrowserWorld, agent: UserAgent, seat: Seat) => {
  const { lang, width, theme = 'light' } = seat;
  const viewport = { width, height: width === 360 ? 640 : 800 };
  const page = await world.openPage({ viewport, colorScheme: theme });
  await signInAs(page.context(), agent, world.origin);
  await page.context().addCookies([{ name: 'locale', value: lang, url: world.origin }]);
  await page.goto(`${world.origin}/desk`);
  await page.locator('#desk-search').waitFor();

  let presses = 0;
  /** A text of the pages in the language of the call. */
  const say = (key: string, values: Record<string, string> = {}): string => {
    const text = catalogs[lang][key];
    if (text === undefined) throw new Error(`${lang} has no text ${key}`);
    return text.replaceAll(/{{(\w+)}}/g, (_, name: string) => values[name] ?? '');
  };
  /** The part of a text before its first placeholder. */
  const startOf = (key: string): string => (catalogs[lang][key] ?? key).split('{{')[0]?.trim() ?? '';
  const press = async (name: string, within = page.locator('main')) => {
    presses += 1;
    await within.getByRole('button', { name, exact: true }).first().click();
  };
  const enter = async () => {
    presses += 1;
    await page.keyboard.press('Enter');
  };
  const choose = async (radio: Locator) => {
    presses += 1;
    await radio.check();
  };
  const act = (name: string) => say(`desk.acts.names.${name}`);

  return {
    page,
    seat: { width, theme },
    say,
    startOf,
    press,
    choose,
    act,
    presses: () => presses,
    /** Types what the caller says where the focus is, and opens what it names. */
    find: async (what: string) => {
      await page.keyboard.type(what);
      await enter();
      await page.locator('[data-section=messages]').waitFor();
    },
    section: (name: string) => page.locator(`[data-section=${name}]`),
    /** Types what the caller answers; the last digit sends it. */
    hear: async (answer: string) => {
      await page.locator('#caller-answer').waitFor();
      await page.keyboard.type(answer);
      await page.locator('[data-section=caller]').getByText(say('desk.account.caller.right')).waitFor();
    },
    /** Gives the reason in the dialog that is open, and does the act. */
    giveReason: async (reason = '') => {
      await page.getByRole('dialog').locator('#reason').waitFor();
      await page.keyboard.type(reason);
      await enter();
      await page.locator('#desk-done').waitFor();
    },
  };
};

export type AnsweredCall = Awaited<ReturnType<typeof answerCall>>;

/** What the page says in its first line about signing in. */
export const verdict = (page: Page): Promise<string | null> => page.locator('#desk-verdict').textContent();
