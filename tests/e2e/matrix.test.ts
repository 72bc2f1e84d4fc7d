import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Screen, type Stage, screens } from './screens.ts';
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

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const violationsOf = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page })
    // Collects the results in the page itself: without frames that is the same, in a third of the time.
    .setLegacyMode(true)
    .withTags(TAGS)
    .options({ rules: { 'target-size': { enabled: true } } })
    .analyze();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
};

describe('every screen, in language, width and theme', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage();
  });
  afterAll(() => stage.world.close());

  test.each(
    (process.env.FULL ? every : pairwise).map((combination) => ({
      ...combination,
      name: `${combination.screen.name} ${combination.language.lang} ${combination.width} ${combination.theme}`,
    })),
  )('$name', async ({ name, screen, language, width, theme }) => {
    const page = await stage.world.openPage({
      locale: language.locale,
      viewport: { width, height: width === 360 ? 640 : 800 },
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    try {
      if (screen.signedIn) await signInAs(page.context(), stage.person, stage.world.origin);
      await screen.open(page, stage);
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/${name.replaceAll(' ', '.')}.png` });
      expect(await page.locator('html').getAttribute('lang')).toBe(language.lang);
      expect(await page.title()).toMatch(/.+ - Aurelia$/);
      expect(
        await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth),
      ).toBeLessThanOrEqual(0);
      expect(await violationsOf(page)).toEqual([]);
      expect(stage.world.takeFaults()).toEqual([]);
    } finally {
      await page.context().close();
    }
  });
});
