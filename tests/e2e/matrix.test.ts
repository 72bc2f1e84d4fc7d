import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './accessibility.ts';
import { layoutFaults, spaceText } from './layout-faults.ts';
import { lengthenTexts } from './longer-texts.ts';
import { type Screen, type Stage, screens } from './screens/screens.ts';
import { createStage, signInAs } from './stage.ts';

const languages = [
  { locale: 'en-US', lang: 'en' },
  { locale: 'zh-TW', lang: 'zh-Hant' },
  { locale: 'zh-CN', lang: 'zh-Hans' },
  { locale: 'ru-RU', lang: 'ru' },
] as const;
const widths = [1280, 360] as const;
const themes = ['light', 'dark'] as const;

interface Combination {
  screen: Screen;
  language: (typeof languages)[number];
  width: (typeof widths)[number];
  theme: (typeof themes)[number];
}

const every: Combination[] = screens.flatMap((screen) =>
  languages.flatMap((language) =>
    widths.flatMap((width) => themes.map((theme) => ({ screen, language, width, theme }))),
  ),
);

/** Every pair of values of two dimensions stands in some combination. */
const pairwise = every.filter(({ screen, language, width, theme }) => {
  const shift = screens.indexOf(screen) + languages.indexOf(language);
  return widths.indexOf(width) === shift % 2 && themes.indexOf(theme) === (shift >> 1) % 2;
});

/** Changes the language by the page's own switch, also from behind a dialog; false where there is none. */
const speak = async (page: Page, lang: string): Promise<boolean> => {
  const switched = await page.evaluate((wanted) => {
    const button = document.querySelector<HTMLElement>(`nav button[lang="${wanted}"]`);
    button?.click();
    if (button) return true;
    const picker = document.querySelector<HTMLOptionElement>(`option[lang="${wanted}"]`)?.closest('select');
    if (!picker) return false;
    picker.value = wanted;
    return picker.dispatchEvent(new Event('change', { bubbles: true }));
  }, lang);
  if (switched) await page.waitForFunction((wanted) => document.documentElement.lang === wanted, lang);
  return switched;
};

const nameOf = ({ screen, language, width, theme }: Combination) =>
  `${screen.name} ${language.lang} ${width} ${theme}`;

/**
 * In the gate a screen is opened in one language, the next screen in the next one, and seen in the others by a
 * switch: in English last, whose texts are then made longer.
 */
const openings: Combination[][] = process.env.FULL
  ? every.map((combination) => [combination])
  : screens.map((screen, index) => {
      const [english, ...others] = pairwise.filter((combination) => combination.screen === screen);
      const first = index % others.length;
      return [...others.slice(first), ...others.slice(0, first), ...(english ? [english] : [])];
    });

/** 320 x 256 is a window of 1280 x 1024 at 400 % (WCAG 1.4.10). */
const windows = [
  { width: 1280, height: 800 },
  { width: 360, height: 640 },
  { width: 320, height: 256 },
] as const;

/** What does not fit in a language that is a third longer, at any width, nor with the spacing of WCAG 1.4.12. */
const faultsOfLongerTexts = async (page: Page): Promise<[string, string[]][]> => {
  await lengthenTexts(page);
  expect(await page.locator('body').textContent()).toMatch(/[áéíöü]{2}/i);
  const found: [string, string[]][] = [];
  for (const window of windows) {
    await page.setViewportSize(window);
    found.push([`${window.width} px`, await layoutFaults(page)]);
  }
  await spaceText(page);
  found.push(['wide spacing', await layoutFaults(page)]);
  return found.filter(([, faults]) => faults.length > 0);
};

describe('every screen, in language, width and theme', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage();
  });
  afterAll(() => stage.world.close());

  const look = async (page: Page, { width, theme }: Combination) => {
    await page.setViewportSize({ width, height: width === 360 ? 640 : 800 });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    // The colours of a theme come with the next frame.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  };

  const open = async (combination: Combination): Promise<Page> => {
    const { screen, language } = combination;
    const page = await stage.world.openPage({ locale: language.locale });
    await look(page, combination);
    // An account has a language of its own; the choice made in a browser goes before it.
    await page.context().addCookies([{ name: 'locale', value: language.lang, url: stage.world.origin }]);
    if (screen.signedIn) await signInAs(page.context(), stage.person, stage.world.origin);
    await screen.open(page, stage);
    return page;
  };

  const check = async (page: Page, combination: Combination) => {
    if (process.env.SHOTS) {
      const name = nameOf(combination).replaceAll(' ', '.');
      await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
    }
    expect(await page.locator('html').getAttribute('lang')).toBe(combination.language.lang);
    expect(await page.title()).toMatch(/.+ - Aurelia$/);
    expect(
      await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth),
    ).toBeLessThanOrEqual(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(stage.world.takeFaults()).toEqual([]);
  };

  test('what a screen must not have is found', async () => {
    const page = await stage.world.openPage();
    await page.goto(`${stage.world.origin}/license`);
    await page.locator('header select').waitFor();
    await page.locator('main').evaluate((main) => {
      const add = (name: string, style: string, text: string) => {
        const element = document.createElement(name);
        element.style.cssText = style;
        element.textContent = text;
        main.append(element);
      };
      add('img', '', '');
      add('p', 'color: #777; background: #888', 'pale');
      for (const text of ['a', 'b'])
        add('button', 'display: block; padding: 0; min-block-size: 0; block-size: 9px', text);
    });
    const found = (await violationsOf(page)).join();
    for (const rule of ['image-alt', 'color-contrast', 'target-size']) expect(found).toContain(rule);
    await page.context().close();
    stage.world.takeFaults();
  });

  test.each(openings.map((combinations) => ({ combinations, name: combinations.map(nameOf).join(', ') })))(
    '$name',
    async ({ combinations }) => {
      let page: Page | undefined;
      try {
        for (const combination of combinations) {
          if (page && (await speak(page, combination.language.lang))) {
            await look(page, combination);
          } else {
            await page?.context().close();
            page = await open(combination);
          }
          await check(page, combination);
          if (combination.language.lang === 'en') expect(await faultsOfLongerTexts(page)).toEqual([]);
        }
      } finally {
        await page?.context().close();
      }
    },
  );
});
