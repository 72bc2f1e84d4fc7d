import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layoutFaults, spaceText } from './layout-faults.ts';
import { pseudo, speakPseudo } from './pseudo-locale.ts';
import { type Stage, screens } from './screens.ts';
import { createStage, signInAs } from './stage.ts';

/** 320 x 256 is a window of 1280 x 1024 at 400 % (WCAG 1.4.10). */
const windows = [
  { width: 1280, height: 800 },
  { width: 360, height: 640 },
  { width: 320, height: 256 },
] as const;

describe('in a language that is a third longer', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage();
  });
  afterAll(() => stage.world.close());

  test('texts grow, and what is filled in stays', () => {
    expect(pseudo('Resend in {{seconds}} s to <0>e-mail</0>')).toBe(
      'Rééséénd íín {{seconds}} s töö <0>e-mail</0>',
    );
  });

  test.each(screens)(
    '$name fits at 1280, 360 and 320 px, at 400 %, and with wide spacing',
    async (screen) => {
      const page = await stage.world.openPage({ reducedMotion: 'reduce', viewport: windows[0] });
      try {
        await speakPseudo(page);
        if (screen.signedIn) await signInAs(page.context(), stage.person, stage.world.origin);
        await screen.open(page, stage);
        const found: [string, string[]][] = [];
        for (const window of windows) {
          await page.setViewportSize(window);
          found.push([`${window.width} px`, await layoutFaults(page)]);
        }
        await spaceText(page);
        found.push(['wide spacing', await layoutFaults(page)]);
        expect(found.filter(([, faults]) => faults.length > 0)).toEqual([]);
      } finally {
        await page.context().close();
        stage.world.takeFaults();
      }
    },
  );
});
