import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './accessibility.ts';
import { layoutFaults, spaceText } from './layout-faults.ts';
import { lengthenTexts } from './longer-texts.ts';
import type { Journey } from './screens/journey.ts';
import { journeys } from './screens/screens.ts';
import { createStage, type Stage, signInAs } from './stage.ts';

const languages = [
  { locale: 'en-US', lang: 'en' },
  { locale: 'zh-TW', lang: 'zh-Hant' },
  { locale: 'zh-CN', lang: 'zh-Hans' },
  { locale: 'ru-RU', lang: 'ru' },
] as const;
const widths = [1280, 360] as const;
const themes = ['light', 'dark'] as const;

/** The language, the width and the theme in which a test sees a screen. */
interface Look {
  language: (typeof languages)[number];
  width: (typeof widths)[number];
  theme: (typeof themes)[number];
}

const everyLook: readonly Look[] = languages.flatMap((language) =>
  widths.flatMap((width) => themes.map((theme) => ({ language, width, theme }))),
);

/**
 * A look in each language. Each screen has every pair of width and theme, and all screens together have every pair of
 * language, width and theme.
 */
const pairwise = (shift: number): Look[] =>
  everyLook.filter(({ language, width, theme }) => {
    const turn = shift + languages.indexOf(language);
    return widths.indexOf(width) === turn % 2 && themes.indexOf(theme) === (turn >> 1) % 2;
  });

/** The looks at a screen by its index in its journey. The first has the language of the visit, the last is English. */
type Looks = (place: number) => readonly [Look, ...Look[]];

interface Visit {
  name: string;
  journey: Journey;
  looks: Looks;
}

const only = (journey: Journey, look: (place: number) => Look, name: string): Visit => ({
  name: `${journey.name}, ${name}`,
  journey,
  looks: (place) => [look(place)],
});

/**
 * By default each journey is one visit, which shows each screen in all languages by the switch on the page. With `FULL`
 * each journey has a visit for every language, width and theme.
 */
const visits: Visit[] = journeys.flatMap((journey, index) => {
  if (process.env.FULL)
    return everyLook.map((look) =>
      only(journey, () => look, `${look.language.lang} ${look.width} ${look.theme}`),
    );
  const lookIn = (language: Look['language'], place: number): Look => {
    const look = pairwise(index + place).find((candidate) => candidate.language === language);
    if (!look) throw new Error(`no look in ${language.lang}`);
    return look;
  };
  if (journey.withoutSwitch)
    return languages.map((language) => only(journey, (place) => lookIn(language, place), language.lang));
  const [english, hant, hans, russian] = languages;
  const others = [hant, hans, russian, hant, hans].slice(index % 3, (index % 3) + 3) as [typeof hant];
  return {
    name: journey.name,
    journey,
    looks: (place) => [
      lookIn(others[0], place),
      ...others.slice(1).map((language) => lookIn(language, place)),
      lookIn(english, place),
    ],
  };
});

/** Changes the language by the page's own switch, also from behind a dialog. */
const speak = async (page: Page, lang: string): Promise<void> => {
  const isSpoken = await page.evaluate((wanted) => {
    if (document.documentElement.lang === wanted) {
      const served = document.querySelector<HTMLElement>('#document:not(.guide)');
      return !served || served.lang === wanted;
    }
    document.querySelector<HTMLElement>(`nav button[lang="${wanted}"]`)?.click();
    const picker = document.querySelector<HTMLOptionElement>(`option[lang="${wanted}"]`)?.closest('select');
    if (!picker) return false;
    picker.value = wanted;
    picker.dispatchEvent(new Event('change', { bubbles: true }));
    return false;
  }, lang);
  if (isSpoken) return;
  await page.waitForFunction(
    (wanted) =>
      [document.documentElement, document.querySelector<HTMLElement>('#document:not(.guide)')].every(
        (element) => !element || element.lang === wanted,
      ),
    lang,
  );
};

/** The width and the theme that a page has. */
const shown = new WeakMap<Page, Pick<Look, 'width' | 'theme'>>();

const turnTo = async (page: Page, { width, theme }: Look): Promise<void> => {
  const before = shown.get(page);
  if (before?.width !== width) await page.setViewportSize({ width, height: width === 360 ? 640 : 800 });
  if (before?.theme !== theme) await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  shown.set(page, { width, theme });
};

const show = async (page: Page, look: Look): Promise<void> => {
  await turnTo(page, look);
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
    const isSeen = (dialog: Element) => dialog.checkVisibility({ opacityProperty: true });
    // A dialog that may open a keyboard is transparent until the keyboard has moved the window, at most 600 ms.
    while (![...document.querySelectorAll('[role=dialog], [role=alertdialog]')].every(isSeen))
      await nextFrame();
    // The next frame has the colours of the theme.
    await nextFrame();
    await nextFrame();
  });
};

/** 320 x 256 is a window of 1280 x 1024 at 400 % (WCAG 1.4.10). */
const windows = [
  { width: 1280, height: 800 },
  { width: 360, height: 640 },
  { width: 320, height: 256 },
] as const;

/** The layout faults with texts a third longer, at each width, and with the spacing of WCAG 1.4.12. */
const faultsOfLongerTexts = async (page: Page): Promise<string[]> => {
  const restoreTexts = await lengthenTexts(page);
  expect(await page.locator('body').textContent()).toMatch(/[áéíöü]{2}/i);
  const found: string[] = [];
  const note = async (how: string) => {
    for (const fault of await layoutFaults(page)) found.push(`longer, ${how}: ${fault}`);
  };
  for (const window of windows) {
    await page.setViewportSize(window);
    await note(`${window.width} px`);
  }
  const restoreSpacing = await spaceText(page);
  await note('wide spacing');
  await restoreSpacing();
  await restoreTexts();
  shown.delete(page);
  return found;
};

describe('every screen, in language, width and theme', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage();
  });
  afterAll(() => stage.world.close());

  const begin = async ({ signedIn }: Journey, look: Look): Promise<Page> => {
    const page = await stage.world.openPage({ locale: look.language.locale });
    await turnTo(page, look);
    // The choice of the browser precedes the language of the account.
    await page.context().addCookies([{ name: 'locale', value: look.language.lang, url: stage.world.origin }]);
    if (signedIn) await signInAs(page.context(), stage.person, stage.world.origin);
    return page;
  };

  /** The screens that axe has seen, each with its width and with its theme. */
  const seen = new Set<string>();
  const wasSeen = (screen: string, how: string | number): boolean => {
    const where = `${screen} ${how}`;
    if (!process.env.FULL && seen.has(where)) return true;
    seen.add(where);
    return false;
  };
  const faultsOf = async (
    page: Page,
    screen: string,
    { language, width, theme }: Look,
  ): Promise<string[]> => {
    const { lang, title, excess } = await page.evaluate(() => {
      const { lang: language, scrollWidth, clientWidth } = document.documentElement;
      return { lang: language, title: document.title, excess: scrollWidth - clientWidth };
    });
    return [
      ...(lang === language.lang ? [] : [`its language is ${lang}`]),
      ...(/.+ - Aurelia$/.test(title) ? [] : [`its title is ${title}`]),
      ...(excess <= 0 ? [] : [`it is ${excess} px too wide`]),
      ...(await violationsOf(page, { width: wasSeen(screen, width), theme: wasSeen(screen, theme) })),
      ...stage.world.takeFaults(),
    ];
  };

  const photograph = (page: Page, screen: string, { language, width, theme }: Look) =>
    page.screenshot({ path: `${process.env.SHOTS}/${screen}.${language.lang}.${width}.${theme}.png` });

  test('the checks find each fault of a screen', async () => {
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
    const foundAgain = (await violationsOf(page, { width: true, theme: false })).join();
    for (const rule of ['color-contrast', 'target-size']) expect(foundAgain).toContain(rule);
    await page.context().close();
    stage.world.takeFaults();
  });

  test.each(visits)('$name', async ({ journey, looks }) => {
    const faults: string[] = [];
    const page = await begin(journey, looks(0)[0]);
    try {
      let place = 0;
      for await (const screen of journey.visit(page, stage)) {
        for (const look of looks(place)) {
          if (!journey.withoutSwitch) await speak(page, look.language.lang);
          await show(page, look);
          if (process.env.SHOTS) await photograph(page, screen, look);
          const found = await faultsOf(page, screen, look);
          if (look.language.lang === 'en') found.push(...(await faultsOfLongerTexts(page)));
          const where = [screen, look.language.lang, look.width, look.theme].join(' ');
          faults.push(...found.map((fault) => `${where}: ${fault}`));
        }
        place += 1;
        // The next screen opens in the language and the window of its first look.
        const [next] = looks(place);
        if (!journey.withoutSwitch) await speak(page, next.language.lang);
        await turnTo(page, next);
      }
    } finally {
      // A request that a route still waits for ends with the page.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
    }
    expect(faults).toEqual([]);
  });
});
