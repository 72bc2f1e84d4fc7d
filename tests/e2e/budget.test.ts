import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webDist } from '../support/world.ts';
import type { Stage } from './stage.ts';
import { createStage, signInAs } from './stage.ts';

const KB = 1000;

interface Visit {
  path: string;
  signedIn: boolean;
  /** JavaScript and CSS as they travel, gzip, in kB. Decision 117 says which library weighs what, 150 what the providers cost. */
  budget: number;
  ready: string;
}

const visits: readonly Visit[] = [
  { path: '/login', signedIn: false, budget: 141.1, ready: '#identifier' },
  { path: '/register', signedIn: false, budget: 139.4, ready: '#identifier' },
  { path: '/findbackPWD', signedIn: false, budget: 140.9, ready: '#identifier' },
  { path: '/undo#used', signedIn: false, budget: 142.6, ready: 'main a[href*=findbackPWD]' },
  { path: '/consent', signedIn: true, budget: 138, ready: 'main button >> nth=1' },
  { path: '/device', signedIn: true, budget: 190, ready: '#user-code' },
  { path: '/index', signedIn: true, budget: 190, ready: 'main a[href="/sessions"]' },
  { path: '/sessions', signedIn: true, budget: 190, ready: '[data-record]' },
  { path: '/tokens', signedIn: true, budget: 190, ready: '[data-record]' },
  { path: '/developers', signedIn: true, budget: 190, ready: '[data-record]' },
  { path: '/developers/new', signedIn: true, budget: 190, ready: 'main form' },
  { path: '/developers/:id', signedIn: true, budget: 190, ready: '[data-section=status] dl' },
  { path: '/developers/:id/settings', signedIn: true, budget: 200, ready: 'main figure' },
  { path: '/desk', signedIn: true, budget: 190, ready: 'main button' },
  { path: '/developers/docs', signedIn: false, budget: 190, ready: 'header select' },
  { path: '/license', signedIn: false, budget: 190, ready: 'header select' },
  { path: '/privacy', signedIn: false, budget: 190, ready: 'header select' },
  { path: '/middle', signedIn: false, budget: 190, ready: 'main h1' },
  { path: '/error', signedIn: false, budget: 190, ready: 'main h1' },
];

/** The chunks that must not load early: dialogs, phone numbers, pictures, other languages. */
const canWait = /modal-dialog|\/min-|crop|avatar|\/(?:ru|zh-)/;

interface Parts {
  files: string[];
  texts: { en: string[] };
}
const parts: Record<string, Parts> = JSON.parse(await readFile(join(webDist, '.parts.json'), 'utf8'));

/** The files of a page as the build wrote them down. */
const partsOf = ({ path }: Visit): string[] => {
  const { files = [], texts } = parts[path.replace(/#.*/, '')] ?? {};
  expect(files.length).toBeGreaterThan(0);
  return [...files, ...(texts?.en ?? [])];
};

describe('the budgets of', () => {
  let stage: Stage;
  let clientPage: string;
  beforeAll(async () => {
    stage = await createStage();
    await stage.world.developers.allow(stage.identifier);
    await stage.world.allowStaff(stage.identifier, 'support');
    const metadata = { preset: 'web', name: 'Lamp Studio', redirect_uris: ['https://app.example/callback'] };
    const { client } = (await stage.person.post('/api/clients', metadata)).json();
    clientPage = `/developers/${client.client_id}`;
  });
  afterAll(() => stage.world.close());

  /** Visits a page; answers its markup. */
  const visit = async (page: Page, { path, ready }: Visit): Promise<string> => {
    const parameters = { scope: 'openid profile email phone', prompt: 'consent' };
    const address =
      path === '/consent'
        ? (await stage.newApp.authorizationUrl(parameters)).url.href
        : stage.world.origin + path.replace('/developers/:id', clientPage);
    const markup = await (await page.goto(address))?.text();
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState('networkidle');
    return markup ?? '';
  };

  test.each(visits)('$path: weight, order and stillness', async (what) => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 640 },
    ]) {
      const page = await stage.world.openPage({ viewport });
      await page.addInitScript(() => {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
            const shifts = Number(document.documentElement?.dataset.shift ?? 0) + entry.value;
            document.documentElement.dataset.shift = String(shifts);
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      const weights = new Map<string, number>();
      const fetched: string[] = [];
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (!/\.(?:js|css)$/.test(pathname)) return;
        expect(response.headers()['content-encoding']).toBe('gzip');
        weights.set(pathname, Number(response.headers()['content-length']));
        fetched.push(pathname);
      });
      if (what.signedIn) await signInAs(page.context(), stage.person, stage.world.origin);
      const markup = await visit(page, what);

      const total = weights.values().reduce((sum, weight) => sum + weight, 0) / KB;
      expect(weights.size).toBeGreaterThan(3);
      expect(total, JSON.stringify([...weights])).toBeLessThanOrEqual(what.budget);

      const { shift, early } = await page.evaluate(() => {
        const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
        return {
          shift: Number(document.documentElement.dataset.shift ?? 0),
          early: performance
            .getEntriesByType('resource')
            .filter(({ startTime }) => startTime < paint)
            .map((entry) => {
              const { name, startTime, responseEnd } = entry as PerformanceResourceTiming;
              return { path: new URL(name).pathname, startTime, responseEnd };
            }),
        };
      });
      expect(shift).toBeLessThanOrEqual(0.02);
      expect(early.filter(({ path }) => canWait.test(path))).toEqual([]);
      // None of them waits until another has run, and none is fetched twice.
      expect(partsOf(what).filter((file) => !markup.includes(file))).toEqual([]);
      expect(fetched).toHaveLength(weights.size);
      // At most one request for data: the page contains all other data. What builds on its answer may be asked for then.
      const forData = early.filter(({ path }) => !path.startsWith('/prod/user/'));
      const answered = Math.min(...forData.map(({ responseEnd }) => responseEnd));
      expect(forData.filter(({ startTime }) => startTime < answered).length).toBeLessThanOrEqual(1);
      await page.context().close();
    }
    expect(stage.world.takeFaults()).toEqual([]);
  });
});
